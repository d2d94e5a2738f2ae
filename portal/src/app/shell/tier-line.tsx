import { isPartnerWide, useMay, useSession } from "../../api/session.ts";
import { type Requirement, useStanding } from "../../features/money/standing/data.ts";
import { Share } from "../../ui/charts.tsx";
import { Link } from "../../ui/link.tsx";
import { money } from "../../ui/money.tsx";
import classes from "./shell.module.css";

const doneOf = ({ value, required }: Requirement) => (required === 0 ? 1 : Math.max(0, Math.min(1, value / required)));

/** What is missing, in few words. */
function shortOf({ metric, missing, currency }: Requirement): string {
  switch (metric) {
    case "active_clients":
      return `${missing} client${missing === 1 ? "" : "s"}`;
    case "won_mrr_cents":
      return `${money(missing, currency ?? "usd", true)} a month`;
    case "certifications":
      return `${missing} certification${missing === 1 ? "" : "s"}`;
    case "retention_bps":
      return `${missing / 100}% retention`;
  }
}

/** The grade of the partner, and what it lacks most for the next one. */
export function TierLine() {
  const session = useSession();
  const may = useMay()("account:read") && isPartnerWide(session);
  const { data } = useStanding(may);
  if (!data) return null;
  const least = data.progress.filter(({ met }) => !met).toSorted((a, b) => doneOf(a) - doneOf(b))[0];
  return (
    <Link to="/earn/tier" className={classes.tier}>
      <b>{data.name}</b>
      {data.next && (
        <span className="cut">{least ? `${shortOf(least)} to ${data.next.name}` : `ready for ${data.next.name}`}</span>
      )}
      {data.next && <Share value={least ? doneOf(least) : 1} tone="ink" />}
    </Link>
  );
}
