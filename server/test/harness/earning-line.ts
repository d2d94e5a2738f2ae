import { moveDeal } from "./deals.ts";
import type { earning } from "./earning.ts";
import { paying } from "./payouts.ts";
import { DAY_MS, nextCompany } from "./sales.ts";
import { BASE, type Json, type Reply, type TestPartner, type World } from "./world.ts";

/** One thing that happens. Numbers choose among what is there; what cannot happen is refused, and that is fine. */
export type Happening = {
  does: Deed;
  who: number;
  which: number;
  amount_cents: number;
  months: number;
  days: number;
  bps: number;
  again: boolean;
};

type Known = { id: string; partner: TestPartner; client_id: string | null };
type KnownCharge = { id: string | null; external_id: string; client_id: string; amount_cents: number };

/** A seller, the partner above it and the one above that, with what happened to them. */
export type Line = {
  partners: TestPartner[];
  rule_id: string;
  deals: Known[];
  charges: KnownCharge[];
};

type Money = ReturnType<typeof earning>;
type Act = (stage: Stage, line: Line, happening: Happening) => Promise<Reply | null>;
type Stage = { world: World; money: Money };

const pick = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(list.length, 1)];
let names = 0;
const nextName = (prefix: string) => {
  names += 1;
  return `${prefix}_${names}`;
};

const GRADES = ["registered", "silver", "gold", "platinum"];
const CURRENCIES = ["usd", "usd", "usd", "eur"];

async function decide({ money }: Stage, line: Line, which: number, decision: "approve" | "reject"): Promise<Reply | null> {
  const deal = pick(line.deals, which);
  const body = decision === "reject" ? { reason: "Known to us." } : undefined;
  return deal === undefined ? null : money.admin("POST", `/registrations/${deal.id}/${decision}`, body);
}

async function moveTo({ world }: Stage, line: Line, which: number, stage: string): Promise<Reply | null> {
  const deal = pick(line.deals, which);
  if (deal === undefined) return null;
  const reply = await moveDeal(world, deal.partner, deal.id, { stage });
  if (reply.status === 200) deal.client_id = reply.body.client_id ?? deal.client_id;
  return reply;
}

const clientsOf = (line: Line) => [...new Set(line.deals.flatMap(({ client_id }) => client_id ?? []))];

async function change({ world, money }: Stage, line: Line, which: number, path: string, body?: object): Promise<Reply | null> {
  const ids = line.partners.map(({ partner_id }) => partner_id);
  const rows = await world.db.sql<{ id: string }>("select id from commissions where partner_id = any ($1) order by id", [ids]);
  const row = pick(rows, which);
  return row === undefined ? null : money.admin("POST", `/commissions/${row.id}/${path}`, body);
}

async function refund({ money }: Stage, line: Line, { which, amount_cents }: Happening, whole = false): Promise<Reply | null> {
  const charge = pick(line.charges, which);
  if (charge === undefined || charge.id === null) return null;
  const { body } = await money.admin("GET", `/charges/${charge.id}`);
  const left = body.amount_cents - body.refunded_cents;
  if (left === 0) return null;
  const part = whole ? left : Math.min(left, 1 + (amount_cents % charge.amount_cents));
  return repeatable(money, `/charges/${charge.id}/refunds`, { external_id: nextName("re"), amount_cents: part });
}

/** A report that is sent again a moment later, and then changes nothing. */
async function repeatable(money: Money, path: string, body: object): Promise<Reply> {
  const first = await money.admin("POST", path, body);
  const second = await money.admin("POST", path, body);
  if (first.status === 201 && (second.status !== 200 || second.body.id !== first.body.id)) throw new Error(second.text);
  return first;
}

/** Does something to a payout of the line. */
async function settle({ world, money }: Stage, { partners }: Line, which: number, verb: PayoutVerb, body?: object) {
  const ids = partners.map(({ partner_id }) => partner_id);
  const rows = await world.db.sql<{ id: string }>("select id from payouts where partner_id = any ($1) order by id", [ids]);
  const payout = pick(rows, which);
  return payout === undefined ? null : paying(world, money).act(payout.id, verb, body);
}
type PayoutVerb = "paid" | "failed" | "retry" | "cancel";

/** Runs payouts, by now or by a time before. The run does what its preview said. */
async function runPayouts({ world, money }: Stage, days: number): Promise<null> {
  // The same moment for both: what becomes due between them is no difference.
  world.clock.advance(1);
  const cutoff = days % 3 === 0 ? { cutoff: new Date(world.clock.now().getTime() - days * DAY_MS).toISOString() } : {};
  const preview = (await money.admin("POST", "/payout-runs/preview", cutoff)).body;
  const run = await paying(world, money).run({ cutoff: preview.cutoff });
  const [said, done] = [preview, run].map(({ scheduled, blocked }) => JSON.stringify({ scheduled, blocked }));
  if (said !== done) throw new Error(`the preview says ${said}, the run ${done}`);
  return null;
}

/** Makes a file of the newest run. */
async function exportPayouts({ world, money }: Stage, format: "csv" | "sepa"): Promise<Reply | null> {
  const [run] = (await money.admin("GET", "/payout-runs?limit=1")).body.data;
  if (run === undefined) return null;
  const reply = await money.admin("POST", `/payout-runs/${run.id}/export`, { format });
  await paying(world, money).work();
  return reply;
}

async function patchRule(money: Money, { rule_id }: Line, body: object): Promise<Reply> {
  return money.admin("PATCH", `/rules/${rule_id}`, body, { "if-match": "*" });
}

/** Everything that can happen. */
const DEEDS = {
  async register({ world }, line, { who, which, amount_cents, months }) {
    const partner = line.partners[who] as TestPartner;
    const own = line.deals.filter((deal) => deal.partner === partner && deal.client_id !== null);
    // Every other sale is a further one to a client that is there.
    const sold = which % 2 === 0 ? pick(own, which) : undefined;
    const client = sold === undefined ? {} : { client_id: sold.client_id };
    const currency = CURRENCIES[months % 4];
    const fields = { company: nextCompany(), plan: "Growth", mrr_cents: amount_cents, currency, ...client };
    const reply = await world.call("POST", `${BASE}/deals`, { key: partner.key, body: fields });
    if (reply.status === 201) line.deals.push({ id: reply.body.id, partner, client_id: sold?.client_id ?? null });
    return reply;
  },
  approve: (stage, line, { which }) => decide(stage, line, which, "approve"),
  reject: (stage, line, { which }) => decide(stage, line, which, "reject"),
  win: (stage, line, { which }) => moveTo(stage, line, which, "Won"),
  reopen: (stage, line, { which }) => moveTo(stage, line, which, "New"),
  lose: (stage, line, { which }) => moveTo(stage, line, which, "Lost"),
  async charge({ world, money }, line, { which, amount_cents, months, days }) {
    const client_id = pick(clientsOf(line), which);
    if (client_id === undefined) return null;
    const early = line.charges.find((one) => one.id === null && one.client_id === client_id);
    const external_id = early?.external_id ?? nextName("in");
    // Some are reported days after they were made.
    const charged_at = new Date(world.clock.now().getTime() - (days % 5) * DAY_MS).toISOString();
    const report = { external_id, amount_cents, currency: CURRENCIES[months % 4], charged_at, months: months < 4 ? 1 : months };
    const reply = await repeatable(money, `/clients/${client_id}/charges`, report);
    if (reply.status !== 201) return reply;
    if (early === undefined) line.charges.push({ id: reply.body.id, external_id, client_id, amount_cents });
    else Object.assign(early, { id: reply.body.id, amount_cents });
    return reply;
  },
  refund: (stage, line, happening) => refund(stage, line, happening),
  refund_all: (stage, line, happening) => refund(stage, line, happening, true),
  async refund_early({ money }, line, { which, amount_cents }) {
    const client_id = pick(clientsOf(line), which);
    if (client_id === undefined) return null;
    const known = line.charges.find((one) => one.id === null && one.client_id === client_id);
    const charge_external_id = known?.external_id ?? nextName("early");
    if (known === undefined) line.charges.push({ id: null, external_id: charge_external_id, client_id, amount_cents: 0 });
    const report = { external_id: nextName("re"), charge_external_id, amount_cents: 1 + Math.trunc(amount_cents / 3) };
    return repeatable(money, `/clients/${client_id}/refunds`, report);
  },
  hold: (stage, line, { which }) => change(stage, line, which, "hold", { reason: "Disputed" }),
  release: (stage, line, { which }) => change(stage, line, which, "release"),
  void: (stage, line, { which }) => change(stage, line, which, "void", { reason_code: "other" }),
  adjust({ money }, line, { who, amount_cents, which }) {
    const amount = which % 2 === 0 ? 1 + amount_cents : -1 - amount_cents;
    const reason_code = which % 3 === 0 ? "write_off" : "bonus";
    const body = { amount_cents: amount, currency: "usd", reason_code, reference: nextName("adj") };
    return repeatable(money, `/partners/${line.partners[who]?.partner_id}/adjustments`, body);
  },
  regrade({ money }, { partners }, { who, which }) {
    const body = { grade: GRADES[which % 4] };
    return money.admin("PATCH", `/partners/${partners[who]?.partner_id}`, body, { "if-match": "*" });
  },
  reparent({ money }, { partners }, { who, which }) {
    const parent_id = which % 4 === 3 ? null : partners[which % 3]?.partner_id;
    return money.admin("PATCH", `/partners/${partners[who]?.partner_id}`, { parent_id }, { "if-match": "*" });
  },
  change_rule({ money }, line, { which, bps, amount_cents, months }) {
    const rate = which % 3 === 0 ? { flat_cents: amount_cents % 5000, currency: "usd" } : { bps };
    const applies_to = which % 2 === 0 ? "new_deals" : "all_charges";
    return patchRule(money, line, { first: rate, recurring: { bps: bps >> 1 }, months, applies_to, active: which % 5 !== 4 });
  },
  method({ money }, { partners }, { who, which }) {
    const { partner_id } = partners[who] as TestPartner;
    const manual = {
      kind: "manual",
      holder: "Ada Okafor",
      instructions: nextName("Cheque"),
      currencies: ["usd", "eur"].slice(which % 2),
    };
    const sepa = { kind: "sepa", holder: "Ada Okafor", iban: "DE89370400440532013000" };
    return money.admin("PUT", `/partners/${partner_id}/payout-method`, which % 3 === 0 ? sepa : manual);
  },
  hold_payouts({ money }, { partners }, { who, again }) {
    const body = again ? { held: true, reason: "Checked" } : { held: false };
    return money.admin("PUT", `/partners/${partners[who]?.partner_id}/payout-hold`, body);
  },
  run_payouts: (stage, _, { days }) => runPayouts(stage, days),
  export_payouts: (stage, _, { again }) => exportPayouts(stage, again ? "sepa" : "csv"),
  pay: (stage, line, { which }) => settle(stage, line, which, "paid", { reference: "TRB-1" }),
  fail: (stage, line, { which }) => settle(stage, line, which, "failed", { failure: "Account closed" }),
  retry: (stage, line, { which }) => settle(stage, line, which, "retry"),
  cancel: (stage, line, { which }) => settle(stage, line, which, "cancel"),
  returned({ money }, { partners }, { who, amount_cents }) {
    const body = { amount_cents: 1 + amount_cents, currency: "usd", reason_code: "payout_returned", reference: nextName("ret") };
    return repeatable(money, `/partners/${partners[who]?.partner_id}/adjustments`, body);
  },
  async approval_job({ money }) {
    await money.runJob("commission_approval");
    return null;
  },
  async unpaid_sales_job({ money }) {
    await money.runJob("unpaid_sales");
    return null;
  },
  async time({ world }, _, { days }) {
    world.clock.advance(days * DAY_MS);
    return null;
  },
} satisfies Record<string, Act>;

export type Deed = keyof typeof DEEDS;
export const ALL_DEEDS = Object.keys(DEEDS) as Deed[];
/** What concerns terms of later sales, and no amount that is there. */
export const DEEDS_OF_TERMS: readonly Deed[] = ["regrade", "reparent", "change_rule", "register", "method", "hold_payouts"];

/** Lets something happen. Only a refusal or a success may come of it. */
export async function happen(stage: Stage, line: Line, happening: Happening): Promise<void> {
  const act: Act = DEEDS[happening.does];
  const reply = await act(stage, line, happening);
  if (reply !== null && reply.status >= 500) throw new Error(`${happening.does}: ${reply.text}`);
}

/** Three partners, one above the other, with a client of their own each and a rule for the seller's sales. */
export async function openLine({ world, money }: Stage): Promise<Line> {
  const partners: TestPartner[] = [];
  for (let level = 0; level < 3; level += 1) partners.push(await world.newPartner());
  const [seller, parent, grandparent] = partners as [TestPartner, TestPartner, TestPartner];
  await money.setParent(parent, grandparent);
  await money.setParent(seller, parent);
  for (const partner of partners) await world.newClient(partner);
  const terms = { first: { bps: 1500 }, recurring: { bps: 1250 }, months: 6 };
  const rule = { name: "Own", scope: "partner", partner_id: seller.partner_id, ...terms };
  const { status, body, text } = await money.admin("POST", "/rules", rule);
  if (status !== 201) throw new Error(text);
  return { partners, rule_id: body.id, deals: [], charges: [] };
}

const FIXED = `to_jsonb(c) - '{status,hold_until,hold_reason,payout_id,version}'::text[]`;

/** The commissions of a line, by id: what never changes of them, and all of it. */
export async function rowsOf({ world }: Stage, { partners }: Line): Promise<Map<string, { fixed: string; all: string }>> {
  const ids = partners.map(({ partner_id }) => partner_id);
  const rows = await world.db.sql<{ id: string; fixed: Json; all: Json }>(
    `select c.id, ${FIXED} as fixed, to_jsonb(c) as all from commissions c where c.partner_id = any ($1)`,
    [ids],
  );
  return new Map(rows.map(({ id, fixed, all }) => [id, { fixed: JSON.stringify(fixed), all: JSON.stringify(all) }]));
}

/** What each partner of a line has earned, by currency: the sum of its rows. */
export async function earnedBy({ world }: Stage, { partners }: Line): Promise<Record<string, number>[]> {
  return Promise.all(
    partners.map(async ({ partner_id }) => {
      const rows = await world.db.sql<{ currency: string; sum: string }>(
        "select currency, sum(amount_cents) from commissions where partner_id = $1 group by 1 having sum(amount_cents) <> 0 order by 1",
        [partner_id],
      );
      return Object.fromEntries(rows.map(({ currency, sum }) => [currency, Number(sum)]));
    }),
  );
}
