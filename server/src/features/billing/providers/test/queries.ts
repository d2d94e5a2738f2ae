import { type Queryable, statement } from "../../../../platform/db/statement.ts";

export type TestSession = {
  state: "open" | "confirming" | "processing" | "succeeded" | "failed" | "expired";
  card_last4: string | null;
  dispute: "open" | "won" | "lost" | null;
};

type Named = { partner_id: string; id: string };

const openStatement = statement(`
  insert into test_sessions (partner_id, id, created_at) values ($1, $2, $3) on conflict do nothing`);

/** Opens a session, once. */
export async function openSession(db: Queryable, { partner_id, id }: Named, now: Date): Promise<void> {
  await db.query(openStatement, [partner_id, id, now]);
}

const sessionStatement = statement(`
  select case when s.then_at <= $3 then s.then_state else s.state end as state, s.card_last4, s.dispute
  from test_sessions s where s.partner_id = $1 and s.id = $2`);

/** A session, with what time has made of it. */
export async function sessionOrNull(db: Queryable, { partner_id, id }: Named, now: Date): Promise<TestSession | null> {
  return (await db.query<TestSession>(sessionStatement, [partner_id, id, now]))[0] ?? null;
}

const moveStatement = statement(`
  update test_sessions set state = $4, then_state = $5, then_at = $6, card_last4 = coalesce($7, card_last4)
  where partner_id = $1 and id = $2 and state = any ($3)`);

export type Move = Named & { from: readonly string[]; to: string; later?: { state: string; at: Date }; last4?: string };

/** Moves a session that is in one of some states; the others stay as they are. */
export async function moveSession(db: Queryable, { partner_id, id, from, to, later, last4 }: Move): Promise<void> {
  await db.query(moveStatement, [partner_id, id, from, to, later?.state ?? null, later?.at ?? null, last4 ?? null]);
}

const disputeStatement = statement(`
  update test_sessions set dispute = $4
  where partner_id = $1 and id = $2 and state = 'succeeded' and dispute is not distinct from $3`);

/** Moves the dispute of a session that was paid. */
export async function disputeSession(
  db: Queryable,
  { partner_id, id, from, to }: Named & { from: TestSession["dispute"]; to: TestSession["dispute"] },
): Promise<void> {
  await db.query(disputeStatement, [partner_id, id, from, to]);
}
