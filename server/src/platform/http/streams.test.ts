import Fastify from "fastify";
import { afterEach, expect, test, vi } from "vitest";
import type { Refusal } from "../../kernel/errors.ts";
import { createStreamSender, eventMessage, heartbeat, type Pieces } from "./streams.ts";

const app = Fastify();
const send = createStreamSender();
const endless: Pieces = async function* (gone) {
  yield heartbeat("1");
  await new Promise((resolve) => gone.addEventListener("abort", resolve));
};

for (const [operation, streams_max] of [["own.limit", 2], ["first.shared"], ["second.shared"]] as const) {
  app.get<{ Params: { partner_id: string } }>(`/${operation}/:partner_id`, (request, reply) => {
    const stream = { stream: "events", status: 200, ...(streams_max === undefined ? {} : { streams_max }) } as const;
    const { partner_id } = request.params;
    return send(request, reply, {
      route: { operation, reply: stream },
      partner_id,
      pieces: endless,
      readmit: async () => undefined,
    });
  });
}
app.setErrorHandler((error: Refusal, _request, reply) => reply.code(429).send(error.code));

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

async function statusOf(path: string): Promise<number> {
  const reply = await app.inject({ url: path, payloadAsStream: true });
  if (reply.statusCode === 200) open.push(() => reply.raw.res.destroy());
  return reply.statusCode;
}

const statuses = (path: string, count: number) => Promise.all(Array.from({ length: count }, () => statusOf(path)));

test("a route with a limit of its own counts its streams alone, by partner; one that closes makes room", async () => {
  expect(await statuses("/own.limit/a", 3)).toEqual([200, 200, 429]);
  expect(await statuses("/own.limit/b", 1)).toEqual([200]);
  expect(await statuses("/first.shared/a", 1)).toEqual([200]);
  open.shift()?.();
  await vi.waitFor(async () => expect(await statusOf("/own.limit/a")).toBe(200));
  expect(await statusOf("/own.limit/a")).toBe(429);
});

test("the other routes share 20", async () => {
  expect(await statuses("/first.shared/c", 15)).toEqual(Array(15).fill(200));
  expect(await statuses("/second.shared/c", 6)).toEqual([...Array(5).fill(200), 429]);
});

test("a message has its id after its data, and a heartbeat has no data", () => {
  expect(eventMessage("change", "{}", "x1")).toBe("event: change\ndata: {}\nid: x1\n\n");
  expect(eventMessage("ended", "{}")).toBe("event: ended\ndata: {}\n\n");
  expect([heartbeat(), heartbeat("x1")]).toEqual([": heartbeat\n\n", ": heartbeat\nid: x1\n\n"]);
});
