import { RouterProvider } from "@tanstack/react-router";
import { useCallback, useEffect, useMemo, useState } from "react";
import { isPartnerWide, RefreshContext, readSession, type Session, SessionContext } from "../api/session.ts";
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
  const { ROUTES } = await import("./routes.tsx");
  if (isPartnerWide(session)) return { session, pages: ROUTES };
  const first: PageRoute = { path: "/", load: () => import("./shell/first.tsx") };
  return { session, pages: [first, ...ROUTES.filter(({ path }) => path !== "/")] };
}

export function Portal({ first }: { first: Visit }) {
  const [visit, setVisit] = useState(first);
  const [session, setSession] = useState(first.session);
  const router = useMemo(() => createPortalRouter(visit.session, visit.pages), [visit]);
  const enter: Enter = async (session) => {
    const next = await visitOf(session);
    queries.clear();
    setSession(next.session);
    setVisit(next);
  };
  const signedIn = session !== null;
  const refresh = useCallback(async () => setSession(await readSession()), []);
  // Somebody else may have changed what this person may do. If nobody is signed in any more, the next call says so.
  useEffect(() => {
    if (!signedIn) return;
    const look = () => void refresh().catch(() => {});
    window.addEventListener("focus", look);
    return () => window.removeEventListener("focus", look);
  }, [signedIn, refresh]);
  return (
    <EnterContext value={enter}>
      <RefreshContext value={refresh}>
        <SessionContext value={session}>
          <RouterProvider router={router} />
          {session !== null && <Gate session={session} />}
        </SessionContext>
      </RefreshContext>
    </EnterContext>
  );
}
