import { useMay } from "../../api/session.ts";
import { Link } from "../../ui/link.tsx";
import { money } from "../../ui/money.tsx";
import { Section } from "../../ui/section.tsx";
import { When } from "../../ui/when.tsx";
import type { RecentEvent } from "./data.ts";
import classes from "./home.module.css";

const text = (value: unknown) => (typeof value === "string" ? value : null);

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
    case "deal.stage_changed":
      return `moved ${text(data.from_stage) ? `from ${data.from_stage} ` : ""}to ${text(data.to_stage) ?? "another stage"}`;
    default:
      return type.replaceAll(/[._]/g, " ");
  }
}

const pageOf = (subject: string) =>
  subject.startsWith("cli_") ? `/clients/${subject}` : subject.startsWith("deal_") ? `/deals/${subject}` : null;

function amount({ data }: RecentEvent): string | null {
  return typeof data.mrr_cents === "number" && data.mrr_cents > 0 && typeof data.currency === "string"
    ? money(data.mrr_cents, data.currency)
    : null;
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
            const name = <b>{event.name ?? event.subject}</b>;
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
