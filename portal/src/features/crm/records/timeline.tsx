import { Button } from "@mantine/core";
import {
  Banknote,
  CircleDot,
  GitMerge,
  MessageSquareText,
  MessagesSquare,
  PencilLine,
  ShieldCheck,
  Sparkles,
  UserPlus,
} from "lucide-react";
import { Failure } from "../../../ui/failure.tsx";
import { Link } from "../../../ui/link.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { money } from "../../../ui/money.tsx";
import { Section } from "../../../ui/section.tsx";
import { type Moment, Timeline } from "../../../ui/timeline.tsx";
import { type Kind, type TimelineEntry, useTimeline } from "./data.ts";
import { foldMessages } from "./fold.ts";
import { usePersonName } from "./people.tsx";

/** What an action of the audit log did, after the name of whoever did it. */
const DID: Record<string, string> = {
  create: "created it",
  update: "changed",
  delete: "deleted it",
  erase: "erased it",
  convert: "converted the lead",
  unconvert: "took the conversion back",
  merge: "merged another contact into it",
  undo_merge: "took a merge back",
  create_note: "wrote a note",
  update_note: "changed a note",
  delete_note: "deleted a note",
  set_consent: "recorded consent",
  refund: "refunded a payment",
};

const ICONS: Record<string, React.ReactNode> = {
  note: <MessageSquareText />,
  consent: <ShieldCheck />,
  merge: <GitMerge />,
  create: <UserPlus />,
  convert: <Sparkles />,
  change: <PencilLine />,
  payment: <Banknote />,
};

const HIDDEN = new Set(["version", "body"]);

function momentOf(entry: TimelineEntry, nameOf: (id: string) => string): Moment {
  const verb = entry.action.split(".").at(-1) ?? "";
  const fields = Object.keys(entry.changes ?? {}).filter((field) => !HIDDEN.has(field));
  const named = verb === "update" && fields.length > 0;
  return {
    id: entry.id,
    at: entry.at,
    icon: ICONS[verb] ?? ICONS[entry.type] ?? <CircleDot />,
    tone: entry.type === "merge" || verb === "convert" ? "accent" : undefined,
    what: (
      <>
        <b>{entry.actor.name ?? nameOf(entry.actor.id)}</b> {DID[verb] ?? verb.replaceAll("_", " ")}
        {named && ` ${fields.slice(0, 6).join(", ").replaceAll("_", " ")}`}
      </>
    ),
    more: entry.note,
  };
}

/** What the person has paid, as far as it was not returned. */
function paymentOf({ id, at, actor, payment }: TimelineEntry & { payment: NonNullable<TimelineEntry["payment"]> }): Moment {
  const { amount_cents, tip_cents, refunded_cents, currency, receipt_number } = payment;
  const returned = refunded_cents > 0 ? `, of which ${money(refunded_cents, currency)} was returned` : "";
  return {
    id,
    at,
    icon: ICONS.payment,
    tone: "accent",
    what: (
      <>
        <b>{actor.name ?? "The customer"}</b> paid {money(amount_cents + tip_cents, currency)}
        {returned}
      </>
    ),
    more: `Receipt ${receipt_number}`,
  };
}

type Written = TimelineEntry & { message: NonNullable<TimelineEntry["message"]> };

const BY: Record<string, string> = { sms: "SMS", whatsapp: "WhatsApp", email: "email", webchat: "web chat", simulator: "SMS" };

function exchangeOf({ id, at, actor, message }: Written, count: number, account_id: string): Moment {
  const by = `by ${BY[message.channel_kind] ?? "a program"}`;
  const inbox = `/crm/${account_id}/inbox/${message.conversation_id}`;
  return {
    id,
    at,
    icon: <MessagesSquare />,
    what:
      count > 1 ? (
        <>
          <b>{count} messages</b> {by}, the last of {actor.name ?? "a program"}
        </>
      ) : (
        <>
          <b>{actor.name ?? "A program"}</b> wrote {by}
        </>
      ),
    more: (
      <Link className="link" to={inbox}>
        {message.subject ?? (message.text || "A file")}
      </Link>
    ),
  };
}

/** The history of a record: who did what, and what was written, newest first. */
export function RecordTimeline({ kind, id, account_id }: { kind: Kind; id: string; account_id: string }) {
  const { rows, loading, error, more, loadingMore, loadMore, retry } = useTimeline(kind, id);
  const nameOf = usePersonName();
  return (
    <Section title="Timeline" aside="Changes of the last 365 days">
      {error && <Failure small title="The timeline did not load" error={error} retry={retry} />}
      {loading && <Loading rows={4} />}
      {!loading && rows.length === 0 && !error && <p className="muted">Nothing has happened yet.</p>}
      <Timeline
        moments={foldMessages(rows).map(({ entry, count }) => {
          if (entry.payment !== null) return paymentOf({ ...entry, payment: entry.payment });
          return entry.message === null
            ? momentOf(entry, nameOf)
            : exchangeOf({ ...entry, message: entry.message }, count, account_id);
        })}
      />
      {more && (
        <Button variant="default" size="xs" loading={loadingMore} onClick={loadMore}>
          Show more
        </Button>
      )}
    </Section>
  );
}
