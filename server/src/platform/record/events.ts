import type { EventDraft, EventType } from "../../kernel/events.ts";
import { newId } from "../../kernel/ids.ts";
import { insertRows } from "../db/insert-rows.ts";
import type { Query } from "../db/statement.ts";

const insertEvents = insertRows("events", [
  ["partner_id", "text"],
  ["id", "text"],
  ["body", "bytea"],
]);

/** No seq yet: the sequencer gives it after the commit. */
const insertFeed = insertRows("event_feed", [
  ["partner_id", "text"],
  ["event_id", "text"],
  ["type", "text"],
  ["client_id", "text"],
  ["subject", "text"],
  ["subject_version", "int"],
  ["transaction_id", "text"],
  ["ordinal", "int"],
]);

/** An event as those see it who pass it on. */
export type NewEvent = { id: string; type: EventType; client_id: string | null };

/** The rows of what happened in a transaction, and the events that they are. */
export function eventQueries(partner_id: string, drafts: readonly EventDraft[], now: Date): [Query[], NewEvent[]] {
  const events = drafts.map(({ type, client_id }) => ({ id: newId("event", now.getTime()), type, client_id }));
  const ids = events.map(({ id }) => id);
  const places = drafts.map(({ type, client_id, subject, subject_version }, index) => [
    partner_id,
    ids[index],
    type,
    client_id,
    subject,
    subject_version,
    ids[0],
    index,
  ]);
  const rows = drafts.map(({ type, data }, index) => [partner_id, ids[index], envelope(ids[index] ?? "", type, data, now)]);
  return [[insertEvents(rows), insertFeed(places)], events];
}

/** An event that is in no feed, such as one that is only sent to try an endpoint. */
export function loneEventQuery(partner_id: string, event: { id: string; type: EventType; data: object }, now: Date): Query {
  return insertEvents([[partner_id, event.id, envelope(event.id, event.type, event.data, now)]]);
}

/** The envelope's bytes are made here, once: they are what is stored, fed, signed and sent. */
function envelope(id: string, type: EventType, data: object, now: Date): Buffer {
  return Buffer.from(JSON.stringify({ id, type, created: Math.floor(now.getTime() / 1000), data }));
}
