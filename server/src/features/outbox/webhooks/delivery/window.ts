import type { Clock } from "../../../../kernel/clock.ts";
import { firstIdAt } from "../../../../kernel/ids.ts";
import type { Database } from "../../../../platform/db/database.ts";
import { EVENT_FEED, sequencePartner } from "../../../../platform/record/sequencer.ts";
import type { Delivery, Lane } from "./lane.ts";
import type { DeliveryOptions } from "./options.ts";
import { dueDeliveries, eventBodies, type IdRange, type OrderedRow, pendingInOrder } from "./queries.ts";

/** Retries end within four days: only what was parked, or is sent again, is older. */
const RECENT_MS = 4 * 86_400_000;
const AHEAD_MS = 86_400_000;
/** So many windows are read to find the first in the order of the feed. */
const READ_AHEAD = 4;

/** Where to look for deliveries: among those of the last days, or everywhere. */
export function idRange(now: Date, depth: "recent" | "all"): IdRange {
  const now_ms = now.getTime();
  if (depth === "all") return { from_id: "", before_id: "dlv_z" };
  return { from_id: firstIdAt("delivery", now_ms - RECENT_MS), before_id: firstIdAt("delivery", now_ms + AHEAD_MS) };
}

/** Fills the queues of a partner's lanes with what the database has for them. */
export async function fillLanes(db: Database, clock: Clock, lanes: readonly Lane[], options: DeliveryOptions): Promise<void> {
  for (const lane of lanes) beginRead(lane, clock);
  try {
    const { none = [], ordered = [] } = Object.groupBy(lanes, ({ endpoint }) =>
      endpoint.ordering === "none" ? "none" : "ordered",
    );
    // Both are waited for, because a read that goes on must not find its lanes being read again.
    const fills = await Promise.allSettled([
      none.length === 0 ? null : fillUnordered(db, clock, none, options),
      ordered.length === 0 ? null : fillOrdered(db, clock, ordered, options),
    ]);
    for (const fill of fills) if (fill.status === "rejected") throw fill.reason;
  } finally {
    for (const lane of lanes) endRead(lane);
  }
}

function beginRead(lane: Lane, clock: Clock): void {
  lane.reading = true;
  lane.stale = false;
  lane.unblock(clock.now().getTime());
}

function endRead(lane: Lane): void {
  lane.reading = false;
  lane.written_meanwhile.clear();
}

/** A full window means that there may be more. */
function put(lane: Lane, live: Delivery[], replays: Delivery[], more: boolean): void {
  const isNew = ({ id, stream }: Delivery) =>
    !lane.in_hand.has(id) && !lane.written_meanwhile.has(id) && (stream === null || !lane.blocked.has(stream));
  lane.live = live.filter(isNew);
  lane.replays = replays.filter(isNew);
  lane.more = more;
  if (more) lane.stale = true;
}

async function fillUnordered(db: Database, clock: Clock, lanes: readonly Lane[], options: DeliveryOptions): Promise<void> {
  const { window, replay_window } = options;
  // Those in hand are pending too, and come first: they are read along and left out.
  const rooms = lanes.map(({ endpoint_id, in_hand }) => ({
    endpoint_id,
    room: window + in_hand.size,
    replay_room: replay_window + in_hand.size,
  }));
  const now = clock.now();
  const recent = idRange(now, "recent");
  const range = lanes.some(({ deep }) => deep) ? idRange(now, "all") : recent;
  const rows = await dueDeliveries(db, lanes[0]?.partner_id ?? "", rooms, now, range);
  const byEndpoint = Map.groupBy(rows, ({ endpoint_id }) => endpoint_id);
  for (const lane of lanes) {
    const deliveries = (byEndpoint.get(lane.endpoint_id) ?? []).map((row): Delivery => ({ ...row, stream: null }));
    const { live = [], replays = [] } = Object.groupBy(deliveries, ({ replay_id }) => (replay_id === null ? "live" : "replays"));
    lane.deep = deliveries.some(({ id }) => id < recent.from_id);
    put(lane, live, replays, live.length >= window || replays.length >= replay_window);
  }
}

/** The order is that of the feed, so that everything committed by now must have its place in it first. */
async function fillOrdered(db: Database, clock: Clock, lanes: readonly Lane[], options: DeliveryOptions): Promise<void> {
  await sequencePartner(db, EVENT_FEED, lanes[0]?.partner_id ?? "");
  for (const lane of lanes) {
    const live = await readInOrder(db, lane, false, options);
    const replays = await readInOrder(db, lane, true, options);
    const now_ms = clock.now().getTime();
    const [first, later] = [live, replays].map(({ rows }) => dueInOrder(lane, rows, now_ms).slice(0, options.window)) as [
      OrderedRow[],
      OrderedRow[],
    ];
    const event_ids = [...first, ...later].map(({ event_id }) => event_id);
    const bodies = event_ids.length === 0 ? new Map() : await eventBodies(db, lane.partner_id, event_ids);
    const whole = (row: OrderedRow): Delivery => ({
      ...row,
      body: bodies.get(row.event_id) ?? null,
      stream: streamOf(lane, row),
    });
    const more = live.more || replays.more || first.length >= options.window || later.length >= options.window;
    put(lane, first.map(whole), later.map(whole), more);
  }
}

/**
 * What is pending, in the order of the feed. It is read by age, which is nearly that order: an event whose transaction took
 * long is older than its place says. So several windows are read, and only the first in the order of the feed may go. The
 * order holds as long as no event has its place before more than three windows of events that are older and still pending.
 */
async function readInOrder(db: Database, lane: Lane, replayed: boolean, { window }: DeliveryOptions) {
  const { partner_id, endpoint_id } = lane;
  const without = lane.endpoint.ordering === "subject" ? subjectsOf(lane, replayed) : [];
  // Those in hand are pending too: they are read along and left out.
  const in_hand = lane.in_hand.size;
  const limit = READ_AHEAD * window + in_hand;
  const rows = await pendingInOrder(db, partner_id, endpoint_id, { replayed, without, limit });
  const placed = rows.filter(({ subject, seq }) => subject === null || seq !== null).sort(byPlace);
  return rows.length < limit ? { rows: placed, more: false } : { rows: placed.slice(0, window + in_hand), more: true };
}

function byPlace(a: OrderedRow, b: OrderedRow): number {
  if (a.replay_id !== b.replay_id) return (a.replay_id ?? "") < (b.replay_id ?? "") ? -1 : 1;
  return (a.seq ?? 0) - (b.seq ?? 0) || (a.id < b.id ? -1 : 1);
}

/** Without those whose stream is held up by an attempt that is yet to come; the first such delivery holds it. */
function dueInOrder(lane: Lane, rows: readonly OrderedRow[], now_ms: number): OrderedRow[] {
  return rows.filter((row) => {
    const stream = streamOf(lane, row);
    if (lane.blocked.has(stream) || lane.in_hand.has(row.id)) return false;
    if (row.next_at.getTime() <= now_ms) return true;
    lane.block(stream, row.next_at.getTime(), now_ms);
    return false;
  });
}

const TEST = "test";

/** Tests and replays have an order of their own, beside that of what happens. */
function streamOf({ endpoint }: Lane, { replay_id, subject }: OrderedRow): string {
  if (subject === null) return TEST;
  const name = endpoint.ordering === "strict" ? "all" : subject;
  return `${replay_id ?? "live"} ${name}`;
}

/** The subjects whose streams are held up: nothing of them can go, so that they take no room. */
function subjectsOf({ blocked }: Lane, replayed: boolean): string[] {
  return [...blocked.keys()]
    .filter((stream) => stream !== TEST && stream.startsWith("live ") !== replayed)
    .map((stream) => stream.slice(stream.indexOf(" ") + 1));
}
