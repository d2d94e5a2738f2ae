import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "@tributary/server/src/kernel/ids.ts";
import type pg from "pg";
import { type Counts, perRequest } from "./counts.ts";
import { median, type Plan, type Result, ratioOf, settle } from "./rounds.ts";
import type { Stage } from "./stage.ts";

const PARTNERS = { quick: 1_000, whole: 10_000 };
const ROUNDS = 4;
const AMOUNT = 20_000;
const POLL_EVERY_MS = 10;
/** As many partners at once as a run has. */
const AT_ONCE = 8;

/** What a payout leaves behind, in the order of the inserts; the condition tells it from what was seeded. */
const INSERTED = {
  payouts: "true",
  payout_attempts: "true",
  payout_items: "true",
  ledger_transfers: "t.fact = 'scheduled'",
  events: "true",
  event_feed: "true",
  change_feed: "true",
  audit_entries: "true",
};
const UPDATED = ["commissions", "books"];

/**
 * Partners a second of a payout run, from its start to its end, against bare inserts and updates of the very same rows, a transaction for
 * each partner and as many at once.
 */
export async function measurePayouts(stage: Stage, plan: Plan & { quick: boolean }): Promise<Result> {
  const { owner } = stage;
  const count = (plan.quick ? PARTNERS.quick : PARTNERS.whole) / ROUNDS;
  for (const table of [...Object.keys(INSERTED), ...UPDATED])
    await owner.query(`create table if not exists bench_${table} (like ${table} including all)`);
  const rounds: { ours: number; floor: number }[] = [];
  const counts: Record<"ours" | "floor", Counts[]> = { ours: [], floor: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const partner_ids = await seedPayees(stage, round, count);
    await owner.query("vacuum analyze");
    const endOurs = await stage.counter.begin({ pid: stage.service_pid, port: stage.port, tells: true });
    const ours = await runRate(stage, count);
    await settle(owner);
    counts.ours.push(await endOurs());
    const payees = await rowsOf(owner, partner_ids);
    const endFloor = await stage.counter.begin({ pid: process.pid, port: stage.port, tells: false });
    rounds.push({ ours, floor: await writeRate(owner, payees) });
    counts.floor.push(await endFloor());
  }
  return {
    name: "payout run",
    ours: Math.round(median(rounds.map(({ ours }) => ours))),
    floor: Math.round(median(rounds.map(({ floor }) => floor))),
    ...ratioOf(rounds),
    goal: 0.5,
    unit: "rows/s",
    cost: { ours: perRequest(counts.ours, count * ROUNDS), floor: perRequest(counts.floor, count * ROUNDS) },
  };
}

/** Partners with a payout method and one approved commission each. */
async function seedPayees({ owner, secrets }: Stage, round: number, count: number): Promise<string[]> {
  const now_ms = Date.now();
  const ids = (kind: "partner" | "commission" | "payout_method") => Array.from({ length: count }, () => newId(kind, now_ms));
  const [partners, commissions, methods] = [ids("partner"), ids("commission"), ids("payout_method")];
  const payees = "from unnest($1::text[]) with ordinality as v (id, n)";
  await owner.query(
    `insert into partners select (jsonb_populate_record(p, jsonb_build_object('id', v.id, 'company', 'Payee ' || $3::int || '-' || v.n))).*
     ${payees}, partners p where p.id = $2`,
    [partners, secrets.partner_id, round],
  );
  await owner.query(`insert into books (partner_id) select v.id ${payees}`, [partners]);
  await owner.query(
    `insert into payout_methods (partner_id, id, kind, currencies, holder, details, hint, created_by, created_at)
     select v.id, ($2::text[])[v.n], 'manual', '{usd}', 'Ada Okafor', '\\x00', 'Cheque', 'bench', now() ${payees}`,
    [partners, methods],
  );
  await owner.query(
    `insert into commissions (partner_id, id, cause, kind, level, base_cents, rate_bps, amount_cents, currency, grade, calculation,
       accrued_at, status, hold_until)
     select v.id, ($2::text[])[v.n], 'adjust:bench', 'adjustment', 0, $3, 0, $3, 'usd', 'silver', '[]', now(), 'approved', now() ${payees}`,
    [partners, commissions, AMOUNT],
  );
  await owner.query(
    `insert into ledger_transfers (partner_id, seq, transaction_id, at, debit, credit, currency, amount_cents, debit_after, credit_after,
       fact, commission_id, actor_id)
     select v.id, 1, 'ltx_' || substr(($2::text[])[v.n], 5), now(), 'expense', 'approved', 'usd', $3::bigint, -$3::bigint, $3::bigint, 'adjusted', ($2::text[])[v.n], 'bench'
     ${payees}`,
    [partners, commissions, AMOUNT],
  );
  for (const table of UPDATED)
    await owner.query(`insert into bench_${table} select t.* from ${table} t where t.partner_id = any ($1)`, [partners]);
  return partners;
}

async function runRate({ secrets }: Stage, count: number): Promise<number> {
  const headers = { authorization: `Bearer ${secrets.operator_key}` };
  const call = async (method: string, path: string): Promise<{ id: string; state: string; partners_done: number }> => {
    const reply = await fetch(`${secrets.base_url}/v1/admin${path}`, { method, headers });
    // A long run is asked about more often than the operator's limit allows.
    if (reply.status === 429) return sleep(1_000).then(() => call(method, path));
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as { id: string; state: string; partners_done: number };
  };
  const started_ms = performance.now();
  const { id } = await call("POST", "/payout-runs");
  let run = await call("GET", `/payout-runs/${id}`);
  while (run.state === "running") {
    await sleep(POLL_EVERY_MS);
    run = await call("GET", `/payout-runs/${id}`);
  }
  if (run.partners_done < count) throw new Error(`the run ${id} has done ${run.partners_done} of ${count} partners`);
  return (run.partners_done * 1_000) / (performance.now() - started_ms);
}

/** The rows of one partner: those of each table as JSON. */
type Payee = { partner_id: string; rows: [table: string, rows: string][] };

async function rowsOf(owner: pg.Pool, partner_ids: readonly string[]): Promise<Payee[]> {
  const payees = new Map(partner_ids.map((partner_id): [string, Payee] => [partner_id, { partner_id, rows: [] }]));
  for (const [table, condition] of Object.entries(INSERTED)) {
    const { rows } = await owner.query(
      `select t.partner_id, json_agg(row_to_json(t))::text as rows from ${table} t where t.partner_id = any ($1) and ${condition} group by 1`,
      [partner_ids],
    );
    for (const row of rows) payees.get(row.partner_id)?.rows.push([table, row.rows]);
  }
  return [...payees.values()];
}

async function writeRate(owner: pg.Pool, payees: readonly Payee[]): Promise<number> {
  const queue = payees.values();
  const started_ms = performance.now();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const client = await owner.connect();
      try {
        for (const payee of queue) await writePayee(client, payee);
      } finally {
        client.release();
      }
    }),
  );
  return (payees.length * 1_000) / (performance.now() - started_ms);
}

async function writePayee(client: pg.PoolClient, { partner_id, rows }: Payee): Promise<void> {
  const change = (name: string, text: string) => client.query({ name, text, values: [partner_id] });
  await client.query("begin");
  await change(
    "claim",
    "update bench_commissions set status = 'scheduled', payout_id = 'pay', version = version + 1 where partner_id = $1",
  );
  await change("number", "update bench_books set statement_seq = statement_seq + 1 where partner_id = $1");
  for (const [table, values] of rows) {
    const text = `insert into bench_${table} select * from json_populate_recordset(null::bench_${table}, $1)`;
    await client.query({ name: `insert ${table}`, text, values: [values] });
  }
  await client.query("commit");
}
