import { signOut } from "../../api/session.ts";
import { useGo } from "../../ui/link.tsx";
import { useEnter } from "../session/enter.ts";

/** Ends the session and shows the sign-in page. */
export function useSignOut(): () => Promise<void> {
  const enter = useEnter();
  const go = useGo();
  return async () => {
    await signOut();
    go("/", { replace: true });
    await enter(null);
  };
}
