import { Button } from "@mantine/core";
import { ChevronRight } from "lucide-react";
import { Link } from "../../ui/link.tsx";
import { money } from "../../ui/money.tsx";
import { Section } from "../../ui/section.tsx";
import { Dot, type Tone } from "../../ui/state.tsx";
import { ago, day, since } from "../../ui/when.tsx";
import type { Need, Overview } from "./data.ts";
import classes from "./home.module.css";

type Shown = { tone: Tone; title: string; more: string; act: string; to: string };

const price = (cents: number | null, currency: string) => (cents === null ? "" : ` ${money(cents, currency)} a month.`);
const reason = (text: string | null) => (text === null ? "No reason was given." : `${text.replace(/[.\s]+$/, "")}.`);

/** What a need says, and where it is cleared. */
function shown(need: Need): Shown {
  switch (need.kind) {
    case "webhook_failing": {
      const { name, state, last_status, parked } = need.facts;
      const answer = last_status === null ? "does not answer" : `answers ${last_status}`;
      return {
        tone: "bad",
        title: state === "disabled" ? "An endpoint is disabled" : "An endpoint is failing",
        more: `${hostOf(name)} ${answer} since ${ago(need.since)}; ${parked} deliveries wait.`,
        act: "Open",
        to: `/developers/webhooks/${need.id}`,
      };
    }
    case "import_failed": {
      const { name, account_id, resource, processed, total } = need.facts;
      return {
        tone: "bad",
        title: `An import of ${resource}s failed`,
        more: `${name}, after ${processed} of ${total} rows.`,
        act: "Open",
        to: `/crm/${account_id}/imports/${need.id}`,
      };
    }
    case "approval_pending": {
      const { name, account_id, company, tool } = need.facts;
      return {
        tone: "wait",
        title: `${name} asks for approval`,
        more: `To ${tool.replaceAll("_", " ")}, for ${company}. Asked ${since(need.since)}.`,
        act: "Decide",
        to: `/crm/${account_id}/approvals?open=${need.id}`,
      };
    }
    case "registration_rejected":
      return {
        tone: "bad",
        title: `${need.facts.name} was rejected`,
        more: reason(need.facts.reason),
        act: "Open",
        to: `/deals/${need.id}`,
      };
    case "registration_needs_info":
      return {
        tone: "wait",
        title: `${need.facts.name} needs information`,
        more: reason(need.facts.reason),
        act: "Answer",
        to: `/deals/${need.id}`,
      };
    case "registration_ending":
      return {
        tone: "wait",
        title: `The protection of ${need.facts.name} ends`,
        more: `On ${day(need.facts.protected_until)}.${price(need.facts.mrr_cents, need.facts.currency)}`,
        act: "Open",
        to: `/deals/${need.id}`,
      };
    case "registration_submitted":
      return {
        tone: "ended",
        title: `${need.facts.name} waits for review`,
        more: `By the operator, since ${ago(need.since)}.`,
        act: "Open",
        to: `/deals/${need.id}`,
      };
    case "deal_over_target": {
      const { name, days_in_stage, stage, target_days, mrr_cents, currency } = need.facts;
      return {
        tone: "wait",
        title: `${name} waits`,
        more: `${days_in_stage} days in ${stage}, target ${target_days}.${price(mrr_cents, currency)}`,
        act: "Open",
        to: `/deals/${need.id}`,
      };
    }
    case "key_expiring":
      return {
        tone: "wait",
        title: `The key ${need.facts.name} expires`,
        more: `On ${day(need.facts.expires_at)}. It ends in ${need.facts.hint}.`,
        act: "Rotate",
        to: "/settings/api",
      };
    case "listing_refused": {
      const { name, version, listed_version } = need.facts;
      return {
        tone: "bad",
        title: listed_version === null ? `${name} is kept off the marketplace` : `v${version} of ${name} was refused`,
        more: reason(need.facts.reason),
        act: "Open",
        to: `/snapshots/${need.id}?show=listing`,
      };
    }
    case "client_suspended":
      return {
        tone: "wait",
        title: `${need.facts.name} is suspended`,
        more: `${reason(need.facts.reason)}${price(need.facts.mrr_cents, need.facts.currency)}`,
        act: "Open",
        to: `/clients/${need.id}`,
      };
    case "user_invited":
      return {
        tone: "ended",
        title: `${need.facts.name} has not signed in yet`,
        more: `Invited ${ago(need.since)} ago as ${need.facts.email}.`,
        act: "Open",
        to: "/settings/team",
      };
  }
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url);
const URGENCY: Record<Tone, number> = { bad: 0, wait: 1, ended: 2, live: 3 };
const SHOWN_MAX = 8;

/** What needs attention, the broken first. */
export function Needs({ needs }: { needs: Overview["needs"] }) {
  const items = needs.items.map((need) => ({ id: `${need.kind} ${need.id}`, ...shown(need) }));
  const count = Object.values(needs.counts).reduce((sum: number, many) => sum + (many ?? 0), 0);
  const sorted = items.toSorted((a, b) => URGENCY[a.tone] - URGENCY[b.tone]).slice(0, SHOWN_MAX);
  return (
    <Section title="Needs you" aside={count > sorted.length ? `${sorted.length} of ${count}` : count || null}>
      {sorted.length === 0 ? (
        <p className="muted">Nothing waits for you.</p>
      ) : (
        <ul className={classes.needs}>
          {sorted.map(({ id, tone, title, more, act, to }) => (
            <li key={id}>
              <span className={classes.dot}>
                <Dot tone={tone} />
              </span>
              <Link to={to} className={classes.need}>
                <b>{title}</b>
                <p>{more}</p>
              </Link>
              <Button
                className="only-desk"
                component={Link}
                to={to}
                variant="default"
                size="xs"
                tabIndex={-1}
                aria-label={`${act}: ${title}`}
              >
                {act}
              </Button>
              <ChevronRight className="only-phone" size={16} aria-hidden />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
