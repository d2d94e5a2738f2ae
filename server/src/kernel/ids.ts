import { randomFillSync } from "node:crypto";

/** Every kind of resource that has ids, and the prefix of those ids. */
export const PREFIXES = {
  partner: "ptr",
  user: "usr",
  client: "cli",
  key: "key",
  deal: "deal",
  contact: "con",
  lead: "lead",
  note: "note",
  merge: "mrg",
  consent: "cns",
  custom_field: "cfd",
  change: "chg",
  pipeline: "ppl",
  stage: "stg",
  tag: "tag",
  message_template: "tpl",
  plan: "pln",
  rule: "rul",
  certification: "crt",
  certification_grant: "crg",
  tier_change: "trc",
  charge: "chr",
  refund: "ref",
  commission: "com",
  ledger_transaction: "ltx",
  payout: "pay",
  payout_method: "pmd",
  payout_run: "prn",
  payout_export: "pex",
  link: "lnk",
  click: "clk",
  snapshot: "snap",
  deployment: "dep",
  rollout: "roll",
  purchase: "pur",
  channel: "chn",
  conversation: "cnv",
  message: "msg",
  attachment: "att",
  visitor: "vst",
  agent: "agt",
  session: "ses",
  turn: "trn",
  approval: "apr",
  sandbox_run: "sbx",
  knowledge_source: "kns",
  agent_test: "tst",
  test_run: "trun",
  payment_provider: "ppr",
  payment_link: "plk",
  payment_attempt: "pat",
  payment: "pmt",
  payment_refund: "rfd",
  payment_dispute: "dsp",
  event: "evt",
  endpoint: "whe",
  delivery: "dlv",
  replay: "rpl",
  import: "imp",
  audit: "aud",
  access_request: "acr",
  sign_in: "sgn",
  view: "view",
  request: "req",
} as const;

export type Kind = keyof typeof PREFIXES;

/** Resources that have a name or a number instead of an id: its pattern and an example. */
const NAMES = { grade: ["^[a-z][a-z0-9_-]{0,39}$", "gold"], version_number: ["^[1-9][0-9]{0,8}$", "3"] } as const;

/** What a path can name: a resource by its id, by its name or by its number. */
export type Named = Kind | keyof typeof NAMES;

/** Crockford's base 32 in lower case: no i, l, o or u, and its order is the byte order of `collate "C"`. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const BODY = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

const bytes = Buffer.alloc(16);
const randomPool = Buffer.alloc(4096);
let randomUsed = randomPool.length;
/** 26 bits, started below half: more ids than a process makes in a millisecond, or a transaction at its one instant. */
const COUNTER_MAX = 2 ** 26 - 1;
/** Transactions have an instant each and make their ids in turns, so the counters of many instants are kept. */
const INSTANTS_MAX = 1_000;
const counters = new Map<number, number>();
let newest_ms = 0;

function takeRandom(target: Buffer, offset: number, length: number): void {
  if (randomUsed + length > randomPool.length) {
    randomFillSync(randomPool);
    randomUsed = 0;
  }
  randomPool.copy(target, offset, randomUsed, randomUsed + length);
  randomUsed += length;
}

/**
 * A new id: the kind's prefix and a UUIDv7 (RFC 9562) in 26 characters. The bits between its time and its last six
 * random bytes are a counter within a millisecond, so ids of one process and one instant keep their order of creation.
 */
export function newId(kind: Kind, now_ms: number): string {
  takeRandom(bytes, 6, 10);
  const counter = nextCounter(now_ms, bytes.readUInt32BE(6) & (COUNTER_MAX >>> 1));
  bytes.writeUIntBE(now_ms, 0, 6);
  bytes.writeUInt16BE(0x7000 | (counter >>> 14), 6);
  bytes.writeUInt16BE(0x8000 | (counter & 0x3fff), 8);
  return `${PREFIXES[kind]}_${encode(bytes)}`;
}

function nextCounter(now_ms: number, start: number): number {
  const last = counters.get(now_ms);
  const next = last !== undefined && last < COUNTER_MAX ? last + 1 : start;
  // Deleted and set again, it is the newest: the one that was used least recently is forgotten. A deletion is dear, and rarely needed.
  if (now_ms !== newest_ms) counters.delete(now_ms);
  newest_ms = now_ms;
  counters.set(now_ms, next);
  if (counters.size > INSTANTS_MAX) counters.delete(counters.keys().next().value as number);
  return next;
}

/** The smallest id of a kind at an instant: a bound for ranges of ids. */
export function firstIdAt(kind: Kind, at_ms: number): string {
  const floor = Buffer.alloc(16);
  floor.writeUIntBE(at_ms, 0, 6);
  return `${PREFIXES[kind]}_${encode(floor)}`;
}

/** The same for a time in RFC 3339, clamped to the range that an id can hold. */
export function firstIdAtTime(kind: Kind, time: string): string {
  return firstIdAt(kind, Math.min(Math.max(Date.parse(time), 0), 2 ** 48 - 1));
}

/** The creation time of an id in milliseconds: the first ten characters after its prefix. */
export function timeOfId(id: string): number {
  const start = id.indexOf("_") + 1;
  let time_ms = 0;
  for (let index = start; index < start + 10; index += 1) time_ms = time_ms * 32 + ALPHABET.indexOf(id[index] ?? "");
  return time_ms;
}

export function isId(kind: Kind, value: string): boolean {
  const prefix = PREFIXES[kind];
  return value.startsWith(`${prefix}_`) && BODY.test(value.slice(prefix.length + 1));
}

/** The pattern of a kind's ids or names, for JSON schemas. */
export function idPattern(named: Named): string {
  return isNamed(named) ? NAMES[named][0] : `^${PREFIXES[named]}_[0-7][0-9a-hjkmnp-tv-z]{25}$`;
}

/** Whether a text is an id of a kind, or a name where it has names. */
export function isIdOrName(named: Named, value: string): boolean {
  return isNamed(named) ? new RegExp(NAMES[named][0]).test(value) : isId(named, value);
}

/** Whether a text is meant to be an id of a kind, valid or not. */
export function resemblesId(named: Named, value: string): boolean {
  return isNamed(named) ? isIdOrName(named, value) : value.startsWith(`${PREFIXES[named]}_`);
}

function isNamed(named: Named): named is keyof typeof NAMES {
  return named in NAMES;
}

/** The kind whose ids a pattern describes, or null for any other pattern. */
export function kindOfPattern(pattern: string): Kind | null {
  return (Object.keys(PREFIXES) as Kind[]).find((kind) => idPattern(kind) === pattern) ?? null;
}

/** An id or name for examples. */
export function exampleId(named: Named): string {
  return isNamed(named) ? NAMES[named][1] : `${PREFIXES[named]}_01jd3k5y5cf7m8n9p0q1r2s3t4`;
}

/** A kind in a sentence. */
export function kindName(kind: Kind): string {
  return (
    { audit: "audit entry", endpoint: "webhook endpoint", link: "affiliate link" }[kind as string] ?? kind.replaceAll("_", " ")
  );
}

/** 128 bits with two leading zero bits are 26 groups of five. */
function encode(value: Buffer): string {
  let text = "";
  let held = 0;
  let heldBits = 2;
  for (const byte of value) {
    held = (held << 8) | byte;
    heldBits += 8;
    while (heldBits >= 5) {
      heldBits -= 5;
      text += ALPHABET[(held >>> heldBits) & 31];
    }
    held &= (1 << heldBits) - 1;
  }
  return text;
}
