import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { OpenChannel, RawRequest } from "../adapter.ts";
import { whatsapp } from "./adapter.ts";
import { parseWhatsApp } from "./parse.ts";
import { type Config, type Secrets, WHATSAPP_CODES } from "./wire.ts";

const NUMBER = "106540352242922";
const MESSAGE = "msg_01jd3k5y5cf7m8n9p0q1r2s3t4";
const AT = new Date("2026-11-16T10:00:00Z");
const SECRETS = { token: "EAAG-token", app_secret: "app-secret", verify_token: "verify-me" };
const channel: OpenChannel<Config, Secrets> = {
  partner_id: "ptr_1",
  id: "chn_1",
  account_id: "cli_1",
  kind: "whatsapp",
  status: "active",
  config: { phone_number_id: NUMBER },
  secrets: SECRETS,
  token: "0000000000001",
  per_minute: 60,
  version: 1,
};

function request(content: unknown, { method = "POST", query = "", headers = {} } = {}): RawRequest {
  const body = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content));
  return { method, url: new URL(`https://desk.example/hooks/0000000000001${query}`), headers, body, at: AT, brand: "Service" };
}

const notice = (value: object, phone_number_id = NUMBER) => ({
  object: "whatsapp_business_account",
  entry: [{ id: "1", changes: [{ field: "messages", value: { metadata: { phone_number_id }, ...value } }] }],
});
const parse = (value: object) => parseWhatsApp(NUMBER, request(notice(value)));

describe("a signature", () => {
  test("is of the app's secret over the bytes", () => {
    const body = Buffer.from('{"entry":[]}');
    const mac = createHmac("sha256", SECRETS.app_secret).update(body).digest("hex");
    const sign = (signature: string, content = body) =>
      whatsapp.verify(channel, request(content, { headers: { "x-hub-signature-256": signature } }));
    expect(sign(`sha256=${mac}`)).toBe(true);
    expect(sign(mac)).toBe(false);
    expect(sign(`sha256=${mac}`, Buffer.from('{"entry": []}'))).toBe(false);
    expect(whatsapp.verify(channel, request(body))).toBe(false);
  });

  test("of a subscription is its token, and its challenge is given back", () => {
    const asked = (token: string) =>
      request(Buffer.alloc(0), {
        method: "GET",
        query: `?hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=1158201444`,
      });
    expect(whatsapp.verify(channel, asked("verify-me"))).toBe(true);
    expect(whatsapp.verify(channel, asked("verify-you"))).toBe(false);
    expect(whatsapp.reply?.(channel, asked("verify-me"))).toMatchObject({ status: 200, text: "1158201444" });
    expect(whatsapp.parse(channel, asked("verify-me"))).toEqual([]);
  });
});

describe("a notice", () => {
  const said = { from: "4915112345678", id: "wamid.1", timestamp: "1794823200" };
  const contacts = [{ wa_id: "4915112345678", profile: { name: "Kim" } }];

  test("has messages, with the name of who wrote", () => {
    expect(parse({ contacts, messages: [{ ...said, type: "text", text: { body: "Hello" } }] })).toEqual([
      {
        type: "message",
        provider_id: "wamid.1",
        from: "+4915112345678",
        profile: { phone: "+4915112345678", name: "Kim" },
        text: "Hello",
        attachments: [],
        at: new Date(1_794_823_200_000),
      },
    ]);
  });

  test.each([
    ["the button that was pressed", { type: "button", button: { text: "Yes" } }, "Yes"],
    ["the reply that was chosen", { type: "interactive", interactive: { button_reply: { title: "Later" } } }, "Later"],
    ["the line of a list", { type: "interactive", interactive: { list_reply: { title: "Monday" } } }, "Monday"],
    ["the caption of a picture", { type: "image", image: { id: "9", caption: "The leak" } }, "The leak"],
    ["which kind of thing it is", { type: "sticker", sticker: { id: "9" } }, "[sticker]"],
    ["that it is unknown", { type: "unsupported" }, "[unsupported]"],
  ])("says %s", (_what, content, text) => {
    expect(parse({ messages: [{ ...said, ...content }] })).toMatchObject([{ text }]);
  });

  test("of another number, of another field, or of nobody's words is nothing", () => {
    const messages = [{ ...said, type: "text", text: { body: "Hello" } }];
    expect(parseWhatsApp(NUMBER, request(notice({ messages }, "999999")))).toEqual([]);
    expect(parse({ messages: [{ ...said, type: "reaction", reaction: { emoji: "👍" } }] })).toEqual([]);
    expect(parse({ messages: [{ ...said, from: "nobody", type: "text" }] })).toEqual([]);
  });

  test("has statuses of the message that was told", () => {
    const status = (fields: object) =>
      parse({ statuses: [{ id: "wamid.2", timestamp: "1794823200", biz_opaque_callback_data: MESSAGE, ...fields }] });
    const at = new Date(1_794_823_200_000);
    expect(status({ status: "read" })).toEqual([
      { type: "status", provider_id: "wamid.2", message_id: MESSAGE, status: "read", at },
    ]);
    expect(status({ status: "failed", errors: [{ code: 131050, title: "Opted out" }] })).toMatchObject([
      { status: "failed", code: "131050", detail: "Opted out", opted_out: true },
    ]);
    expect(status({ status: "warning" })).toEqual([]);
  });

  test("of any shape is nothing, or something that can be stored", () => {
    const leaf = fc.oneof(fc.string({ unit: "binary" }), fc.integer(), fc.constant(null), fc.boolean());
    const shape = fc.dictionary(
      fc.constantFrom("id", "from", "type", "text", "timestamp", "status", "errors", "profile"),
      fc.oneof(leaf, fc.dictionary(fc.constantFrom("body", "name", "code", "caption"), leaf)),
    );
    fc.assert(
      fc.property(fc.array(shape, { maxLength: 3 }), (items) => {
        const found = parse({ messages: items, statuses: items, contacts: items });
        expect(JSON.stringify(found)).not.toContain("\\u0000");
        for (const { at } of found) expect(Number.isNaN(at.getTime())).toBe(false);
      }),
    );
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void parseWhatsApp(NUMBER, request(Buffer.from(bytes)))));
  });
});

test("codes are those of the design", () => {
  expect(WHATSAPP_CODES).toMatchObject({
    130429: "passing",
    131056: "passing",
    131026: "permanent",
    131050: "opted_out",
    190: "config",
  });
});
