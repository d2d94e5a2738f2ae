import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { Stripe } from "stripe";
import { describe, expect, test } from "vitest";
import { newWebhookSecret, signatureHeaderName, signatureHeaders, TOLERANCE_SECONDS } from "./webhook-signature.ts";

const stripe = new Stripe("sk_test_unused");
const EVENT = "evt_01jd3k5y5cf7m8n9p0q1r2s3t4";
const now_seconds = () => Math.floor(performance.timeOrigin / 1000 + performance.now() / 1000);

type Delivery = { headers: Record<string, string>; body: string };

function delivery(secrets: string[], { at_seconds = now_seconds(), text = "", brand = "Service" } = {}): Delivery {
  const body = JSON.stringify({ id: EVENT, type: "client.created", created: 1_794_700_800, data: { text } });
  return { headers: signatureHeaders({ brand, event_id: EVENT, secrets, body: Buffer.from(body), at_seconds }), body };
}

/** Each library unmodified, configured only with the secret. */
const LIBRARIES: Record<string, (delivery: Delivery, secret: string) => unknown> = {
  stripe: ({ headers, body }, secret) =>
    stripe.webhooks.constructEvent(body, headers["X-Service-Signature"] ?? "", secret, TOLERANCE_SECONDS),
  standardwebhooks: ({ headers, body }, secret) => new Webhook(secret).verify(body, headers),
};

describe.each(Object.entries(LIBRARIES))("the library %s", (_, verify) => {
  test("accepts any body signed with its secret, and returns the event", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const secret = newWebhookSecret();
        expect(verify(delivery([secret], { text }), secret)).toMatchObject({ id: EVENT, data: { text } });
      }),
    );
  });

  test("refuses a body with any one byte changed", () => {
    const secret = newWebhookSecret();
    const { headers, body } = delivery([secret], { text: "plain" });
    for (let place = 0; place < body.length; place += 1) {
      const changed = body.slice(0, place) + (body[place] === "x" ? "y" : "x") + body.slice(place + 1);
      expect(() => verify({ headers, body: changed }, secret)).toThrow();
    }
  });

  test("refuses a signature of another secret", () => {
    expect(() => verify(delivery([newWebhookSecret()]), newWebhookSecret())).toThrow(/signature/i);
  });

  test("refuses a signature older than its tolerance", () => {
    const secret = newWebhookSecret();
    const old = delivery([secret], { at_seconds: now_seconds() - TOLERANCE_SECONDS - 10 });
    expect(() => verify(old, secret)).toThrow(/timestamp|tolerance|too old/i);
  });

  test("during a rotation accepts each of the live secrets, and no other", () => {
    const secrets = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
    for (const secret of secrets) expect(verify(delivery(secrets), secret)).toMatchObject({ id: EVENT });
    expect(() => verify(delivery(secrets.slice(0, 2)), secrets[2] ?? "")).toThrow();
  });
});

test("the brand is part of the name of our own header only", () => {
  const { headers } = delivery([newWebhookSecret()], { brand: "Harbour" });
  expect(Object.keys(headers).sort()).toEqual(["X-Harbour-Signature", "webhook-id", "webhook-signature", "webhook-timestamp"]);
  expect(signatureHeaderName("Harbour")).toBe("X-Harbour-Signature");
});

test("secrets are the prefix and 32 random bytes", () => {
  const secrets = Array.from({ length: 100 }, newWebhookSecret);
  expect(new Set(secrets).size).toBe(100);
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
});
