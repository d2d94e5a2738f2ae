import { useMay } from "../../api/session.ts";
import { Link } from "../../ui/link.tsx";
import { money } from "../../ui/money.tsx";
import { Section } from "../../ui/section.tsx";
import { When } from "../../ui/when.tsx";
import type { RecentEvent } from "./data.ts";
import classes from "./home.module.css";

const text = (value: unknown) => (typeof value === "string" ? value : null);

const COMMISSIONS: Record<string, string> = {
  override: "earned you an override",
  adjustment: "changed your commission",
  reversal: "took a commission back",
};

/** What happened to the one that is named before it. */
function what({ type, data }: RecentEvent): string {
  switch (type) {
    case "client.created":
      return "became a client";
    case "client.activated":
      return "was activated";
    case "client.suspended":
      return "was suspended";
    case "client.churned":
      return "was closed";
    case "deal.registered":
      return "was registered";
    case "deal.won":
      return "was won";
    case "commission.accrued":
      return COMMISSIONS[text(data.kind) ?? ""] ?? "earned you a commission";
    case "payout.scheduled":
      return "was scheduled";
    case "payout.paid":
      return "was paid";
    case "tier.changed":
      return `is ${text(data.grade) ?? "another one"}`;
    case "deal.stage_changed":
      return `moved ${text(data.from_stage) ? `from ${data.from_stage} ` : ""}to ${text(data.to_stage) ?? "another stage"}`;
    default:
      return type.replaceAll(/[._]/g, " ");
  }
}

/** The page about what the event is about. */
const PAGES: Record<string, (id: string) => string> = {
  cli: (id) => `/clients/${id}`,
  deal: (id) => `/deals/${id}`,
  com: (id) => `/earn/commissions/${id}`,
  pay: (id) => `/earn/payouts/${id}`,
  ptr: () => "/earn/tier",
};
const pageOf = (subject: string) => PAGES[subject.split("_")[0] ?? ""]?.(subject) ?? null;

/** What the event is about, where it has no name of its own. */
function nameOf({ type, name, subject, data }: RecentEvent): string {
  if (name !== null) return name;
  if (type === "commission.accrued") return data.kind === "override" ? "A sub-partner" : "The operator";
  if (type.startsWith("payout.")) return "A payout";
  return type === "tier.changed" ? "Your tier" : subject;
}

function amount({ data }: RecentEvent): string | null {
  const cents = data.amount_cents ?? data.net_cents ?? data.mrr_cents;
  return typeof cents === "number" && cents !== 0 && typeof data.currency === "string" ? money(cents, data.currency) : null;
}

/** What happened last. */
export function Recent({ events }: { events: readonly RecentEvent[] }) {
  const may = useMay();
  return (
    <Section
      title="Recent"
      aside={
        may("events:read") && (
          <Link to="/developers/events" className="link">
            All events
          </Link>
        )
      }
    >
      {events.length === 0 ? (
        <p className="muted">Nothing has happened yet.</p>
      ) : (
        <ul className={classes.recent}>
          {events.map((event) => {
            const page = pageOf(event.subject);
            const name = <b>{nameOf(event)}</b>;
            return (
              <li key={event.id}>
                <span className="cut">
                  {page ? <Link to={page}>{name}</Link> : name} {what(event)}
                  {event.actor?.name && <span className="muted"> by {event.actor.name}</span>}
                </span>
                <span className="num">{amount(event)}</span>
                <When at={new Date(event.created * 1000).toISOString()} />
              </li>
            );
          })}
        </ul>
      )}
    </Section>
  );
}
