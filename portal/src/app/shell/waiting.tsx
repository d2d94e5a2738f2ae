import { useSession } from "../../api/session.ts";
import { useOverview } from "../../operator/overview/data.ts";
import { useWaiting } from "./data.ts";
import type { Place, Spot } from "./places.ts";
import classes from "./shell.module.css";

const INBOX = "/crm/$account/inbox";

type Marked = Spot & Pick<Place, "children">;

/** How many wait beside the way to them: for an answer, or for a decision of the operator. Undefined where there is nothing to say. */
export function useMark(spot: Marked, account: string | undefined, open: boolean) {
  const talks = useConversations(spot, account, open);
  const decisions = useOperatorDecisions(spot, open);
  return talks ?? decisions;
}

/** Those of the account at its inbox, those of all accounts at a place that hides it. */
function useConversations({ path, children }: Marked, account: string | undefined, open: boolean) {
  const { scopes } = useSession();
  const leads = children === undefined ? path === INBOX : !open && children.some((child) => child.path === INBOX);
  const may = scopes.includes("conversations:read");
  const { data: waiting = 0 } = useWaiting(children === undefined ? account : undefined, leads && may);
  if (!leads || waiting === 0) return undefined;
  return { waiting, description: waiting === 1 ? "1 conversation waits" : `${shown(waiting)} conversations wait` };
}

/** Where each decision of the operator is taken. */
const QUEUES = {
  "/registrations": "registrations",
  "/access-requests": "access_requests",
  "/marketplace": "listings",
  "/marketplace/purchases": "purchases",
} as const;

/** A folded place has those of all its pages. */
function useOperatorDecisions({ path, children }: Marked, open: boolean) {
  const paths = children === undefined ? [path] : open ? [] : children.map((child) => child.path);
  const queues = paths.flatMap((one) => (one in QUEUES ? [QUEUES[one as keyof typeof QUEUES]] : []));
  const operator = useSession().user.role === "operator";
  const { data } = useOverview({ enabled: operator && queues.length > 0 });
  const waiting = data === undefined ? 0 : queues.reduce((sum, queue) => sum + data[queue].waiting, 0);
  if (waiting === 0) return undefined;
  return { waiting, description: waiting === 1 ? "1 decision waits" : `${shown(waiting)} decisions wait` };
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
