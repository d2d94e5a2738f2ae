import { useSession } from "../../api/session.ts";
import { useWaiting } from "./data.ts";
import type { Place, Spot } from "./places.ts";
import classes from "./shell.module.css";

const INBOX = "/crm/$account/inbox";

/**
 * How many conversations wait, beside the way to them: those of the account at its inbox, those of all accounts at a place that hides
 * it. Undefined where there is nothing to say.
 */
export function useMark({ path, children }: Spot & Pick<Place, "children">, account: string | undefined, open: boolean) {
  const { scopes } = useSession();
  const leads = children === undefined ? path === INBOX : !open && children.some((child) => child.path === INBOX);
  const may = scopes.includes("conversations:read");
  const { data: waiting = 0 } = useWaiting(children === undefined ? account : undefined, leads && may);
  if (!leads || waiting === 0) return undefined;
  return { waiting, description: waiting === 1 ? "1 conversation waits" : `${shown(waiting)} conversations wait` };
}

/** The service counts up to a hundred. */
const shown = (waiting: number) => (waiting > 99 ? "99+" : String(waiting));

export function Mark({ mark }: { mark: ReturnType<typeof useMark> }) {
  if (mark === undefined) return null;
  return (
    <i className={classes.mark} aria-hidden>
      {shown(mark.waiting)}
    </i>
  );
}
