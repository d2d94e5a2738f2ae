import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { halfChanges } from "./consistency.ts";
import type { TestDatabase } from "./database.ts";
import type { ServiceProcess } from "./service-process.ts";
import { BASE, type Reply } from "./world.ts";

const WRITERS = 16;
/** So that the writers do not take the processor from a service that is coming back. */
const PAUSE_MS = 20;

/** Writers that create clients and suspend them, and remember what they were told. */
export type WriteStream = {
  /** Acknowledged creations: the client's id by its company, which is its Idempotency-Key too. */
  created: Map<string, string>;
  /** Ids of the clients whose suspension was acknowledged. */
  suspended: Set<string>;
  /** Creations without a final answer: nobody knows whether they happened. */
  unanswered: Set<string>;
  /** How often the service said that it is unavailable. */
  refused: number;
  acknowledged(): number;
  stop(): Promise<void>;
  /** When the writers are through: told to stop, or cut off by the death of the service. */
  ended: Promise<void>;
};

type Answer = { kind: "done"; reply: Reply } | { kind: "refused" } | { kind: "cut" };

/** A `cut` connection ends a writer; any answer but success and 503 fails the stream. */
export function startWriteStream(service: ServiceProcess, key: string): WriteStream {
  const label = randomBytes(4).toString("hex");
  let stopping = false;
  let turn = 0;

  /** Repeats a write while the service is unavailable, as a client would. Null: cut off, or told to stop. */
  async function insist(path: string, options: object): Promise<Reply | null> {
    for (;;) {
      const answer = await answerTo(service.call("POST", `${BASE}${path}`, { key, ...options }));
      if (answer.kind === "done") return answer.reply;
      if (answer.kind === "cut") return null;
      stream.refused += 1;
      if (stopping) return null;
      await delay(PAUSE_MS);
    }
  }

  async function write(): Promise<void> {
    while (!stopping) {
      const company = `${label}-${turn++}`;
      stream.unanswered.add(company);
      const created = await insist("/clients", { body: { company }, headers: { "idempotency-key": company } });
      if (created === null) return;
      stream.unanswered.delete(company);
      stream.created.set(company, created.body.id);
      const suspended = await insist(`/clients/${created.body.id}/suspend`, { body: { reason: "Streamed" } });
      if (suspended === null) return;
      stream.suspended.add(created.body.id);
    }
  }

  const stream: WriteStream = {
    created: new Map(),
    suspended: new Set(),
    unanswered: new Set(),
    refused: 0,
    acknowledged: () => stream.created.size + stream.suspended.size,
    async stop() {
      stopping = true;
      await stream.ended;
    },
    ended: Promise.resolve(),
  };
  stream.ended = Promise.all(Array.from({ length: WRITERS }, write)).then(() => undefined);
  return stream;
}

async function answerTo(call: Promise<Reply>): Promise<Answer> {
  const answer = await call.catch((error: Error) => error);
  if (answer instanceof Error) {
    if (!("code" in answer)) throw answer;
    return { kind: "cut" };
  }
  if (answer.status === 503 && answer.body.code === "service_unavailable") return { kind: "refused" };
  if (answer.status > 201) throw new Error(`a streamed write was answered with ${answer.status}: ${answer.text}`);
  return { kind: "done", reply: answer };
}

/** Sends what had no final answer again, under the same Idempotency-Keys: now each is there once. */
export async function repeatUnanswered(stream: WriteStream, service: ServiceProcess, key: string): Promise<void> {
  for (const company of [...stream.unanswered]) {
    const headers = { "idempotency-key": company };
    const { status, body, text } = await service.call("POST", `${BASE}/clients`, { key, body: { company }, headers });
    if (status !== 201) throw new Error(`the repetition of ${company} was answered with ${status}: ${text}`);
    stream.unanswered.delete(company);
    stream.created.set(company, body.id);
  }
}

type Row = { id: string; company: string; status: string };

/** Every acknowledged change is there once, and the rest is wholly there or not at all. */
export async function expectNothingLost(streams: WriteStream[], sql: TestDatabase["sql"]): Promise<void> {
  expect(await halfChanges(sql)).toEqual([]);
  const rows = Map.groupBy(await sql<Row>("select id, company, status from clients"), ({ company }) => company);
  for (const { created, suspended, unanswered } of streams) {
    for (const [company, id] of created) {
      const found = rows.get(company) ?? [];
      expect(found.map((row) => row.id)).toEqual([id]);
      if (suspended.has(id)) expect(found[0]?.status).toBe("suspended");
    }
    for (const company of unanswered) expect(rows.get(company)?.length ?? 0).toBeLessThanOrEqual(1);
  }
}
