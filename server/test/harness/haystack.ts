import { createHash } from "node:crypto";
import fc from "fast-check";
import { newId } from "../../src/kernel/ids.ts";
import type { TestPartner, World } from "./world.ts";

/** Rows in bursts: how many, how far apart, and how long nothing came before them. */
export type History = { seed: number; bursts: { count: number; step_ms: number; pause_ms: number }[] };

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

/** Histories of up to so many rows: dense and sparse ones, within a slice of ids and over many. */
export function histories(rows_max: number): fc.Arbitrary<History> {
  const burst = fc.record({
    count: fc.integer({ min: 1, max: Math.floor(rows_max / 4) }),
    step_ms: fc.constantFrom(0, 1, MINUTE_MS, 60 * MINUTE_MS),
    pause_ms: fc.constantFrom(0, 10 * MINUTE_MS, DAY_MS, 13 * DAY_MS, 60 * DAY_MS),
  });
  return fc.record({ seed: fc.nat(), bursts: fc.array(burst, { minLength: 2, maxLength: 4 }) });
}

/** Words with accents and signs that a pattern must not take for its own; the first ones are the most common. */
const GIVEN = ["Ada", "Bo", "Zoë", "Wilhelmina", "Ng"];
const FAMILIES = ["Okafor", "Lindqvist", "Okonkwo", "O'Neil", "Zimmermann", "100%_Real", "Núñez", "Ibáñez-Quist", "Back\\slash"];
const COMPANIES = ["Harbour Dental", "Harbour & Sons", "Nordlys A/S", "Ørsted Øl", "Quay_Side 7"];
const TAGS = ["common", "some", "rare"];

export type Straw = {
  place: number;
  account: number;
  given: string;
  family: string;
  company: string | null;
  email: string | null;
  phone: string;
  tag: string;
  /** Whether it is deleted, or of a client: whether it has left. */
  gone: boolean;
  at_ms: number;
};

/** The rows of a history, the oldest first, in so many accounts. */
export function strawsOf({ seed, bursts }: History, begun_ms: number, accounts: number): Straw[] {
  const straws: Straw[] = [];
  let at_ms = begun_ms;
  for (const { count, step_ms, pause_ms } of bursts) {
    at_ms += pause_ms;
    for (let index = 0; index < count; index += 1) {
      at_ms += step_ms;
      straws.push(strawAt(seed, straws.length, at_ms, accounts));
    }
  }
  return straws;
}

function strawAt(seed: number, place: number, at_ms: number, accounts: number): Straw {
  const dice = createHash("sha256").update(`${seed} ${place}`).digest();
  const share = (die: number) => dice.readUInt16BE(2 * die) / 65_536;
  const skewed = (list: readonly string[], die: number) => list[Math.floor(list.length * share(die) ** 2)] ?? "";
  const family = skewed(FAMILIES, 1);
  return {
    place,
    account: Math.floor(accounts * share(0) ** 2),
    given: skewed(GIVEN, 2),
    family,
    company: share(3) < 0.8 ? skewed(COMPANIES, 4) : null,
    email: share(5) < 0.9 ? `${family.replaceAll(/[^A-Za-z]/g, "")}.${place}@${place % 3 === 0 ? "lund" : "quay"}.example` : null,
    phone: `+1415${2_000_000 + place}`,
    tag: skewed(TAGS, 6),
    gone: share(7) < 0.08,
    at_ms,
  };
}

export const nameOf = ({ given, family }: Straw) => `${given} ${family}`;

const ROWS = `json_to_recordset($2::json) as r (id text, account_id text, name text, company text, email text, phone text, tag text,
  place int, gone boolean, at timestamptz)`;

/** How rows come into each table. Leads and deals are like the first one of their account, which the API has made. */
const INSERTS = {
  contact: `
    insert into contacts (partner_id, id, account_id, name, phone, email, company, tags, deleted_at, created_at, updated_at)
    select $1, r.id, r.account_id, r.name, r.phone, r.email, r.company, array[r.tag], case when r.gone then r.at end, r.at,
      r.at + r.place % 50 * interval '1 day' from ${ROWS}`,
  lead: `
    insert into leads (partner_id, id, account_id, name, phone, email, company, status, score, source, tags, last_activity_at, deleted_at, created_at, updated_at)
    select $1, r.id, r.account_id, r.name, r.phone, r.email, r.company, t.status, r.place % 40, t.source, array[r.tag], r.at,
      case when r.gone then r.at end, r.at, r.at + r.place % 50 * interval '1 day'
    from ${ROWS} join leads t on t.partner_id = $1 and t.account_id = r.account_id and t.id = any ($3)`,
  deal: `
    insert into deals (partner_id, id, account_id, sale, pipeline_id, stage_id, status, stage_entered_at, name, company, amount_cents, currency, tags,
      deleted_at, created_at, updated_at)
    select $1, r.id, r.account_id, false, t.pipeline_id, t.stage_id, t.status, r.at, r.name, r.company, nullif(r.place % 40, 0), 'usd', array[r.tag],
      case when r.gone then r.at end, r.at, r.at + r.place % 50 * interval '1 day'
    from ${ROWS} join deals t on t.partner_id = $1 and t.account_id = r.account_id and t.id = any ($3)`,
  client: `
    insert into clients (partner_id, id, company, external_id, contact, currency, status, status_changed_at, tags, created_at, updated_at)
    select $1, r.id, r.name, 'ext-' || r.place, jsonb_strip_nulls(jsonb_build_object('name', r.company, 'email', r.email, 'phone', r.phone)), 'usd',
      case when r.gone then 'churned' else 'active' end, r.at, array[r.tag], r.at, r.at + r.place % 50 * interval '1 day' from ${ROWS}`,
};
export type Hay = keyof typeof INSERTS;

/** Stores rows of a kind in accounts of a partner. Returns their ids, in the order of the rows. */
export async function addHay(
  world: World,
  kind: Hay,
  partner: TestPartner,
  accounts: readonly string[],
  straws: readonly Straw[],
): Promise<string[]> {
  const first: string[] = [];
  if (kind === "lead" || kind === "deal") {
    for (const account_id of accounts) {
      const body = { account_id, name: "The first one" };
      first.push((await world.call("POST", `/v1/${kind}s`, { key: partner.key, body })).body.id);
    }
  }
  const rows = straws.map((straw) => ({
    ...straw,
    id: newId(kind, straw.at_ms),
    account_id: accounts[straw.account],
    name: nameOf(straw),
    at: new Date(straw.at_ms),
  }));
  const values = [partner.partner_id, JSON.stringify(rows)];
  await world.db.sql(INSERTS[kind], first.length > 0 ? [...values, first] : values);
  await world.db.sql(`analyze ${kind}s`);
  return rows.map(({ id }) => id);
}
