import { setTimeout as sleep } from "node:timers/promises";
import { ALL_EVENT_TYPES, type EventType } from "../kernel/events.ts";
import { isUnreachable } from "../platform/db/connection.ts";
import { actFor, findClient, findPartner, PARTNER_OPTION } from "./acting.ts";
import { type Call, command } from "./shell/command.ts";
import { cell } from "./shell/table.ts";

const PAGE = 100;
const POLL_EVERY_MS = 500;
const RETRY_AFTER_MS = 250;

type Event = { id: string; type: EventType; created: number; data: Record<string, unknown> };
type FeedRange = { data: Event[]; has_more: boolean; next_cursor: string };

export const tailEvents = command({
  name: "events tail",
  summary: "Follow the event feed of a partner",
  description:
    "Prints one line per event, oldest first, in the order of the feed. Continues without a gap after a restart of the database. Ctrl-C ends it.",
  options: {
    ...PARTNER_OPTION,
    type: { type: "list", value: "TYPE,…", choices: ALL_EVENT_TYPES, description: "Only events of these types." },
    client: { type: "text", value: "CLIENT", description: "Only events of this client, by id or external id." },
    "from-start": { type: "flag", description: "Start with the oldest retained event instead of the next new one." },
    once: { type: "flag", description: "Print all retained events, then exit." },
  },
  examples: [
    { title: "Print all events so far", run: "tributary events tail --partner northwind --once" },
    {
      title: "Follow suspensions from the start, as JSON lines",
      run: "tributary events tail --partner northwind --type client.suspended --from-start --json",
      until: '"type":"client.suspended"',
    },
  ],
  async run(call) {
    const { partner, type, client, once } = call.options;
    const { feedEnd, readFeed } = await import("../features/outbox/events/index.ts");
    const services = await call.services();
    const ctx = actFor(services, await findPartner(services, partner));
    const filter = {
      ...(type === undefined ? {} : { type: type as EventType[] }),
      ...(client === undefined ? {} : { client_id: await findClient(ctx, client) }),
    };
    let after = once || call.options["from-start"] ? undefined : await feedEnd(ctx, filter);
    if (!once) call.out.note("Following; Ctrl-C ends it.");
    while (!call.signal.aborted) {
      const query = { ...filter, limit: PAGE, ...(after === undefined ? {} : { after }) };
      const page = await retryUnreachable(call, async () => JSON.parse((await readFeed(ctx, query)).json) as FeedRange);
      if (page === null) return;
      for (const event of page.data) call.out.item(event, () => eventLine(event));
      await call.out.drained();
      after = page.next_cursor;
      if (once && !page.has_more) return;
      if (!page.has_more) await sleep(POLL_EVERY_MS, undefined, { signal: call.signal }).catch(() => undefined);
    }
  },
});

/** Retries until the database is available; null once aborted. The cursor stays, so no event is lost or repeated. */
async function retryUnreachable<T>({ signal, out }: Pick<Call, "signal" | "out">, read: () => Promise<T>): Promise<T | null> {
  for (let noted = false; !signal.aborted; noted = true) {
    try {
      return await read();
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      if (!noted) out.note("The database is not reachable; retrying.");
      await sleep(RETRY_AFTER_MS, undefined, { signal }).catch(() => undefined);
    }
  }
  return null;
}

/** The members that name what an event is about, the most specific first. */
const SUBJECTS = ["commission_id", "payout_id", "purchase_id", "deployment_id", "deal_id", "client_id", "partner_id"];

/** When, what, to whom, and what changed: `deal_… Harbour Dental (client cli_…) New → Qualified by key_…`. */
function eventLine({ id, type, created, data }: Event): string {
  const text = (name: string) => (typeof data[name] === "string" ? cell(data[name]) : null);
  const time = `${new Date(created * 1000).toISOString().slice(0, 19)}Z`;
  const subject = SUBJECTS.map(text).find((found) => found !== null) ?? null;
  const client = text("client_id");
  const move = text("to_stage") === null ? null : [text("from_stage"), text("to_stage")].filter(Boolean).join(" → ");
  const grade = text("grade") === null ? null : [text("previous_grade"), text("grade")].filter(Boolean).join(" → ");
  const by = text("changed_by") ?? text("suspended_by");
  const about = [
    subject,
    text("company"),
    client === null || client === subject ? null : `(client ${client})`,
    move ?? grade,
    text("reason"),
    by === null ? null : `by ${by}`,
  ];
  return [time, id, type.padEnd(18), about.filter((part) => part !== null).join(" ")].join("  ");
}
