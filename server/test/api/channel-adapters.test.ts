import { createHmac } from "node:crypto";
import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { adapterOf, netOf } from "../../src/features/inbox/channels/index.ts";
import { twilioSignature } from "../../src/features/inbox/channels/sms/wire.ts";
import { receive } from "../../src/features/inbox/conversations/index.ts";
import { signatureHeaders } from "../../src/platform/crypto/webhook-signature.ts";
import { SECRET, SID, TOKEN, useChannels, WHATSAPP } from "../harness/channels.ts";
import { startReceiver } from "../harness/receiver.ts";
import type { Json } from "../harness/world.ts";

const stage = useChannels();
const { world, call, newChannel, open, outgoing, send, answerWith } = stage;

describe("a message is sent", () => {
  test("by Twilio's API, with an address for its statuses", async () => {
    const channel = await newChannel("sms");
    const path = `${channel.base_path}/2010-04-01/Accounts/${SID}/Messages.json`;
    answerWith(path, 201, { sid: "SM123", status: "queued" });
    const message = outgoing({ text: "Grüße & = +" });
    expect(await send(channel.id, message)).toEqual({ result: "accepted", provider_id: "SM123" });
    const { headers, body } = stage.provider().at(path)[0] as Json;
    expect(headers.authorization).toBe(`Basic ${Buffer.from(`${SID}:${TOKEN}`).toString("base64")}`);
    expect(Object.fromEntries(new URLSearchParams(body.toString()))).toEqual({
      To: message.to,
      From: "+15550100000",
      Body: "Grüße & = +",
      StatusCallback: `${stage.hooks().origin}${channel.hook_path}?message=${message.id}`,
    });
  });

  test("by the Cloud API, as a text or as a template", async () => {
    const channel = await newChannel("whatsapp");
    const path = `${channel.base_path}/106540352242922/messages`;
    answerWith(path, 200, { messages: [{ id: "wamid.1" }] });
    const message = outgoing();
    expect(await send(channel.id, message)).toEqual({ result: "accepted", provider_id: "wamid.1" });
    await send(channel.id, outgoing({ template: { name: "appointment", language: "de", values: ["Kim", "9:00"] } }));
    const [text, template] = stage
      .provider()
      .at(path)
      .map(({ body }) => JSON.parse(body.toString()));
    expect(stage.provider().at(path)[0]?.headers.authorization).toBe("Bearer EAAG-token");
    expect(text).toMatchObject({
      to: "4915112345678",
      type: "text",
      text: { body: "Until six." },
      biz_opaque_callback_data: message.id,
    });
    expect(template.template).toEqual({
      name: "appointment",
      language: { code: "de" },
      components: [
        {
          type: "body",
          parameters: [
            { type: "text", text: "Kim" },
            { type: "text", text: "9:00" },
          ],
        },
      ],
    });
  });

  test("to a program of the account's own, signed", async () => {
    const channel = await newChannel("api");
    const path = `${channel.base_path}/api`;
    const message = outgoing({ to: "visitor-7" });
    expect(await send(channel.id, message)).toEqual({ result: "accepted", provider_id: message.id });
    answerWith(path, 200, { id: "own-1" });
    expect(await send(channel.id, message)).toEqual({ result: "accepted", provider_id: "own-1" });
    const { headers, body } = stage.provider().at(path)[0] as Json;
    const at_seconds = Number(headers["webhook-timestamp"]);
    const expected = signatureHeaders({ brand: "Service", event_id: message.id, secrets: [SECRET], body, at_seconds });
    expect(headers).toMatchObject(
      Object.fromEntries(Object.entries(expected).map(([name, value]) => [name.toLowerCase(), value])),
    );
    expect(JSON.parse(body.toString())).toMatchObject({ type: "message", id: message.id, to: "visitor-7", text: "Until six." });
  });

  test.each([
    [
      429,
      { code: 20429, message: "Too many" },
      { "retry-after": "7" },
      { result: "passing", code: "20429", retry_after_ms: 7000 },
    ],
    [503, "down", {}, { result: "passing", code: "http_503" }],
    [
      400,
      { code: 21211, message: "The 'To' number +4915112345678 is not valid" },
      {},
      { result: "permanent", code: "21211", detail: "The 'To' number the recipient is not valid" },
    ],
    [400, { code: 21610, message: "Unsubscribed" }, {}, { result: "opted_out", code: "21610" }],
    [401, { code: 20003, message: "Authenticate" }, {}, { result: "config", code: "20003" }],
    [403, {}, {}, { result: "config", code: "http_403" }],
    [404, {}, {}, { result: "permanent", code: "http_404" }],
    [302, {}, { location: "https://elsewhere.example" }, { result: "config", code: "http_302" }],
  ])("or not: a %i with %o", async (status, body, headers, expected) => {
    const channel = await newChannel("sms");
    answerWith(`${channel.base_path}/2010-04-01/Accounts/${SID}/Messages.json`, status, body, headers);
    expect(await send(channel.id)).toMatchObject(expected);
  });

  test("or not: WhatsApp's codes count before its statuses", async () => {
    const channel = await newChannel("whatsapp");
    const path = `${channel.base_path}/106540352242922/messages`;
    for (const [code, result] of Object.entries({ 131056: "passing", 131026: "permanent", 131050: "opted_out", 190: "config" })) {
      answerWith(path, 400, { error: { code: Number(code), message: "No", error_data: { details: "to 4915112345678" } } });
      expect(await send(channel.id)).toMatchObject({ result, code, detail: "to the recipient" });
    }
    stage.provider().answer(path, (response) => void response.destroy());
    expect(await send(channel.id)).toMatchObject({ result: "passing", code: "no_answer" });
  });

  test("or was: Twilio's list tells", async () => {
    const channel = await newChannel("sms");
    const message = outgoing();
    const path = `${channel.base_path}/2010-04-01/Accounts/${SID}/Messages.json?To=%2B4915112345678&PageSize=50`;
    const confirm = async () => adapterOf("sms").confirm?.(await open(channel.id), message, netOf(world.app.services));
    const one = { body: message.text, direction: "outbound-api", date_created: world.clock.now().toUTCString() };
    const listed = async (...messages: object[]) => {
      answerWith(path, 200, { messages });
      return confirm();
    };
    expect(await listed(one)).toBe("sent");
    expect(await listed({ ...one, body: "Another" }, { ...one, direction: "inbound" })).toBe("absent");
    expect(await listed({ ...one, date_created: new Date(world.clock.now().getTime() - 60_000).toUTCString() })).toBe("absent");
    answerWith(path, 500, {});
    expect(await confirm()).toBe("unknown");
  });
});

describe("files", () => {
  const link = () => "https://files.test/1";
  const png = { name: "a.png", media_type: "image/png", bytes: 1, read: async () => Buffer.from("x"), link };

  test("that are sent along are fetched by the provider", async () => {
    const sms = await newChannel("sms");
    const path = `${sms.base_path}/2010-04-01/Accounts/${SID}/Messages.json`;
    answerWith(path, 201, { sid: "MM1" });
    await send(sms.id, outgoing({ attachments: [png, png] }));
    const form = new URLSearchParams(stage.provider().at(path)[0]?.body.toString());
    expect(form.getAll("MediaUrl")).toEqual([link(), link()]);
    const whatsapp = await newChannel("whatsapp");
    const messages = `${whatsapp.base_path}/106540352242922/messages`;
    answerWith(messages, 200, { messages: [{ id: "wamid.f" }] });
    const ogg = { ...png, name: "a.ogg", media_type: "audio/ogg" };
    for (const [file, text] of [
      [png, "Look"],
      [ogg, ""],
      [ogg, "Listen"],
    ] as const)
      await send(whatsapp.id, outgoing({ text, attachments: [file] }));
    const sent = stage
      .provider()
      .at(messages)
      .map(({ body }) => JSON.parse(body.toString()));
    expect(sent).toMatchObject([
      { type: "image", image: { link: link(), caption: "Look" } },
      { type: "audio", audio: { link: link() } },
      { type: "document", document: { link: link(), caption: "Listen", filename: "a.ogg" } },
    ]);
    const api = await newChannel("api");
    await send(api.id, outgoing({ attachments: [png] }));
    expect(JSON.parse(stage.provider().at(`${api.base_path}/api`)[0]?.body.toString() ?? "").attachments).toEqual([
      { name: "a.png", media_type: "image/png", bytes: 1, url: link() },
    ]);
  });

  test("that people send are fetched with the channel's secrets, which go no further, and kept up to ten of 10 MiB", async () => {
    const elsewhere = await startReceiver();
    const { origin } = stage.provider();
    const bytes = Buffer.from([0, 255, 137, 80]);
    const file = (content: Buffer) => (response: ServerResponse) => void response.writeHead(200).end(content);
    stage
      .provider()
      .answer("/media/1", (response) => void response.writeHead(307, { location: `${elsewhere.origin}/cdn` }).end());
    elsewhere.answer("/cdn", file(bytes));
    stage.provider().answer("/media/2", file(Buffer.alloc(10 * 1024 * 1024 + 1)));
    const sms = await open((await newChannel("sms")).id);
    const numbers = Array.from({ length: 11 }, (_, index) => index + 1);
    for (const number of numbers.slice(2)) answerWith(`/media/${number}`, 404, {});
    const media = numbers.map((number) => ({ url: `${origin}/media/${number}`, media_type: "image/png", name: null }));
    const from = "+15550107001";
    const given = { type: "message" as const, from, profile: { phone: from }, text: "", attachments: [], at: world.clock.now() };
    await receive(world.app.services, sms, [{ ...given, provider_id: "MM-in", media }]);
    expect(stage.provider().at("/media/1")[0]?.headers.authorization).toMatch(/^Basic /);
    expect(elsewhere.at("/cdn")[0]?.headers.authorization).toBeUndefined();
    expect([10, 11].map((number) => stage.provider().at(`/media/${number}`).length)).toEqual([1, 0]);
    await elsewhere.close();

    const made = await newChannel("whatsapp");
    answerWith(`${made.base_path}/4711`, 200, { url: `${origin}/lookaside`, file_size: 4 });
    stage.provider().answer("/lookaside", file(bytes));
    const voice = [{ id: "4711", media_type: "audio/ogg; codecs=opus", name: null }];
    await receive(world.app.services, await open(made.id), [{ ...given, provider_id: "wamid.in", media: voice }]);
    expect(stage.provider().at("/lookaside")[0]?.headers.authorization).toBe("Bearer EAAG-token");

    const { body } = await call("GET", `/conversations?account_id=${stage.account_id()}`);
    const messages: Json[] = [];
    for (const { id } of body.data) messages.push(...(await call("GET", `/conversations/${id}/messages`)).body.data);
    const kept = messages.filter(({ provider_id }) => ["MM-in", "wamid.in"].includes(provider_id));
    expect(kept.toSorted((a, b) => (a.provider_id < b.provider_id ? -1 : 1))).toMatchObject([
      { attachments: [{ name: "image-1.png", media_type: "image/png", bytes: 4 }], dropped_attachments: 10 },
      { attachments: [{ name: "audio-1.ogg", media_type: "audio/ogg", bytes: 4 }], dropped_attachments: 0 },
    ]);
    const url = `/v1/attachments/${kept[0]?.attachments[0].id}`;
    const headers = { authorization: `Bearer ${stage.partner().key}` };
    expect([...(await world.app.http.inject({ url, headers })).rawPayload]).not.toEqual([]);
  });
});

describe("a hook", () => {
  const post = async (channel: Json, body: string | Buffer, headers: Record<string, string> = {}, query = "") => {
    const reply = await fetch(stage.hooks().origin + channel.hook_path + query, { method: "POST", body, headers });
    return { status: reply.status, text: await reply.text(), type: reply.headers.get("content-type") };
  };
  const receivedOn = (channel: Json) =>
    stage
      .hooks()
      .received.filter((one) => one.channel.id === channel.id)
      .map(({ item }) => item);
  const twilioHeaders = (channel: Json, body: string, query = "") => ({
    "content-type": "application/x-www-form-urlencoded",
    "x-twilio-signature": twilioSignature(TOKEN, stage.hooks().origin + channel.hook_path + query, new URLSearchParams(body)),
  });

  test("takes what its provider signed, and nothing else", async () => {
    const channel = await newChannel("sms");
    const body = new URLSearchParams({ MessageSid: "SM1", From: "+4915112345678", Body: "Hello" }).toString();
    const taken = await post(channel, body, twilioHeaders(channel, body));
    expect(taken).toMatchObject({ status: 200, type: "text/xml; charset=utf-8", text: expect.stringContaining("<Response>") });
    const status = new URLSearchParams({ MessageSid: "SM2", MessageStatus: "delivered" }).toString();
    const query = `?message=${outgoing().id}`;
    expect((await post(channel, status, twilioHeaders(channel, status, query), query)).status).toBe(200);
    expect(receivedOn(channel)).toMatchObject([
      { type: "message", text: "Hello" },
      { type: "status", status: "delivered" },
    ]);
    for (const headers of [{}, { "x-twilio-signature": "" }, { "x-twilio-signature": "bm8=" }, twilioHeaders(channel, "")]) {
      const refused = await post(channel, body, headers);
      expect([refused.status, JSON.parse(refused.text).code]).toEqual([401, "invalid_signature"]);
    }
    expect(receivedOn(channel)).toHaveLength(2);
  });

  test("answers WhatsApp's challenge", async () => {
    const channel = await newChannel("whatsapp");
    const ask = (token: string) =>
      fetch(`${stage.hooks().origin}${channel.hook_path}?hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=42`);
    expect(await (await ask("verify-me")).text()).toBe("42");
    expect((await ask("wrong")).status).toBe(401);
    const body = JSON.stringify({
      entry: [
        {
          changes: [
            {
              field: "messages",
              value: {
                metadata: { phone_number_id: "106540352242922" },
                messages: [{ id: "wamid.1", from: "4915112345678", type: "text", text: { body: "Hi" } }],
              },
            },
          ],
        },
      ],
    });
    const signature = `sha256=${createHmac("sha256", WHATSAPP.app_secret).update(body).digest("hex")}`;
    expect((await post(channel, body, { "x-hub-signature-256": signature })).status).toBe(200);
    expect(receivedOn(channel)).toMatchObject([{ provider_id: "wamid.1", from: "+4915112345678", text: "Hi" }]);
  });

  test("says what is wrong to a program of the account's own", async () => {
    const channel = await newChannel("api");
    const sign = (body: string) =>
      signatureHeaders({
        brand: "Service",
        event_id: "e-1",
        secrets: [SECRET],
        body: Buffer.from(body),
        at_seconds: Math.floor(world.clock.now().getTime() / 1000),
      });
    const good = JSON.stringify({ type: "message", id: "m-1", from: "visitor-7", text: "Hello" });
    expect((await post(channel, good, sign(good))).status).toBe(200);
    const bad = JSON.stringify({ type: "message", id: "m-2", from: "visitor-7" });
    const refused = await post(channel, bad, sign(bad));
    expect([refused.status, JSON.parse(refused.text).errors[0].pointer]).toEqual([422, "#/text"]);
    expect(receivedOn(channel)).toHaveLength(1);
  });

  test("is to be called again when nothing could be stored", async () => {
    const channel = await newChannel("sms");
    const body = "MessageSid=SM9&From=%2B4915112345678&Body=Hello";
    stage.hooks().fail(new Error("the database is away"));
    const refused = await fetch(stage.hooks().origin + channel.hook_path, {
      method: "POST",
      body,
      headers: twilioHeaders(channel, body),
    });
    stage.hooks().fail(null);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "10"]);
    expect(await refused.json()).toMatchObject({ code: "service_unavailable" });
  });

  test("of an unknown token, a body that is too large, or another method is refused", async () => {
    const channel = await newChannel("sms");
    const call = async (path: string, init: RequestInit) => {
      const reply = await fetch(stage.hooks().origin + path, init);
      return [reply.status, ((await reply.json()) as Json).code];
    };
    expect(await call("/hooks/0000000000000", { method: "POST" })).toEqual([404, "not_found"]);
    expect(await call("/hooks/short", { method: "POST" })).toEqual([404, "not_found"]);
    expect(await call(channel.hook_path, { method: "POST", body: "x".repeat(1024 * 1024 + 1) })).toEqual([
      413,
      "payload_too_large",
    ]);
    expect(await call(channel.hook_path, { method: "PUT", body: "x" })).toEqual([405, "method_not_allowed"]);
  });
});

describe("the simulator", () => {
  const until = async (check: () => boolean) => {
    while (!check()) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const receivedOn = (channel: Json) =>
    stage
      .hooks()
      .received.filter((one) => one.channel.id === channel.id)
      .map(({ item }) => item as Json);
  const say = (channel: Json, body: object) =>
    fetch(`${stage.hooks().origin}/simulator/${channel.token}/messages`, { method: "POST", body: JSON.stringify(body) });

  test("takes messages, reports what becomes of them, and lets people answer", async () => {
    const channel = await newChannel("simulator", {});
    expect((await call("POST", `/channels/${channel.id}/test`)).body).toMatchObject({ ok: true });
    const message = outgoing({ to: "+15550100001" });
    const sent = (await send(channel.id, message)) as Json;
    expect(sent).toMatchObject({ result: "accepted", provider_id: expect.stringMatching(/^SM/) });
    await until(() => receivedOn(channel).length === 2);
    expect(receivedOn(channel).map(({ status, message_id }) => [status, message_id])).toEqual([
      ["sent", message.id],
      ["delivered", message.id],
    ]);
    expect(await adapterOf("simulator").confirm?.(await open(channel.id), message, netOf(world.app.services))).toBe("sent");
    expect((await say(channel, { from: "+15550100001", text: "Thanks", name: "Kim" })).status).toBe(201);
    expect(receivedOn(channel).at(-1)).toMatchObject({
      type: "message",
      from: "+15550100001",
      text: "Thanks",
      profile: { name: "Kim" },
    });
    await say(channel, { from: "+15550100001", text: "STOP" });
    expect(await send(channel.id, message)).toMatchObject({ result: "opted_out", code: "21610" });
    await say(channel, { from: "+15550100001", text: "start" });
    expect(await send(channel.id, message)).toMatchObject({ result: "accepted" });
    const shown = (await (
      await fetch(`${stage.hooks().origin}/simulator/${channel.token}/messages?number=%2B15550100001`)
    ).json()) as Json;
    expect(shown.messages.map(({ body }: Json) => body)).toEqual(["Until six.", "start", "STOP", "Thanks", "Until six."]);
    expect((await say(channel, { from: "nobody", text: "" })).status).toBe(422);
  });

  test("fails as it is told to, the same way every time", async () => {
    const results = async (seed: number) => {
      const channel = await newChannel("simulator", { config: { faults: { fail: 0.5, duplicate: 1, reorder: 1, seed } } });
      const outcomes = [];
      for (let n = 0; n < 12; n += 1)
        outcomes.push(((await send(channel.id, outgoing({ to: `+1555010${1000 + n}` }))) as Json).result);
      const accepted = outcomes.filter((result) => result === "accepted").length;
      await until(() => receivedOn(channel).length === accepted * 4);
      return { outcomes, accepted };
    };
    const [one, again] = [await results(7), await results(7)];
    expect(again).toEqual(one);
    expect(one.accepted).toBeGreaterThan(0);
    expect(one.accepted).toBeLessThan(12);
  });

  test("is known to its own channels alone", async () => {
    const [channel, api] = [await newChannel("simulator", {}), await newChannel("api")];
    expect((await fetch(`${stage.hooks().origin}/simulator/${api.token}/messages`)).status).toBe(404);
    const account = `${stage.hooks().origin}/simulator/${channel.token}/2010-04-01/Accounts/${SID}.json`;
    expect((await fetch(account)).status).toBe(401);
  });
});
