import { Webhook } from "standardwebhooks";
import { Stripe } from "stripe";
import { afterEach, expect, test, vi } from "vitest";
import { newWebhookSecret, secretPurpose, TOLERANCE_SECONDS } from "../../src/platform/crypto/webhook-signature.ts";
import { useDeliveryStage } from "../harness/delivery-stage.ts";
import { changesOf, countPending } from "../harness/outbox.ts";
import type { Received } from "../harness/receiver.ts";
import { eventually } from "../postgres/processes.ts";

const stage = useDeliveryStage();
const stripe = new Stripe("sk_test_unused");
const MINUTE_MS = 60_000;

afterEach(() => void vi.useRealTimers());

type Signed = Pick<Received, "headers" | "body">;

/** Verifies as a receiver does whose clock shows this time: by both families of libraries, with their tolerance. */
function verify({ headers, body }: Signed, secret: string, at: Date): void {
  vi.useFakeTimers({ toFake: ["Date"], now: at });
  try {
    stripe.webhooks.constructEvent(body, String(headers["x-service-signature"]), secret, TOLERANCE_SECONDS);
    new Webhook(secret).verify(body, headers as Record<string, string>);
  } finally {
    vi.useRealTimers();
  }
}

/** An endpoint that refuses its first requests, and notes when each came. */
async function failingAtFirst(path: string, failures: number) {
  const endpoint = await stage.newEndpoint(path);
  const times: Date[] = [];
  stage.receiver.answer(path, (response) => {
    times.push(stage.clock.now());
    response.writeHead(times.length > failures ? 204 : 500).end();
  });
  const attempted = (count: number) =>
    eventually(`attempt ${count} to be written`, async () => {
      const rows = await stage.db.sql("select 1 from delivery_attempts where endpoint_id = $1", [endpoint.id]);
      return rows.length === count || null;
    });
  return { ...endpoint, times, attempted };
}

test("each attempt is signed at its own time, so that receivers accept a retry after any delay", async () => {
  const { id, secret, times, attempted } = await failingAtFirst("/retried", 2);
  await stage.publish(changesOf(1, ["a"]), { endpoints: [id] });
  stage.start();
  await attempted(1);
  for (const [count, minutes] of [
    [2, 10],
    [3, 60],
  ] as const) {
    stage.clock.advance(minutes * MINUTE_MS);
    await attempted(count);
  }
  const received = stage.receiver.at("/retried");
  expect(received).toHaveLength(3);
  for (const [index, one] of received.entries()) verify(one, secret, times[index] ?? new Date(0));
  const [first, second] = received as [Received, Received];
  expect(() => verify(first, secret, times[1] ?? new Date(0))).toThrow(/tolerance/);
  expect(second.body).toEqual(first.body);
});

test("a secret signs until its overlap ends, also deliveries that were read before, and never after", async () => {
  const { id, secret: previous, times, attempted } = await failingAtFirst("/rotated", 1);
  const secret = newWebhookSecret();
  await stage.db.sql("update webhook_secrets set expires_at = $2 where endpoint_id = $1", [
    id,
    new Date(stage.clock.now().getTime() + 30 * MINUTE_MS),
  ]);
  await stage.db.sql(
    "insert into webhook_secrets (partner_id, endpoint_id, secret, hint, created_at) values ($1, $2, $3, 'hint', now() + interval '1 second')",
    [stage.partner_id, id, stage.sealer.seal(secret, secretPurpose(id))],
  );
  await stage.publish(changesOf(1, ["a"]), { endpoints: [id] });
  stage.start({ options: { linger_ms: 600_000 } });
  await attempted(1);
  stage.clock.advance(31 * MINUTE_MS);
  await attempted(2);
  expect(await countPending(stage.db.sql, [id])).toBe(0);
  const [during, after] = stage.receiver.at("/rotated") as [Received, Received];
  for (const live of [previous, secret]) verify(during, live, times[0] ?? new Date(0));
  verify(after, secret, times[1] ?? new Date(0));
  expect(() => verify(after, previous, times[1] ?? new Date(0))).toThrow(/signature/i);
  expect(String(after.headers["x-service-signature"]).match(/v1=/g)).toHaveLength(1);
});
