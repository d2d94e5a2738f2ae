import { notFound } from "../../../kernel/errors.ts";
import type { EventDraft } from "../../../kernel/events.ts";
import { StaleRead } from "../../../platform/db/connection.ts";
import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { accountOfCommission, type Books, type Fact, openBooks, type Posting } from "../ledger/index.ts";
import { commissionAccrued } from "./events.ts";
import { accountOf, type Commission, type Group, isClaimed, type Status, sourceOf, statusBeside, totalOf } from "./model.ts";
import { commissionsQuery, groupsByCause, groupsByRoot, type PartnerFacts, partnerFacts, saveQuery } from "./queries.ts";

/** What the journal itself knows of a new row. */
type Given = "id" | "grade" | "accrued_at" | "hold_reason" | "payout_id" | "version";

/** A root that is added. */
export type NewRoot = Omit<Commission, Given | "root_id" | "refund_id" | "status"> & { status: "pending" | "approved" };

/** A row that changes the amount of a root. */
export type Addition = Pick<Commission, "cause" | "kind" | "base_cents" | "amount_cents" | "calculation" | "reason_code"> & {
  fact: Fact;
  rule?: Commission["rule"];
  charge_id?: string | null;
  refund_id?: string | null;
};

/**
 * Changes of commissions within one transaction: each new row and each move with its transfer in the ledger and what is told of
 * it. The books of all partners concerned are locked first. Nothing is written before `save`.
 */
export class Journal {
  readonly tx: Tx;
  private readonly books: Books;
  private readonly locked: ReadonlySet<string>;
  private readonly partners: Map<string, PartnerFacts>;
  private readonly groups = new Map<string, Group>();
  /** The new rows, each with its event, which tells the row as it was added. */
  private readonly added = new Map<Commission, EventDraft>();
  private readonly changed = new Map<Commission, { from: Status; reason: string | null }>();

  private constructor(tx: Tx, books: Books, locked: readonly string[], partners: Map<string, PartnerFacts>) {
    this.tx = tx;
    this.books = books;
    this.locked = new Set(locked);
    this.partners = partners;
  }

  static async open(ctx: Context, tx: Tx, partner_ids: readonly string[]): Promise<Journal> {
    const [books, partners] = await Promise.all([openBooks(ctx, tx, partner_ids), partnerFacts(tx, partner_ids)]);
    return new Journal(tx, books, partner_ids, partners);
  }

  /** The partners whose books are locked. */
  get partner_ids(): string[] {
    return [...this.partners.keys()];
  }

  /** A partner whose book is locked. Where it is not, what was read before the lock has changed since. */
  partner(id: string): PartnerFacts {
    if (!this.locked.has(id)) throw new StaleRead(`the book of ${id} is not locked`);
    return this.partners.get(id) ?? notFound(id);
  }

  /** Reads the roots that some facts caused, unless they are known. */
  async load(wanted: ReadonlyMap<string, readonly string[]>): Promise<void> {
    await Promise.all(
      [...wanted].map(async ([partner_id, causes]) => {
        this.partner(partner_id);
        const missing = causes.filter((cause) => this.group(partner_id, cause) === undefined);
        for (const group of (await groupsByCause(this.tx, partner_id, missing)).values()) this.know(group);
      }),
    );
  }

  async loadRoots(partner_id: string, ids: readonly string[]): Promise<Group[]> {
    const groups = await groupsByRoot(this.tx, partner_id, ids);
    for (const group of groups) this.know(group);
    return groups;
  }

  /** The root that a fact caused, with the rows that name it. It was loaded before, or added. */
  group(partner_id: string, cause: string): Group | undefined {
    return this.groups.get(`${partner_id} ${cause}`);
  }

  private know(group: Group): void {
    this.groups.set(`${group.root.partner_id} ${group.root.cause}`, group);
  }

  /** Adds a root. Nothing is added for an amount of zero. */
  addRoot(row: NewRoot, fact: Fact): Commission | null {
    if (row.amount_cents === 0) return null;
    const root = this.insert({ ...row, root_id: null, refund_id: null });
    this.know({ root, rows: [root] });
    this.books.post(row.partner_id, {
      debit: sourceOf(row),
      credit: row.status,
      currency: row.currency,
      amount_cents: row.amount_cents,
      fact,
      commission_id: root.id,
    });
    return root;
  }

  /** Adds a row to a root, where the root stands. A root whose rows sum to zero is void. */
  addTo(group: Group, { fact, charge_id = null, refund_id = null, ...row }: Addition): void {
    if (row.amount_cents === 0) return;
    const { root } = group;
    const status = statusBeside(root);
    const hold_until = status === "approved" ? this.tx.now : root.hold_until;
    const added = this.insert({
      ...root,
      ...row,
      charge_id,
      refund_id,
      root_id: root.id,
      source_commission_id: root.id,
      status,
      hold_until,
    });
    group.rows.push(added);
    this.books.post(root.partner_id, {
      debit: sourceOf(root),
      credit: status,
      currency: root.currency,
      amount_cents: row.amount_cents,
      fact,
      commission_id: added.id,
    });
    this.voidIfEmpty(group);
  }

  /** Brings the rows of a root whose amounts summed to zero back to where they stand in the ledger, before a row that adds to them. */
  async revive({ root, rows }: Group): Promise<void> {
    if (root.status !== "void") return;
    const status = await accountOfCommission(this.tx, root.partner_id, root.id);
    for (const row of rows) this.set(row, { status }, null);
  }

  private insert(row: Omit<Commission, Given>): Commission {
    const { tx } = this;
    const added: Commission = {
      ...row,
      id: tx.newId("commission"),
      grade: this.partner(row.partner_id).grade,
      accrued_at: tx.now,
      hold_reason: null,
      payout_id: null,
      version: 1,
    };
    this.added.set(added, commissionAccrued(added));
    return added;
  }

  private voidIfEmpty(group: Group): void {
    if (totalOf(group) !== 0 || group.rows.some(isClaimed)) return;
    for (const row of group.rows) this.set(row, { status: "void" }, null);
  }

  /** Moves a root and its rows to another status. */
  move(group: Group, to: "pending" | "held" | "approved", fact: Fact, reason: string | null): void {
    for (const row of group.rows) {
      if (row.status === "void" || isClaimed(row) || row.status === to) continue;
      const { id, partner_id, currency, amount_cents } = row;
      const debit = accountOf(row.status);
      this.books.post(partner_id, { debit, credit: to, currency, amount_cents, fact, commission_id: id });
      this.set(row, { status: to, hold_reason: to === "held" ? reason : null }, reason);
    }
  }

  /** Frees the rows of a root that a payout had claimed: they wait for another one. */
  unclaim(group: Group, payout_id: string): void {
    for (const row of group.rows)
      if (row.payout_id === payout_id) this.set(row, { status: "approved", payout_id: null }, "payout_cancelled");
    this.voidIfEmpty(group);
  }

  /** Posts an amount of a locked book that is no commission's own. */
  post(partner_id: string, posting: Posting): void {
    this.books.post(partner_id, posting);
  }

  /** Starts the hold of a root and its rows. */
  holdUntil(group: Group, hold_until: Date): void {
    for (const row of group.rows) if (row.status === "pending" || row.status === "held") this.set(row, { hold_until }, null);
  }

  /** A row that was added just now is inserted as it stands at the end; one from before gets another version, which is told. */
  private set(
    row: Commission,
    to: Partial<Pick<Commission, "status" | "hold_until" | "hold_reason" | "payout_id">>,
    reason: string | null,
  ): void {
    const from = this.changed.get(row)?.from ?? row.status;
    const first = !this.changed.has(row);
    Object.assign(row, to);
    if (this.added.has(row)) return;
    if (first) row.version += 1;
    this.changed.set(row, { from, reason });
  }

  /** Writes everything, in one flight. */
  async save(): Promise<void> {
    const inserts = [...byPartner(this.added.keys())].map(([partner_id, rows]) => commissionsQuery(partner_id, rows));
    const saves = [...byPartner(this.changed.keys())].map(([partner_id, rows]) => saveQuery(partner_id, rows));
    const queries = [...inserts, ...saves, ...(await this.books.transfers())];
    await Promise.all(queries.map(({ statement, values }) => this.tx.query(statement, values)));
  }

  /** Records the events and changes. A command that has an event of its own tells that first. */
  tell(): void {
    for (const [row, event] of this.added)
      this.tx.tell(row.partner_id, { events: [event], changes: [{ ...this.changeOf(row), change: "created" }] });
    for (const [row, { from, reason }] of this.changed) {
      const moved = { change: "moved", detail: { from, to: row.status, reason } } as const;
      const change = from === row.status ? ({ change: "updated" } as const) : moved;
      this.tx.tell(row.partner_id, { changes: [{ ...this.changeOf(row), ...change }] });
    }
  }

  private changeOf({ id, version, partner_id }: Commission) {
    return { resource: "commission", id, version, account_id: this.partner(partner_id).house_account_id } as const;
  }
}

function byPartner(rows: Iterable<Commission>): Map<string, Commission[]> {
  return Map.groupBy(rows, ({ partner_id }) => partner_id);
}
