import {
  accountOf,
  coverageOf,
  type Earning,
  type EarningCharge,
  isClaimed,
  keptAfter,
  openLevels,
  type RuleRef,
  rateOf,
  type Share,
  sharesOf,
  sourceOf,
  type Terms,
} from "../../commissions/index.ts";
import { ACCOUNTS, type Account } from "../../ledger/index.ts";

/** Something that is not as the facts say. */
export type Difference = { partner_id: string; table: string; id: string; problem: string; expected: unknown; found: unknown };

export type Transfer = {
  seq: number;
  at: Date;
  debit: Account;
  credit: Account;
  currency: string;
  amount_cents: number;
  debit_after: number;
  credit_after: number;
  commission_id: string | null;
};

/** As much of a commission as its amount and its place follow from. */
export type Row = {
  id: string;
  cause: string;
  level: number;
  root_id: string | null;
  origin_partner_id: string | null;
  base_cents: number;
  rate_bps: number;
  amount_cents: number;
  currency: string;
  rule: RuleRef | null;
  reason_code: string | null;
  status: "pending" | "held" | "approved" | "scheduled" | "paid" | "void";
};

export type PaidCharge = EarningCharge & {
  deal_id: string | null;
  round: number | null;
  levels: number;
  refunded_cents: number;
  outcome: string;
};

export type AppliedRefund = { id: string; charge_id: string | null; amount_cents: number; applied_cents: number; status: string };

/** The rates of a version of a rule. */
export type Rates = Pick<Terms, "first" | "recurring">;

/** What sellers sold and were paid for, from which every row can be calculated again. */
export type Facts = {
  /** By deal and round. */
  earnings: ReadonlyMap<string, Earning>;
  charges: ReadonlyMap<string, PaidCharge>;
  /** By charge. */
  refunds: ReadonlyMap<string, readonly AppliedRefund[]>;
  /** By id and version. */
  rules: ReadonlyMap<string, Rates>;
};

export const roundKey = (deal_id: string, round: number | string): string => `${deal_id} ${round}`;
export const ruleKey = ({ id, version }: Pick<RuleRef, "id" | "version">): string => `${id} ${version}`;

/** The same within one book. */
export type Found = Omit<Difference, "partner_id">;
type Balances = Map<string, number>;

const key = (account: string, currency: string) => `${account} ${currency}`;

function add(balances: Balances, at: string, by: number): number {
  const after = (balances.get(at) ?? 0) + by;
  balances.set(at, after);
  return after;
}

/** Adds the transfers of a book up again, in their order. */
export class LedgerCheck {
  readonly found: Found[] = [];
  readonly balances: Balances = new Map();
  /** What the transfers of each commission moved, by account and currency. */
  readonly moved = new Map<string, Balances>();
  private seq = 0;
  private at = new Date(0);

  read(transfers: readonly Transfer[]): void {
    for (const transfer of transfers) this.readOne(transfer);
  }

  private readOne(transfer: Transfer): void {
    const { seq, at, debit, credit, currency, amount_cents, commission_id } = transfer;
    const differs = (problem: string, expected: unknown, value: unknown) =>
      this.found.push({ table: "ledger_transfers", id: String(seq), problem, expected, found: value });
    this.seq += 1;
    if (seq !== this.seq) differs("the numbers have a gap", this.seq, seq);
    this.seq = seq;
    if (at < this.at) differs("the time goes back", this.at.toISOString(), at.toISOString());
    this.at = at;
    const debit_after = add(this.balances, key(debit, currency), -amount_cents);
    const credit_after = add(this.balances, key(credit, currency), amount_cents);
    if (debit_after !== transfer.debit_after) differs(`the balance of ${debit} is wrong`, debit_after, transfer.debit_after);
    if (credit_after !== transfer.credit_after) differs(`the balance of ${credit} is wrong`, credit_after, transfer.credit_after);
    if (commission_id === null) return;
    const moved = this.moved.get(commission_id) ?? new Map();
    this.moved.set(commission_id, moved);
    add(moved, key(debit, currency), -amount_cents);
    add(moved, key(credit, currency), amount_cents);
  }
}

/** Whether each commission stands in the ledger with its amount, in the account of its status, and nothing else does. */
export function checkPlaces(rows: readonly Row[], ledger: LedgerCheck): Found[] {
  const found: Found[] = [];
  const known = new Set(rows.map(({ id }) => id));
  for (const row of rows) {
    const { id, amount_cents, currency, status } = row;
    const moved = ledger.moved.get(id) ?? new Map<string, number>();
    const origin = sourceOf(row);
    const wrong = (problem: string, expected: unknown, value: unknown) =>
      found.push({ table: "commissions", id, problem, expected, found: value });
    const earned = -(moved.get(key(origin, currency)) ?? 0);
    if (earned !== amount_cents) wrong("the ledger has another amount", amount_cents, earned);
    if (status === "void") continue;
    // A payout moves the sum of what it has claimed, which stood in approved.
    const account = isClaimed(row) ? "approved" : accountOf(status);
    const stands = moved.get(key(account, currency)) ?? 0;
    if (stands !== amount_cents) wrong(`it does not stand in ${account}`, amount_cents, stands);
  }
  for (const id of ledger.moved.keys())
    if (!known.has(id))
      found.push({ table: "ledger_transfers", id, problem: "the commission is missing", expected: id, found: null });
  return [...found, ...checkBalances(rows, ledger)];
}

/** Whether the commissions of each status sum to the balance of its account. */
function checkBalances(rows: readonly Row[], { balances }: LedgerCheck): Found[] {
  const sums: Balances = new Map();
  for (const { status, currency, amount_cents } of rows)
    if (status !== "void") add(sums, key(accountOf(status), currency), amount_cents);
  const places = new Set([...balances.keys(), ...sums.keys()]);
  const owed = ACCOUNTS.filter((account) => account !== "expense" && account !== "written_off");
  return [...places]
    .filter((place) => owed.some((account) => place.startsWith(`${account} `)))
    .filter((place) => (balances.get(place) ?? 0) !== (sums.get(place) ?? 0))
    .map((place) => ({
      table: "ledger_transfers",
      id: place,
      problem: "the balance is not the sum of the commissions",
      expected: sums.get(place) ?? 0,
      found: balances.get(place) ?? 0,
    }));
}

/** Whether what was refunded of each charge is the sum of its refunds. */
export function checkRefunds({ charges, refunds }: Facts): Found[] {
  const found: Found[] = [];
  for (const { id, refunded_cents } of charges.values()) {
    const applied = (refunds.get(id) ?? []).reduce((sum, { applied_cents }) => sum + applied_cents, 0);
    if (applied !== refunded_cents)
      found.push({ table: "charges", id, problem: "it is not the sum of its refunds", expected: applied, found: refunded_cents });
  }
  return found;
}

/** The facts that the cause of a root names. */
type Cause =
  | { kind: "win"; deal_id: string; round: number; level: number }
  | { kind: "first" | "recurring"; charge_id: string; deal_id: string; round: number; level: number };

export function causeOf(cause: string): Cause | null {
  const [word, ...parts] = cause.split(":");
  if (word === "win" && parts.length === 3) {
    const [deal_id = "", round, level] = parts;
    return { kind: "win", deal_id, round: Number(round), level: Number(level) };
  }
  if (word !== "charge" || parts.length !== 5) return null;
  const [charge_id = "", deal_id = "", round, kind, level] = parts;
  if (kind !== "first" && kind !== "recurring") return null;
  return { kind, charge_id, deal_id, round: Number(round), level: Number(level) };
}

const wrongRow = ({ id, amount_cents }: Row, problem: string, expected: unknown): Found => ({
  table: "commissions",
  id,
  problem,
  expected,
  found: amount_cents,
});

/** What an operator entered, and what the marketplace compares with its purchases. */
const BY_OTHERS = /^(adjust|purchase):/;

/** Calculates a root and the rows that name it again. */
export function checkGroup(root: Row, rest: readonly Row[], facts: Facts): Found[] {
  const rows = [root, ...rest.toSorted((a, b) => (a.id < b.id ? -1 : 1))];
  const total = rows.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  const reversing = rest.find((row) => row.cause.startsWith("reverse:")) ?? root;
  if (root.status === "void" && total !== 0)
    return [wrongRow(reversing, "it is void, but its rows do not sum to 0", reversing.amount_cents - total)];
  const cause = causeOf(root.cause);
  if (cause === null)
    return BY_OTHERS.test(root.cause) ? checkRest(rows, null) : [wrongRow(root, "its cause is unknown", root.cause)];
  const earning = facts.earnings.get(roundKey(cause.deal_id, cause.round));
  if (earning === undefined) return [wrongRow(root, "the sale that it was earned for is missing", cause.deal_id)];
  const charge = facts.charges.get(cause.kind === "win" ? (earning.first_charge_id ?? "") : cause.charge_id) ?? null;
  const assigned = charge?.deal_id === cause.deal_id && charge.round === cause.round;
  if (cause.kind !== "win" && !assigned)
    return total === 0 ? [] : [wrongRow(root, "its charge no longer earns for the sale", -total)];
  const shares = cause.kind === "win" ? winShares(earning) : chargeShares(earning, charge, root, cause.kind, facts);
  const expected = shareAt(shares, cause.level);
  const found = root.amount_cents === expected ? [] : [wrongRow(root, "the amount is not what the facts make", expected)];
  return [
    ...found,
    ...checkRest(
      rows,
      assigned && charge !== null ? { earning, charge, level: cause.level, win: cause.kind === "win", facts } : null,
    ),
  ];
}

export function winShares(earning: Earning): Share[] {
  const { terms, mrr_cents, currency, opened_at, window_until } = earning;
  const over = terms.continues && window_until !== null && opened_at >= window_until;
  return over ? [] : sharesOf(mrr_cents, currency, rateOf(terms, true), terms.rule, openLevels(terms));
}

/** What a charge earns at every level: its first month for a sale that it is the first charge of, or everything else. */
export function chargeShares(
  earning: Earning,
  charge: PaidCharge | null,
  { rule }: Pick<Row, "rule">,
  kind: "first" | "recurring",
  { rules }: Pick<Facts, "rules">,
): Share[] {
  if (charge === null || charge.amount_cents === 0) return [];
  const { terms } = earning;
  const coverage = coverageOf(charge, earning.window_until, earning.first_charge_id === charge.id);
  const anew = terms.applies_to === "all_charges" && rule !== null ? rules.get(ruleKey(rule)) : undefined;
  const rates = { ...terms, ...anew };
  const by = anew === undefined ? terms.rule : rule;
  if (kind === "first") return sharesOf(coverage.first_cents, charge.currency, rateOf(rates, true), by, openLevels(terms));
  const upline = terms.upline.filter(({ level }) => (charge.levels & (1 << (level - 1))) !== 0);
  return sharesOf(coverage.recurring_cents, charge.currency, rates.recurring, by, { cap_bps: terms.cap_bps, upline });
}

export function shareAt(shares: readonly Share[], level: number): number {
  return shares.find((share) => (share.level?.level ?? 0) === level)?.amount_cents ?? 0;
}

type Settlement = { earning: Earning; charge: PaidCharge; level: number; win: boolean; facts: Facts };

/**
 * Checks the rows that change a root: the settling row brings it to what the first charge earns, refunds together to what is kept of
 * that, a reversal to nothing. Refunds that came at the same time have no order, so that only their sum follows from the facts.
 */
function checkRest([root, ...rest]: readonly Row[], by: Settlement | null): Found[] {
  if (root === undefined) return [];
  const of = (word: string) => rest.filter(({ cause }) => cause.startsWith(`${word}:`));
  const [settling, refunds, reversing] = [of("settle"), of("refund"), of("reverse")];
  const found: Found[] = [];
  const expect = (rows: readonly Row[], expected: number) => {
    const last = rows.at(-1) ?? root;
    if (sumOf(rows) !== expected) found.push(wrongRow(last, "the amount is not what the facts make", rowAmount(rows, expected)));
  };
  for (const row of rest)
    if (![settling, refunds, reversing].some((rows) => rows.includes(row)))
      found.push(wrongRow(row, "its cause is unknown", row.cause));
  const settled = root.amount_cents + sumOf(settling);
  if (reversing.length > 0) expect(reversing, -settled - sumOf(refunds));
  // What was reversed is no longer changed, and the rows of a charge that the sale no longer earns can be seen as a sum alone.
  if (by === null || reversing.length > 0) return found;
  if (by.win) expect(settling, dueAfter(root, settling, by) - root.amount_cents);
  expect(refunds, keptOf(root, settled, by) - settled);
  return found;
}

/**
 * What the first charge makes of the root of a win. Where its rule was chosen anew, there may have been none: the seller's row then
 * names none; those of overrides name no rule at all, and are at nothing.
 */
function dueAfter(root: Row, settling: readonly Row[], { earning, charge, level, facts }: Settlement): number {
  const chosen = settling[0] ?? root;
  const none = level === 0 ? chosen.rule === null : root.amount_cents + sumOf(settling) === 0;
  if (none && earning.terms.applies_to === "all_charges") return 0;
  return shareAt(chargeShares(earning, charge, chosen, "first", facts), level);
}

const sumOf = (rows: readonly Row[]) => rows.reduce((sum, { amount_cents }) => sum + amount_cents, 0);

/** What the last of some rows should be, so that they have a sum. */
const rowAmount = (rows: readonly Row[], sum: number) => sum - sumOf(rows.slice(0, -1));

/** What is left of a settled root after the refunds of its charge. */
function keptOf(root: Row, amount_cents: number, { earning, charge, win, facts }: Settlement): number {
  const refunded = (facts.refunds.get(charge.id) ?? []).reduce((sum, { applied_cents }) => sum + applied_cents, 0);
  const coverage = coverageOf(charge, earning.window_until, earning.first_charge_id === charge.id);
  const base_cents = win ? coverage.first_cents : root.base_cents;
  return keptAfter({ base_cents, amount_cents, rate_bps: root.rate_bps }, refunded, charge.amount_cents);
}

/** A root that the facts make. */
export type Expected = { partner_id: string; causes: string[]; amount_cents: number };

/** The roots that the sales and charges of a seller must have made, in its book and in those above it. */
export function expectedRoots(seller: string, { earnings, charges, rules }: Facts): Expected[] {
  const expected: Expected[] = [];
  const want = (shares: readonly Share[], causes: (level: number) => string[]) => {
    for (const { level, amount_cents } of shares)
      if (amount_cents !== 0)
        expected.push({ partner_id: level?.partner_id ?? seller, causes: causes(level?.level ?? 0), amount_cents });
  };
  for (const earning of earnings.values()) {
    const { deal_id, round, terms } = earning;
    const win = (level: number) => `win:${deal_id}:${round}:${level}`;
    want(winShares(earning), (level) => [win(level)]);
    // A rule that is chosen anew for each charge is known by the row alone.
    if (terms.applies_to === "all_charges") continue;
    for (const charge of charges.values()) {
      if (charge.deal_id !== deal_id || charge.round !== round) continue;
      const of = (kind: string, level: number) => `charge:${charge.id}:${deal_id}:${round}:${kind}:${level}`;
      want(chargeShares(earning, charge, { rule: null }, "recurring", { rules }), (level) => [of("recurring", level)]);
      if (earning.first_charge_id !== charge.id) continue;
      want(chargeShares(earning, charge, { rule: null }, "first", { rules }), (level) => [win(level), of("first", level)]);
    }
  }
  return expected;
}
