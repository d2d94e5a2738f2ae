import { lazy, Suspense, useSyncExternalStore } from "react";
import { gate } from "../../api/gate.ts";
import type { Session } from "../../api/session.ts";

const Dialogs = lazy(() => import("./gate-dialogs.tsx"));

/** Over the page, which keeps what was typed: signing in again, or the password once more. Then the waiting requests go on. */
export function Gate({ session }: { session: Session }) {
  const waiting = useSyncExternalStore(gate.subscribe, gate.current);
  return (
    <Suspense>
      {waiting !== null && <Dialogs session={session} ask={waiting.ask} settle={(passed) => waiting.settle(passed)} />}
    </Suspense>
  );
}
