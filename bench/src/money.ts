import { newId } from "@tributary/server/src/kernel/ids.ts";
import type pg from "pg";
import { type Counts, perRequest } from "./counts.ts";
import { cycle, requestBytes } from "./requests.ts";
import { median, type Plan, type Result, ratioOf, settle } from "./rounds.ts";
import type { Row } from "./rows.ts";
import { createKeys, raiseLimits, seedClients } from "./seed.ts";
import type { Stage } from "./stage.ts";

const CHARGES = { quick: 10_000, whole: 100_000 };
const ROUNDS = 4;
const CALL = 500;
const CLIENTS = 1_000;
const AMOUNT = 7_493;

/** What a charge leaves behind, in the order of the inserts. */
const TABLES = ["charges", "commissions", "ledger_transfers", "events", "event_feed", "change_feed", "audit_entries"] as const;

/**
 * Charges a second with one level above the seller, reported 500 at a time, against bare inserts of the very same rows in as many
 * transactions: the charge, two commissions, two transfers, two events and two changes with their places in the feeds, and an audit entry.
 */
export async function measureCharges(stage: Stage, plan: Plan & { quick: boolean }): Promise<Result> {
  const { owner, secrets } = stage;
  const { rows } = await owner.query("select id from partners where parent_id = $1", [secrets.partner_id]);
  const seller: string = rows[0].id;
  const client_ids = await seedClients(owner, seller, CLIENTS);
  await seedEarnings(owner, seller, secrets.partner_id, client_ids);
  for (const table of TABLES) await owner.query(`create table bench_${table} (like ${table} including all)`);
  await owner.query("vacuum analyze");
  const count = (plan.quick ? CHARGES.quick : CHARGES.whole) / ROUNDS;
  const rounds: { ours: number; floor: number }[] = [];
  const counts: Record<"ours" | "floor", Counts[]> = { ours: [], floor: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const since = await newest(owner);
    const endOurs = await stage.counter.begin({ pid: stage.service_pid, port: stage.port, tells: true });
    const ours = await reportRate(stage, client_ids, round, count);
    await settle(owner);
    counts.ours.push(await endOurs());
    const steps = await rowsSince(owner, since, count / CALL);
    const endFloor = await stage.counter.begin({ pid: process.pid, port: stage.port, tells: false });
    rounds.push({ ours, floor: await insertRate(owner, steps) });
    counts.floor.push(await endFloor());
  }
  const charges = count * ROUNDS;
  return {
    name: "accrue charges",
    ours: Math.round(median(rounds.map(({ ours }) => ours))),
    floor: Math.round(median(rounds.map(({ floor }) => floor))),
    ...ratioOf(rounds),
    goal: 0.5,
    unit: "rows/s",
    cost: { ours: perRequest(counts.ours, charges), floor: perRequest(counts.floor, charges) },
  };
}

/** A sale that was won and paid for once, for each client. */
async function seedEarnings(owner: pg.Pool, seller: string, parent: string, client_ids: readonly string[]): Promise<void> {
  const terms = {
    rule: { id: "rul_00000000000000000000000001", version: 1, name: "Registered" },
    plan: "Growth",
    first: { bps: 1500 },
    recurring: { bps: 1500 },
    months: null,
    applies_to: "new_deals",
    hold_days: 30,
    cap_bps: 5000,
    upline: [{ level: 1, partner_id: parent, via: seller, bps: 300, open: true }],
    continues: false,
  };
  await owner.query("insert into books (partner_id) values ($1), ($2) on conflict do nothing", [seller, parent]);
  await owner.query(
    `insert into earnings (partner_id, deal_id, round, client_id, currency, mrr_cents, grade, terms, opened_at, first_charge_id)
     select $1, v.deal_id, 1, v.client_id, 'usd', 49950, 'registered', $4, now(), 'chr_first'
     from unnest($2::text[], $3::text[]) as v (deal_id, client_id)`,
    [seller, client_ids.map(() => newId("deal", Date.now())), client_ids, JSON.stringify(terms)],
  );
}

async function reportRate({ secrets }: Stage, client_ids: readonly string[], round: number, count: number): Promise<number> {
  const headers = { authorization: `Bearer ${secrets.operator_key}`, "content-type": "application/json" };
  const nextClient = cycle(client_ids);
  const started_ms = performance.now();
  for (let start = 0; start < count; start += CALL) {
    const charges = Array.from({ length: CALL }, (_, index) => ({
      client_id: nextClient(),
      external_id: `bench-${round}-${start + index}`,
      amount_cents: 49_950,
      currency: "usd",
      charged_at: new Date().toISOString(),
    }));
    const body = JSON.stringify({ charges });
    const reply = await fetch(`${secrets.base_url}/v1/admin/charges/bulk`, { method: "POST", headers, body });
    const { created } = (await reply.json()) as { created?: number };
    if (created !== CALL) throw new Error(`${reply.status}: ${created} of ${CALL} charges were recorded`);
  }
  return (count * 1_000) / (performance.now() - started_ms);
}

/** Where the tables end: the last id of each, and of a ledger its last number. */
async function newest(owner: pg.Pool): Promise<Map<string, string>> {
  const ends = new Map<string, string>();
  for (const table of TABLES) {
    const { rows } = await owner.query(`select coalesce(max(${keyOf(table)})::text, '') as last from ${table}`);
    ends.set(table, rows[0].last);
  }
  return ends;
}

const KEYS = { ledger_transfers: "transaction_id", event_feed: "event_id", change_feed: "change_id" };
const keyOf = (table: (typeof TABLES)[number]) => (table in KEYS ? KEYS[table as keyof typeof KEYS] : "id");

/** The rows of one call: those of each table as JSON. */
type Step = [table: string, rows: string][];

async function rowsSince(owner: pg.Pool, since: ReadonlyMap<string, string>, calls: number): Promise<Step[]> {
  const steps = Array.from({ length: calls }, (): Step => []);
  for (const table of TABLES) {
    const key = keyOf(table);
    const { rows } = await owner.query(
      `select row_to_json(t)::text as row from ${table} t where t.${key} > $1 order by t.${key}`,
      [since.get(table)],
    );
    const each = Math.ceil(rows.length / calls);
    for (const [at, step] of steps.entries()) {
      const some = rows.slice(at * each, (at + 1) * each).map(({ row }) => row);
      step.push([table, `[${some.join(",")}]`]);
    }
  }
  return steps;
}

async function insertRate(owner: pg.Pool, steps: readonly Step[]): Promise<number> {
  const client = await owner.connect();
  try {
    const started_ms = performance.now();
    for (const step of steps) {
      await client.query("begin");
      for (const [table, rows] of step) {
        const text = `insert into bench_${table} select * from json_populate_recordset(null::bench_${table}, $1)`;
        await client.query({ name: `insert ${table}`, text, values: [rows] });
      }
      await client.query("commit");
    }
    return (steps.length * CALL * 1_000) / (performance.now() - started_ms);
  } finally {
    client.release();
  }
}

const CHUNK = 50_000;
const YEAR_MS = 365 * 86_400_000;

export type Earned = { keys: string[] };

/** Commissions that are not paid yet. */
const UNPAID = 500;

/** One partner with so many commissions, each with its transfer; all but the newest are paid. */
export async function seedCommissions({ owner, secrets }: Stage, count: number): Promise<Earned> {
  const { partner_id, base_url, api_key } = secrets;
  await raiseLimits(owner, partner_id);
  const keys = await createKeys(base_url, api_key, 8);
  const client_ids = await seedClients(owner, partner_id, CLIENTS);
  // As many are unpaid as of the other partner, whatever was measured before.
  await owner.query("update commissions set status = 'paid' where partner_id = $1 and status in ('pending', 'approved')", [
    partner_id,
  ]);
  const now_ms = Date.now();
  for (let start = 0; start < count; start += CHUNK) {
    const numbers = Array.from({ length: Math.min(CHUNK, count - start) }, (_, index) => start + index);
    const instants = numbers.map((number) => now_ms - Math.floor(((count - number) / count) * YEAR_MS));
    const ids = instants.map((instant_ms) => newId("commission", instant_ms));
    const clients = numbers.map((number) => client_ids[number % CLIENTS]);
    await owner.query(
      `insert into commissions (partner_id, id, cause, kind, level, client_id, base_cents, rate_bps, amount_cents, currency, grade,
         calculation, accrued_at, status, hold_until)
       select $1, v.id, 'bench:' || v.id, 'recurring', 0, v.client_id, 49950, 1500, $5, 'usd', 'silver',
         '[{"step": "rate", "input": {"base_cents": 49950, "bps": 1500}, "rule": "Silver, version 1", "result": 7493}]', v.at, case when v.n <= $6 then 'paid' else 'pending' end, now() + interval '30 days'
       from unnest($2::text[], $3::text[], $4::timestamptz[]) with ordinality as v (id, client_id, at, n)`,
      [partner_id, ids, clients, instants.map((instant_ms) => new Date(instant_ms)), AMOUNT, count - UNPAID - start],
    );
    await owner.query(
      `insert into ledger_transfers (partner_id, seq, transaction_id, at, debit, credit, currency, amount_cents, debit_after, credit_after,
         fact, commission_id, actor_id)
       select $1, h.seq + v.n, 'ltx_' || substr(v.id, 5), h.at, 'expense', 'pending', 'usd', $3, -($3 * ($4 + v.n)), $3 * ($4 + v.n), 'accrued', v.id, 'bench'
       from unnest($2::text[]) with ordinality as v (id, n),
         (select max(seq) as seq, greatest(max(at), now()) as at from ledger_transfers where partner_id = $1) h`,
      [partner_id, ids, AMOUNT, start],
    );
  }
  await owner.query("vacuum analyze");
  return { keys };
}

/** At a thousand times the rows a request may cost 1.15 times as much. */
const GOAL = 1 / 1.15;

const READS: Record<string, string> = {
  "upcoming payouts": "/payouts/upcoming",
  "list 50 commissions": "/deals/commissions?limit=50",
  "with summary": "/deals/commissions?limit=50&summary=true",
  balances: "/ledger/accounts",
};

/** The same requests of a partner with many commissions and, as their floor, of one with few. */
export function earnedRows(large: Earned, small: Earned): Row[] {
  const requests = ({ keys }: Earned, path: string) => cycle(keys.map((key) => requestBytes(key, "GET", `/v1/partners${path}`)));
  return Object.entries(READS).map(([name, path]) => ({
    name: `grown: ${name}`,
    goal: GOAL,
    nextRequest: requests(large, path),
    floorRequest: requests(small, path),
  }));
}
