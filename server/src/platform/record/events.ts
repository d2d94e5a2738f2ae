import type { EventDraft, EventType } from "../../kernel/events.ts";
import { newId } from "../../kernel/ids.ts";
import { insertRows } from "../db/insert-rows.ts";
import type { Query } from "../db/statement.ts";

const insertEvents = insertRows("events", [
  ["id", "text"],
  ["body", "bytea"],
]);

/** Without seq: the sequencer sets it after the commit. */
const insertFeed = insertRows("event_feed", [
  ["event_id", "text"],
  ["type", "text"],
  ["client_id", "text"],
  ["subject", "text"],
  ["subject_version", "int"],
  ["transaction_id", "text"],
  ["ordinal", "int"],
]);

/** What the fan-out needs of an event. */
export type NewEvent = { id: string; type: EventType; client_id: string | null };

/** The inserts for the events of a transaction, and the events themselves. */
export function eventQueries(partner_id: string, drafts: readonly EventDraft[], now: Date): [Query[], NewEvent[]] {
  const events = drafts.map(({ type, client_id }) => ({ id: newId("event", now.getTime()), type, client_id }));
  const ids = events.map(({ id }) => id);
  const entries = drafts.map(({ type, client_id, subject, subject_version }, index) => [
    ids[index],
    type,
    client_id,
    subject,
    subject_version,
    ids[0],
    index,
  ]);
  const rows = drafts.map(({ type, data }, index) => [ids[index], envelope(ids[index] ?? "", type, data, now)]);
  return [[insertEvents(partner_id, rows), insertFeed(partner_id, entries)], events];
}

/** An event that is in no feed, such as one that tests an endpoint. */
export function unlistedEventQuery(partner_id: string, event: { id: string; type: EventType; data: object }, now: Date): Query {
  return insertEvents(partner_id, [[event.id, envelope(event.id, event.type, event.data, now)]]);
}

/** The envelope is serialised once: the same bytes are stored, listed, signed and sent. */
function envelope(id: string, type: EventType, data: object, now: Date): Buffer {
  return Buffer.from(JSON.stringify({ id, type, created: Math.floor(now.getTime() / 1000), data }));
}
