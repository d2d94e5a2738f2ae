import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { OpenProvider, ProviderEvent } from "../providers/index.ts";

type Teller = Pick<OpenProvider, "partner_id" | "id">;

const knownStatement = statement(`
  select 1 as found from provider_events e where e.partner_id = $1 and e.provider_id = $2 and e.event_id = $3`);

/** Whether an event was dealt with before. */
export async function isHandled(db: Queryable, { partner_id, id }: Teller, event_id: string): Promise<boolean> {
  return (await db.query(knownStatement, [partner_id, id, event_id])).length > 0;
}

const noteStatement = statement(`
  insert into provider_events (partner_id, provider_id, event_id, type, handled_at) values ($1, $2, $3, $4, $5)
  on conflict do nothing`);

export async function noteHandled(db: Queryable, { partner_id, id }: Teller, event: ProviderEvent, now: Date): Promise<void> {
  await db.query(noteStatement, [partner_id, id, event.id, event.type, now]);
}

const forgetStatement = statement(`
  -- all partners: daily, by an index of the age.
  delete from provider_events where handled_at < $1`);

/** Forgets events that no provider sends again. */
export async function forgetEvents(db: Queryable, before: Date): Promise<void> {
  await db.query(forgetStatement, [before]);
}
