import { expect, test } from "vitest";
import type { Channel } from "./data.ts";
import { membersOf, type Texts, valuesOf } from "./values.ts";

const EMAIL = {
  from: "support@acme.example",
  smtp: { host: "smtp.acme.example", port: 587, user: "support@acme.example" },
  imap: { host: "imap.acme.example", port: 993 },
  plus_address: false,
};

const channelOf = (kind: Channel["kind"], config: object) =>
  ({ kind, name: "One", per_minute: 60, config }) as unknown as Channel;

test("a channel that is opened and saved says what it said", () => {
  for (const [kind, config] of [
    ["email", EMAIL],
    ["webchat", { origins: ["https://a.example", "https://b.example"], color: "#114488", position: "left" }],
    ["sms", { account_sid: "AC1", from: "+15550100000" }],
  ] as const) {
    const { config: texts } = valuesOf(kind, channelOf(kind, config));
    expect(membersOf(kind, "config", texts, config)).toEqual(config);
  }
});

test("what is emptied is removed, and a mailbox goes as a whole", () => {
  const { config } = valuesOf("email", channelOf("email", EMAIL));
  const texts: Texts = { ...config, plus_address: "", imap: { ...(config.imap as Texts), host: "" } };
  expect(membersOf("email", "config", texts, EMAIL)).toEqual({ ...EMAIL, imap: null, plus_address: null });
});

test("a new channel asks for the server of sending, and not for a mailbox", () => {
  const { config, secrets } = valuesOf("email");
  expect(membersOf("email", "config", config)).toEqual({ smtp: { port: 587 } });
  expect(membersOf("email", "secrets", secrets)).toEqual({});
});

test("the address of a page is its origin, each once", () => {
  const texts = { origins: " https://Shop.example/cart?x=1\n\nhttps://shop.example\nshop.example\n", color: "#AABBCC" };
  expect(membersOf("webchat", "config", texts)).toEqual({ origins: ["https://shop.example", "shop.example"], color: "#aabbcc" });
});
