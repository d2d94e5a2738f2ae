import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { parseWebhook, type VerifyOptions } from "./webhooks.ts";

const SECRET = "whsec_dGhlIHNlY3JldCBvZiB0aGUgdGVzdHM";
const BODY = '{"id":"evt_1","type":"client.created","created":1794700799,"data":{"company":"Ö"}}';
const TIME = 1_794_700_800;

const sign = (secret: string, time = TIME, body = BODY) => createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
const header = (...signatures: string[]) => `t=${TIME},${signatures.map((hex) => `v1=${hex}`).join(",")}`;

function parse(options: Partial<VerifyOptions>, body: string | Uint8Array = BODY) {
  return parseWebhook(body, { secret: SECRET, signature: header(sign(SECRET)), now: new Date(TIME * 1_000), ...options });
}

test.each([
  ["text", BODY],
  ["bytes", new TextEncoder().encode(BODY)],
])("a body as %s with a right signature is parsed", async (_form, body) => {
  expect(await parse({}, body)).toEqual(JSON.parse(BODY));
});

test("one of several signatures, and one of several secrets, is enough", async () => {
  const signature = header(sign("whsec_old"), sign(SECRET));
  expect(await parse({ signature })).toMatchObject({ id: "evt_1" });
  expect(await parse({ secret: ["whsec_other", SECRET] })).toMatchObject({ id: "evt_1" });
});

test.each<[string, Partial<VerifyOptions>, string]>([
  ["no signature", { signature: undefined }, "signature_missing"],
  ["an empty signature", { signature: "" }, "signature_missing"],
  ["another form", { signature: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=" }, "signature_malformed"],
  ["a time without a signature", { signature: `t=${TIME}` }, "signature_malformed"],
  ["a signature of another secret", { signature: header(sign("whsec_other")) }, "signature_wrong"],
  ["a signature of another time", { signature: header(sign(SECRET, TIME + 1)) }, "signature_wrong"],
  ["no secrets", { secret: [] }, "signature_wrong"],
  ["a time too long ago", { now: new Date((TIME + 301) * 1_000) }, "timestamp_outside_tolerance"],
  ["a time too far ahead", { now: new Date((TIME - 301) * 1_000) }, "timestamp_outside_tolerance"],
  [
    "a time outside a smaller tolerance",
    { now: new Date((TIME + 11) * 1_000), toleranceSeconds: 10 },
    "timestamp_outside_tolerance",
  ],
])("%s is rejected", async (_case, options, reason) => {
  await expect(parse(options)).rejects.toMatchObject({ name: "WebhookRejected", reason });
});

test("a time at the edge of the tolerance is accepted", async () => {
  expect(await parse({ now: new Date((TIME + 300) * 1_000) })).toMatchObject({ id: "evt_1" });
});

test("a body that was parsed and written again is rejected", async () => {
  await expect(parse({}, JSON.stringify(JSON.parse(BODY), null, 1))).rejects.toMatchObject({ reason: "signature_wrong" });
});
