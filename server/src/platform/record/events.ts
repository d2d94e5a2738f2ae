import type { EventDraft } from "../../kernel/events.ts";
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

/** The envelope's bytes are made here, once: they are what is stored, fed, signed and sent. */
export function eventQueries(partner_id: string, drafts: readonly EventDraft[], now: Date): Query[] {
  const created = Math.floor(now.getTime() / 1000);
  const ids = drafts.map(() => newId("event", now.getTime()));
  const bodies = drafts.map(({ type, data }, index) => Buffer.from(JSON.stringify({ id: ids[index], type, created, data })));
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
  return [insertEvents(bodies.map((body, index) => [partner_id, ids[index], body])), insertFeed(places)];
}
