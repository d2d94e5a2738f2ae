import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "@tributary/server/src/kernel/ids.ts";
import type { Book } from "./contacts.ts";
import { type Person, personOf } from "./people.ts";
import { median, type Plan, type Result, ratioOf } from "./rounds.ts";
import type { Stage } from "./stage.ts";

const ROWS = { quick: 20_000, whole: 100_000 };
const STEP = 1_000;
const WITHIN_MS = 600_000;

/** The number of the first person who is imported. */
const IMPORTED = 4_000_000;

/** Rows a second of an import, from its acceptance to its end, against bare inserts of the same contacts, a thousand at a time. */
export async function measureImport(stage: Stage, { account_id }: Book, plan: Plan & { quick: boolean }): Promise<Result> {
  const count = plan.quick ? ROWS.quick : ROWS.whole;
  const rounds: { ours: number; floor: number }[] = [];
  for (let round = 0; round < (plan.quick ? 2 : 3); round += 1) {
    const people = Array.from({ length: count }, (_, index) => personOf(IMPORTED + round * count + index));
    rounds.push({ ours: await importRate(stage, people), floor: await insertRate(stage, account_id, people) });
  }
  return {
    name: "import contacts",
    ours: Math.round(median(rounds.map(({ ours }) => ours))),
    floor: Math.round(median(rounds.map(({ floor }) => floor))),
    ...ratioOf(rounds),
    goal: 0.33,
    unit: "rows/s",
  };
}

async function importRate({ secrets }: Stage, people: readonly Person[]): Promise<number> {
  const authorization = `Bearer ${secrets.api_key}`;
  const lines = people.map(({ name, phone, email, company }) => `${name},${phone},${email},${company}\n`);
  const body = `name,phone,email,company\n${lines.join("")}`;
  const headers = { authorization, "content-type": "text/csv" };
  const sent = await fetch(`${secrets.base_url}/v1/imports`, { method: "POST", headers, body });
  if (sent.status !== 202) throw new Error(`the import was not accepted: ${await sent.text()}`);
  const started_ms = performance.now();
  const { id } = (await sent.json()) as { id: string };
  while (performance.now() - started_ms < WITHIN_MS) {
    const reply = await fetch(`${secrets.base_url}/v1/imports/${id}`, { headers: { authorization } });
    const { status, created } = (await reply.json()) as { status: string; created: number };
    if (status === "completed" && created === people.length) return (people.length * 1_000) / (performance.now() - started_ms);
    if (status !== "queued" && status !== "running") throw new Error(`the import is ${status} with ${created} created`);
    await sleep(50);
  }
  throw new Error("the import did not end");
}

async function insertRate({ owner, secrets }: Stage, account_id: string, people: readonly Person[]): Promise<number> {
  const started_ms = performance.now();
  for (let start = 0; start < people.length; start += STEP) {
    const step = people.slice(start, start + STEP).map((person) => ({ ...person, id: newId("contact", Date.now()) }));
    await owner.query({
      name: "insert",
      text: `insert into bench_contacts (partner_id, account_id, id, name, phone, email, company, created_at, updated_at)
        select $1, $2, v.*, now(), now() from json_to_recordset($3::json) as v (id text, name text, phone text, email text, company text)`,
      values: [secrets.partner_id, account_id, JSON.stringify(step)],
    });
  }
  return (people.length * 1_000) / (performance.now() - started_ms);
}
