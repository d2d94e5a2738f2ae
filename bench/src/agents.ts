import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "@tributary/server/src/kernel/ids.ts";
import { cycle, requestBytes } from "./requests.ts";
import type { Row } from "./rows.ts";
import { createKeys, raiseLimits } from "./seed.ts";
import type { Stage } from "./stage.ts";
import type { Bounded } from "./start.ts";

const GOAL_GROWN = 1 / 1.15;
const CHUNK = 10_000;
/** How many passages a source has. */
const PASSAGES = 100;
const POLL_EVERY_MS = 20;
const TURNS = { quick: 400, whole: 4_000 };
const RUNS = { quick: 6, whole: 40 };
/** As many sandbox runs as a process runs at once. */
const RUNS_AT_ONCE = 2;

export type Team = { keys: string[]; account_id: string; agent_id: string; channel_id: string; passages: number };

const PLAYBOOK = {
  start: "hello",
  slots: { email: { type: "email", ask: "Where can we write to you?" } },
  states: {
    hello: { say: "Hi, I am {{agent.name}}.", do: [{ tool: "add_tag", args: { tag: "chat" } }], collect: ["email"], go: "@end" },
  },
};

/** An agent with so many sessions that are over, on a paused channel, and an account with so many passages of knowledge. */
export async function seedAgents(stage: Stage, sessions: number, passages: number): Promise<Team> {
  const { owner, secrets } = stage;
  const { partner_id } = secrets;
  await raiseLimits(owner, partner_id);
  const keys = await createKeys(secrets.base_url, secrets.api_key, 8);
  const { rows } = await owner.query<{ id: string }>("select id from clients where partner_id = $1 and house", [partner_id]);
  const account_id = rows[0]?.id ?? "";
  const channel = { kind: "api", name: "Bench agent", config: { url: "https://provider.example/messages" } };
  const secret = "whsec_bm90IGEgc2VjcmV0LCBqdXN0IGFuIGV4YW1wbGU=";
  const { id: channel_id } = await post(stage, "/channels", { account_id, ...channel, secrets: { secret }, status: "paused" });
  const content = { engine: "playbook", playbook: PLAYBOOK };
  const { id: agent_id } = await post(stage, "/agents", { account_id, name: "Bench", content });
  await post(stage, `/agents/${agent_id}/publish`, { version: 1 });
  await post(stage, `/agents/${agent_id}/channels`, { channel_ids: [channel_id] }, "PUT");
  const team = { keys, account_id, agent_id, channel_id, passages };
  await insertSessions(stage, team, sessions);
  await insertPassages(stage, account_id, passages);
  await owner.query("vacuum analyze");
  return team;
}

async function post({ secrets }: Stage, path: string, body: object, method = "POST"): Promise<{ id: string }> {
  const headers = { authorization: `Bearer ${secrets.api_key}`, "content-type": "application/json", "if-match": "*" };
  const reply = await fetch(`${secrets.base_url}/v1${path}`, { method, headers, body: JSON.stringify(body) });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  return (await reply.json()) as { id: string };
}

/** Conversations in which somebody has just said hello. */
async function insertConversations({ owner, secrets }: Stage, team: Team, count: number): Promise<string[]> {
  const now_ms = Date.now();
  const ids = Array.from({ length: count }, () => newId("conversation", now_ms));
  const values = [secrets.partner_id, team.account_id, ids, ids.map(() => newId("contact", now_ms))];
  await owner.query(
    `insert into contacts (partner_id, id, account_id, name, phone, phone_shared, external_id, created_at, updated_at)
     select $1, v.person, $2, 'Ada Okafor', '+14155550100', true, v.id, now(), now() from unnest($3::text[], $4::text[]) as v (id, person)`,
    values,
  );
  await owner.query(
    `insert into conversations (partner_id, id, account_id, channel_id, channel_kind, address, person_id, reply_token, last_ordinal,
       last_message_at, last_inbound_at, created_at, updated_at)
     select $1, v.id, $2, $5, 'api', v.id, v.person, md5(v.id), 1, now(), now(), now(), now()
     from unnest($3::text[], $4::text[]) as v (id, person)`,
    [...values, team.channel_id],
  );
  await owner.query(
    `insert into messages (partner_id, id, account_id, conversation_id, channel_id, ordinal, direction, kind, author_type, author_id, text,
       status, status_at, provider_id, created_at)
     select $1, 'msg_' || substr(c.id, 5), c.account_id, c.id, c.channel_id, 1, 'in', 'text', 'contact', c.person_id, 'Hello', 'received',
       now(), 'seed-' || c.id, now()
     from conversations c where c.partner_id = $1 and c.id = any ($2)`,
    [secrets.partner_id, ids],
  );
  return ids;
}

async function insertSessions(stage: Stage, team: Team, count: number): Promise<void> {
  const { owner, secrets } = stage;
  const [conversation_id = ""] = await insertConversations(stage, team, 1);
  const now_ms = Date.now();
  for (let start = 0; start < count; start += CHUNK) {
    const ids = Array.from({ length: Math.min(CHUNK, count - start) }, (_, index) => newId("session", now_ms + start + index));
    await owner.query(
      `insert into agent_sessions (partner_id, id, account_id, agent_id, agent_version, conversation_id, channel_kind, status, outcome, memory,
         turns, last_ordinal, started_at, last_turn_at, ended_at)
       select $1, v.id, $2, $3, 1, $4, 'api', 'completed', '{"kind": "completed", "reason": "completed"}',
         '{"slots": {"email": "ada@harbour.example"}}', 3, 6, now(), now(), now()
       from unnest($5::text[]) as v (id)`,
      [secrets.partner_id, team.account_id, team.agent_id, conversation_id, ids],
    );
  }
}

/** Each passage is about something that no other is about, in words that all of them have. */
async function insertPassages({ owner, secrets }: Stage, account_id: string, count: number): Promise<void> {
  for (let start = 0; start < count; start += PASSAGES) {
    const id = newId("knowledge_source", Date.now());
    await owner.query(
      `insert into knowledge_sources (partner_id, id, account_id, key, kind, name, language, sha256, status, created_at, updated_at)
       values ($1, $2, $3, $4, 'text', $4, 'en', '', 'ready', now(), now())`,
      [secrets.partner_id, id, account_id, `bench-${start}`],
    );
    await owner.query(
      `insert into knowledge_chunks (partner_id, account_id, source_id, number, language, heading, text)
       select $1, $3, $2, n, 'en', 'Treatments',
         'The treatment topic' || $4 + n || ' takes an hour and costs ' || n || ' EUR. ' || repeat('Please bring your card to the first visit. ', 20)
       from generate_series(1, $5::int) as n`,
      [secrets.partner_id, id, account_id, start, Math.min(PASSAGES, count - start)],
    );
  }
}

/** The same requests to much and, as its floor, to little. */
export function grownAgentRows(large: Team, small: Team): Row[] {
  const sessions = ({ keys, agent_id }: Team) => {
    const nextKey = cycle(keys);
    return () => requestBytes(nextKey(), "GET", `/v1/agents/${agent_id}/sessions?limit=50`);
  };
  const search = ({ keys, account_id, passages }: Team) => {
    const nextKey = cycle(keys);
    let asked = 0;
    return () => {
      asked += 1;
      const topic = 1 + ((asked * 7_919) % passages);
      return requestBytes(nextKey(), "GET", `/v1/knowledge-sources/search?account_id=${account_id}&q=topic${topic}+treatment`);
    };
  };
  const rows = [
    { name: "sessions", nextRequest: sessions(large), floorRequest: sessions(small) },
    { name: "knowledge search", nextRequest: search(large), floorRequest: search(small) },
  ];
  return rows.map((row) => ({ ...row, name: `grown: ${row.name}`, goal: GOAL_GROWN, same_within: 0.1 }));
}

/** How many turns of playbooks and how many runs of the sandbox a process gets through in a second. */
export async function measureTurns(stage: Stage, team: Team, quick: boolean): Promise<Bounded[]> {
  const turns = await turnRate(stage, team, quick ? TURNS.quick : TURNS.whole);
  const runs = await runRate(stage, team, quick ? RUNS.quick : RUNS.whole);
  return [
    { name: "playbook turns", value: turns, goal: null, unit: "/s" },
    { name: "sandbox runs", value: runs, goal: null, unit: "/s" },
  ];
}

const rateOf = (count: number, started_ms: number) => Math.round((count / (performance.now() - started_ms)) * 10_000) / 10;

/** From the moment when turns are due until the last of them is done. */
async function turnRate(stage: Stage, team: Team, count: number): Promise<number> {
  const { owner, secrets } = stage;
  const ids = await insertConversations(stage, team, count);
  const started_ms = performance.now();
  await owner.query(
    `insert into agent_turns (partner_id, id, account_id, agent_id, conversation_id, run_at, created_at)
     select $1, 'trn_' || substr(v.id, 5), $2, $3, v.id, now(), now() from unnest($4::text[]) as v (id)`,
    [secrets.partner_id, team.account_id, team.agent_id, ids],
  );
  const open = "select count(*)::int as count from agent_turns where partner_id = $1 and state in ('queued', 'running')";
  for (let left = count; left > 0; await sleep(left === 0 ? 0 : POLL_EVERY_MS)) {
    const { rows } = await owner.query<{ count: number }>(open, [secrets.partner_id]);
    left = rows[0]?.count ?? 0;
  }
  const { rows } = await owner.query("select 1 from agent_turns where partner_id = $1 and state <> 'done' limit 1", [
    secrets.partner_id,
  ]);
  if (rows.length > 0) throw new Error("a turn was not done");
  return rateOf(count, started_ms);
}

async function runRate(stage: Stage, { agent_id }: Team, count: number): Promise<number> {
  const messages = [{ text: "Hello" }, { text: "ada@harbour.example" }];
  const started_ms = performance.now();
  const work = async () => {
    for (let run = 0; run < count / RUNS_AT_ONCE; run += 1) await post(stage, `/agents/${agent_id}/sandbox`, { messages });
  };
  await Promise.all(Array.from({ length: RUNS_AT_ONCE }, work));
  return rateOf(count, started_ms);
}
