import { createHash, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { HttpSender } from "../../../../platform/net/http-sender.ts";
import { sameText } from "../provider.model.ts";
import { twilioSignature } from "../sms/wire.ts";
import { accountOf, type Faults, type SimulatorChannel } from "./adapter.ts";

const CHANNELS_MAX = 1_000;
const MESSAGES_MAX = 1_000;
const TIMEOUT_MS = 10_000;

type SimulatedMessage = {
  sid: string;
  direction: "outbound-api" | "inbound";
  to: string;
  from: string;
  body: string;
  status: string;
  date_created: string;
};

type Phone = { messages: SimulatedMessage[]; calls: Map<string, number>; stopped: Set<string> };

export type TwinReply = { status: number; body: object };

export type Said = { from: string; text: string; name?: string };

export type TwinOptions = { http: HttpSender; baseUrl(): string; now(): Date };

/** What the phones of each channel got and wrote. */
function createPhones(now: () => Date) {
  const phones = new Map<string, Phone>();
  return {
    of({ id }: SimulatorChannel): Phone {
      const phone = phones.get(id) ?? { messages: [], calls: new Map(), stopped: new Set() };
      if (phones.size >= CHANNELS_MAX) phones.clear();
      phones.set(id, phone);
      return phone;
    },
    keep(phone: Phone, message: Omit<SimulatedMessage, "sid" | "date_created">): SimulatedMessage {
      const kept = { sid: `SM${randomBytes(16).toString("hex")}`, ...message, date_created: now().toUTCString() };
      phone.messages.unshift(kept);
      phone.messages.length = Math.min(phone.messages.length, MESSAGES_MAX);
      return kept;
    },
  };
}

/** Posts a form to the channel's hook, signed. What gets lost stays lost, as with any provider that gives up. */
async function tell(http: HttpSender, { secrets }: SimulatorChannel, address: string, fields: Record<string, string>) {
  const url = new URL(address);
  const form = new URLSearchParams(fields);
  const body = Buffer.from(form.toString());
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    "content-length": String(body.length),
    "x-twilio-signature": twilioSignature(secrets.auth_token, url.href, form),
  };
  const { status } = await http.post({ url, headers, body, timeout_ms: TIMEOUT_MS, connect_timeout_ms: TIMEOUT_MS });
  return status;
}

/**
 * The provider of simulator channels: it takes messages as Twilio does, reports what becomes of them and lets people answer. It lives in
 * the memory of the process, and what it does wrong depends on the channel's seed and the message alone.
 */
export function createTwin({ http, baseUrl, now }: TwinOptions) {
  const phones = createPhones(now);

  /** One after the other, so that nothing but `reorder` changes their order. */
  async function report(channel: SimulatorChannel, message: SimulatedMessage, callback: string, chance: Chance): Promise<void> {
    let passed_ms = 0;
    for (const { status, after_ms } of courseOf(channel.config.faults ?? {}, chance)) {
      await sleep(after_ms - passed_ms, undefined, { ref: false });
      passed_ms = after_ms;
      const fields = { MessageSid: message.sid, MessageStatus: status, To: message.to, From: message.from };
      await tell(http, channel, callback, fields);
    }
  }

  return {
    /** Takes a message for a phone. */
    take(channel: SimulatorChannel, form: URLSearchParams): TwinReply {
      const [to, from, body] = ["To", "From", "Body"].map((name) => form.get(name) ?? "") as [string, string, string];
      if (!/^\+[1-9]\d{6,14}$/.test(to)) return refusal(400, 21211, "The 'To' number is not a valid phone number.");
      const phone = phones.of(channel);
      if (phone.stopped.has(to)) return refusal(400, 21610, "Attempt to send to unsubscribed recipient.");
      const { faults = {} } = channel.config;
      const place = `${to}\0${body}`;
      const count = (phone.calls.get(place) ?? 0) + 1;
      phone.calls.set(place, count);
      const chance = chanceOf(faults.seed ?? 0, `${place}\0${count}`);
      if (chance("fail") < (faults.fail ?? 0)) return refusal(503, 20503, "The simulator fails this call.");
      const message = phones.keep(phone, { direction: "outbound-api", to, from, body, status: "queued" });
      const callback = form.get("StatusCallback");
      if (callback !== null && URL.canParse(callback)) void report(channel, message, callback, chance);
      return { status: 201, body: message };
    },

    /** What a phone was sent and sent itself, the newest first; of all phones without a number. */
    list(channel: SimulatorChannel, number: string | null): TwinReply {
      const messages = phones.of(channel).messages.filter(({ to, from }) => number === null || to === number || from === number);
      return { status: 200, body: { messages: messages.slice(0, 50) } };
    },

    /** A person writes to the channel. A message that is duplicated comes twice, with the same id. */
    async write(channel: SimulatorChannel, { from, text, name }: Said): Promise<TwinReply> {
      const phone = phones.of(channel);
      const { faults = {}, from: to = "" } = channel.config;
      if (/^\s*(stop|stopall|unsubscribe|cancel|end|quit)\s*$/i.test(text)) phone.stopped.add(from);
      if (/^\s*(start|unstop)\s*$/i.test(text)) phone.stopped.delete(from);
      const message = phones.keep(phone, { direction: "inbound", to, from, body: text, status: "received" });
      const fields = { MessageSid: message.sid, SmsStatus: "received", From: from, To: to, Body: text, NumMedia: "0" };
      const form = name === undefined ? fields : { ...fields, ProfileName: name };
      const address = `${baseUrl()}/hooks/${channel.token}`;
      const status = await tell(http, channel, address, form);
      const chance = chanceOf(faults.seed ?? 0, `${from}\0${text}`);
      if (chance("duplicate") < (faults.duplicate ?? 0)) await tell(http, channel, address, form);
      return status === 200
        ? { status: 201, body: message }
        : refusal(502, 11200, `The channel answered ${status ?? "nothing"}.`);
    },
  };
}

/** Whether a call has the account and the token of the channel. */
export function isAdmitted(channel: SimulatorChannel, account: string, authorization: string | undefined): boolean {
  const expected = Buffer.from(`${accountOf(channel)}:${channel.secrets.auth_token}`).toString("base64");
  return account === accountOf(channel) && sameText(authorization ?? "", `Basic ${expected}`);
}

function refusal(status: number, code: number, message: string): TwinReply {
  return { status, body: { code, message, status } };
}

/** Numbers from 0 to 1 by name: always the same for a seed and a message. */
export type Chance = (name: string) => number;

export function chanceOf(seed: number, place: string): Chance {
  return (name) => createHash("sha256").update(`${seed}\0${name}\0${place}`).digest().readUInt32BE() / 2 ** 32;
}

/** The statuses that are reported of a message, and when: in order unless they are reordered, some of them twice. */
export function courseOf(faults: Faults, chance: Chance): { status: string; after_ms: number }[] {
  const { duplicate = 0, delay_ms = 0, reorder = 0 } = faults;
  const statuses = chance("reorder") < reorder ? ["delivered", "sent"] : ["sent", "delivered"];
  let after_ms = 0;
  return statuses.flatMap((status) => {
    after_ms += Math.round(chance(`delay ${status}`) * delay_ms);
    const report = { status, after_ms };
    return chance(`duplicate ${status}`) < duplicate ? [report, report] : [report];
  });
}
