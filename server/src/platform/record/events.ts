import type { EventDraft } from "../../kernel/events.ts";
import { newId } from "../../kernel/ids.ts";
import { type Query, statement } from "../db/statement.ts";

const insertEvents = statement(`
  insert into events (partner_id, id, body)
  select $1, e.id, e.body
  from unnest($2::text[], $3::bytea[]) as e (id, body)`);

/** No seq yet: the sequencer gives it after the commit. */
const insertFeed = statement(`
  insert into event_feed (partner_id, event_id, type, client_id, subject, subject_version, transaction_id, ordinal)
  select $1, e.event_id, e.type, e.client_id, e.subject, e.subject_version, $7, e.ordinal - 1
  from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::int[])
    with ordinality as e (event_id, type, client_id, subject, subject_version, ordinal)`);

/** The envelope's bytes are made here, once: they are what is stored, fed, signed and sent. */
export function eventQueries(partner_id: string, drafts: EventDraft[], now: Date): Query[] {
  const created = Math.floor(now.getTime() / 1000);
  const ids = drafts.map(() => newId("event", now.getTime()));
  const bodies = drafts.map(({ type, data }, index) => Buffer.from(JSON.stringify({ id: ids[index], type, created, data })));
  return [
    { statement: insertEvents, values: [partner_id, ids, bodies] },
    {
      statement: insertFeed,
      values: [
        partner_id,
        ids,
        drafts.map(({ type }) => type),
        drafts.map(({ client_id }) => client_id),
        drafts.map(({ subject }) => subject),
        drafts.map(({ subject_version }) => subject_version),
        ids[0],
      ],
    },
  ];
}
