import { RouterProvider } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { type Session, SessionContext } from "../api/session.ts";
import type { PageRoute } from "../ui/route.ts";
import { queries } from "./providers.tsx";
import { createPortalRouter } from "./router.tsx";
import { type Enter, EnterContext } from "./session/enter.ts";
import { Gate } from "./session/gate.tsx";

/** Who is signed in and the pages there are for them; nobody yet if the session is null. */
export type Visit = { session: Session | null; pages: readonly PageRoute[] };

/** The pages of the operator and those of partners are not needed by each other. */
export async function visitOf(session: Session | null): Promise<Visit> {
  if (session === null) return { session, pages: [] };
  if (session.user.role === "operator") return { session, pages: (await import("../operator/routes.tsx")).OPERATOR_ROUTES };
  return { session, pages: (await import("./routes.tsx")).ROUTES };
}

export function Portal({ first }: { first: Visit }) {
  const [visit, setVisit] = useState(first);
  const router = useMemo(() => createPortalRouter(visit.session, visit.pages), [visit]);
  const enter: Enter = async (session) => {
    const next = await visitOf(session);
    queries.clear();
    setVisit(next);
  };
  return (
    <EnterContext value={enter}>
      <SessionContext value={visit.session}>
        <RouterProvider router={router} />
        {visit.session !== null && <Gate session={visit.session} />}
      </SessionContext>
    </EnterContext>
  );
}
