import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "./app/base.css"; // Before all other styles: it orders the layers.
import "@mantine/core/styles.layer.css";
import "@mantine/notifications/styles.layer.css";
import "@mantine/spotlight/styles.layer.css";
import "./app/tokens.css";
import "./app/mantine.css";
import { ApiError } from "@tributary/sdk";
import { createRoot } from "react-dom/client";
import { readSession } from "./api/session.ts";
import { Portal, visitOf } from "./app/portal.tsx";
import { Providers } from "./app/providers.tsx";
import { Failure } from "./ui/failure.tsx";

/** The one request before the first paint: who is it, and what may they do. */
async function start() {
  try {
    const session = await readSession().catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    });
    const first = await visitOf(session);
    return <Portal first={first} />;
  } catch (error) {
    return <Failure title="The portal did not load" error={error as Error} retry={() => location.reload()} />;
  }
}

const root = document.getElementById("root");
if (root !== null) createRoot(root).render(<Providers>{await start()}</Providers>);
