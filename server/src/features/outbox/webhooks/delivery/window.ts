import type { Clock } from "../../../../kernel/clock.ts";
import { firstIdAt } from "../../../../kernel/ids.ts";
import type { Database } from "../../../../platform/db/database.ts";
import { EVENT_FEED, sequencePartner } from "../../../../platform/record/sequencer.ts";
import type { Lane } from "./lane.ts";
import type { DeliveryOptions } from "./options.ts";
import { dueDeliveries, dueInOrder, type IdRange, type OrderedRoom, type OrderedRow, waitingDeliveries } from "./queries.ts";
import type { Delivery } from "./queue.ts";

/** Retries end within four days: only parked deliveries and replays are older. */
const RECENT_MS = 4 * 86_400_000;
const AHEAD_MS = 86_400_000;
/** The windows of an ordered endpoint, and those beyond, which are read to find the first in feed order. */
const ORDERED_WINDOWS = 2;
const WINDOWS_AHEAD = 3;

/** The range of ids to search: the last days, or everything up to now. Partitions of later months need not be searched. */
export function idRange(now: Date, depth: "recent" | "all"): IdRange {
  const now_ms = now.getTime();
  const from_id = depth === "all" ? "" : firstIdAt("delivery", now_ms - RECENT_MS);
  return { from_id, before_id: firstIdAt("delivery", now_ms + AHEAD_MS) };
}

/** Fills the queues of a partner's lanes from the database. */
export async function fillLanes(db: Database, clock: Clock, lanes: readonly Lane[], options: DeliveryOptions): Promise<void> {
  for (const lane of lanes) lane.queue.beginRead(clock.now().getTime());
  try {
    const { none = [], ordered = [] } = Object.groupBy(lanes, ({ endpoint }) =>
      endpoint.ordering === "none" ? "none" : "ordered",
    );
    // Waits for both: a read under way must not overlap with another of the same lane.
    const fills = await Promise.allSettled([
      none.length === 0 ? null : fillUnordered(db, clock, none, options),
      ordered.length === 0 ? null : fillOrdered(db, clock, ordered, options),
    ]);
    for (const fill of fills) if (fill.status === "rejected") throw fill.reason;
  } finally {
    for (const lane of lanes) lane.queue.endRead();
  }
}

async function fillUnordered(db: Database, clock: Clock, lanes: readonly Lane[], options: DeliveryOptions): Promise<void> {
  const { window, replay_window } = options;
  // Deliveries in hand are pending too, and come first: they are read along and filtered out.
  const rooms = lanes.map(({ endpoint_id, queue }) => ({
    endpoint_id,
    room: window + queue.in_hand,
    replay_room: replay_window + queue.in_hand,
  }));
  const now = clock.now();
  const recent = idRange(now, "recent");
  const range = lanes.some(({ queue }) => queue.deep) ? idRange(now, "all") : recent;
  const rows = await dueDeliveries(db, lanes[0]?.partner_id ?? "", rooms, now, range);
  const byEndpoint = Map.groupBy(rows, ({ endpoint_id }) => endpoint_id);
  for (const lane of lanes) {
    const deliveries = (byEndpoint.get(lane.endpoint_id) ?? []).map((row): Delivery => ({ ...row, stream: null }));
    const { live = [], replays = [] } = Object.groupBy(deliveries, ({ replay_id }) => (replay_id === null ? "live" : "replays"));
    const more = live.length >= window || replays.length >= replay_window;
    const deep = deliveries.some(({ id }) => id < recent.from_id);
    lane.queue.fillUnordered({ live, replays, more }, deep);
  }
}

/** The order is that of the feed, so everything committed is sequenced first. */
async function fillOrdered(db: Database, clock: Clock, lanes: readonly Lane[], options: DeliveryOptions): Promise<void> {
  const partner_id = lanes[0]?.partner_id ?? "";
  await sequencePartner(db, EVENT_FEED, partner_id);
  const now = clock.now();
  const { before_id } = idRange(now, "all");
  const unsure = lanes.filter(({ queue }) => !queue.knowsBlocked(now.getTime()));
  if (unsure.length > 0) await readBlocked(db, unsure, now, before_id, options);
  const read = (replayed: boolean) => {
    const rooms = lanes.map((lane) => roomOf(lane, replayed, options));
    return dueInOrder(db, partner_id, rooms, { replayed, now, before_id });
  };
  const live = await read(false);
  const replayed = await read(true);
  for (const lane of lanes) {
    const [first, later] = [live.get(lane.endpoint_id), replayed.get(lane.endpoint_id)];
    lane.queue.fill({
      live: unblocked(lane, first?.rows ?? []),
      replays: unblocked(lane, later?.rows ?? []),
      more: first?.more === true || later?.more === true,
    });
  }
}

/** A delivery that waits for its next attempt blocks its stream. */
async function readBlocked(
  db: Database,
  lanes: readonly Lane[],
  now: Date,
  before_id: string,
  { retries_max }: DeliveryOptions,
): Promise<void> {
  const ids = lanes.map(({ endpoint_id }) => endpoint_id);
  const rows = await waitingDeliveries(db, lanes[0]?.partner_id ?? "", ids, now, before_id, retries_max);
  const byEndpoint = Map.groupBy(rows, ({ endpoint_id }) => endpoint_id);
  for (const lane of lanes) {
    const waiting = byEndpoint.get(lane.endpoint_id) ?? [];
    // The earliest comes first, and the latest counts.
    const blocked = new Map(waiting.map((row) => [streamOf(lane, row), row.next_at.getTime()]));
    lane.queue.noteBlocked(blocked, waiting.length < retries_max, now.getTime());
  }
}

/**
 * More is read than may be sent: the order holds as long as no event has a position before more than three windows of events that are older
 * and still pending.
 */
function roomOf(lane: Lane, replayed: boolean, { window }: DeliveryOptions): OrderedRoom {
  // Deliveries in hand are pending too: they are read along and filtered out.
  const room = ORDERED_WINDOWS * window + lane.queue.in_hand;
  const without = blockedSubjects(lane, replayed);
  return { endpoint_id: lane.endpoint_id, room, read_max: room + WINDOWS_AHEAD * window, without };
}

/** Leaves out what is in hand, and streams that wait for a retry. */
function unblocked(lane: Lane, rows: readonly OrderedRow[]): Delivery[] {
  const inStreams = rows.map((row): Delivery & { stream: string } => ({ ...row, stream: streamOf(lane, row) }));
  return inStreams.filter((delivery) => !lane.queue.isBlocked(delivery) && !lane.queue.isInHand(delivery.id));
}

/** Tests, which have no subject, and replays have an order of their own. */
function streamOf({ endpoint }: Lane, { replay_id, subject }: Pick<OrderedRow, "replay_id" | "subject">): string {
  const name = subject === null ? "" : endpoint.ordering === "strict" ? "all" : subject;
  return `${replay_id ?? "live"} ${name}`;
}

/** The subjects of blocked streams, which need not be read. */
function blockedSubjects({ queue }: Lane, replayed: boolean): string[] {
  return queue
    .blockedStreams()
    .filter((stream) => stream.startsWith("live ") !== replayed)
    .map((stream) => stream.slice(stream.indexOf(" ") + 1));
}
