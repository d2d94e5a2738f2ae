import { describe, expect, test } from "vitest";
import { checkPlaces, LedgerCheck, type Row, type Transfer } from "./model.ts";

const at = (text: string) => new Date(`${text}T00:00:00Z`);
const row = (rest: Partial<Row> = {}): Row => ({
  id: "com_1",
  cause: "win:deal_1:1:0",
  level: 0,
  root_id: null,
  origin_partner_id: null,
  base_cents: 10_000,
  rate_bps: 5_000,
  amount_cents: 5_000,
  currency: "eur",
  rule: null,
  reason_code: null,
  status: "approved",
  ...rest,
});

describe("the ledger", () => {
  const transfer = (seq: number, rest: Partial<Transfer> = {}): Transfer => ({
    seq,
    at: at("2026-01-01"),
    debit: "expense",
    credit: "pending",
    currency: "eur",
    amount_cents: 100,
    debit_after: -100,
    credit_after: 100,
    commission_id: "com_1",
    ...rest,
  });
  const read = (...transfers: Transfer[]) => {
    const ledger = new LedgerCheck();
    ledger.read(transfers);
    return ledger;
  };
  const second = { debit_after: -200, credit_after: 200 };

  test("adds up by account and currency, over all and for each commission", () => {
    const dollars = { currency: "usd", commission_id: null };
    const ledger = read(
      transfer(1),
      transfer(2, second),
      transfer(3, dollars),
      transfer(4, { debit: "pending", credit: "approved", debit_after: 100 }),
    );
    expect(ledger.found).toEqual([]);
    expect([...ledger.balances]).toEqual([
      ["expense eur", -200],
      ["pending eur", 100],
      ["expense usd", -100],
      ["pending usd", 100],
      ["approved eur", 100],
    ]);
    expect([...ledger.moved.keys()]).toEqual(["com_1"]);
    expect([...(ledger.moved.get("com_1") ?? [])]).toEqual([
      ["expense eur", -200],
      ["pending eur", 100],
      ["approved eur", 100],
    ]);
  });

  test("goes on from one batch to the next", () => {
    const ledger = read(transfer(1));
    ledger.read([transfer(2, second)]);
    expect(ledger.found).toEqual([]);
  });

  test("a gap is found once", () => {
    const gap = { table: "ledger_transfers", problem: "the numbers have a gap" };
    expect(read(transfer(2)).found).toEqual([{ ...gap, id: "2", expected: 1, found: 2 }]);
    expect(read(transfer(1), transfer(3, second), transfer(4, { debit_after: -300, credit_after: 300 })).found).toEqual([
      { ...gap, id: "3", expected: 2, found: 3 },
    ]);
  });

  test("a time that goes back is found; the same time is none", () => {
    const back = read(transfer(1, { at: at("2026-01-02") }), transfer(2, { ...second, at: at("2026-01-01") }));
    expect(back.found).toMatchObject([
      { id: "2", problem: "the time goes back", expected: "2026-01-02T00:00:00.000Z", found: "2026-01-01T00:00:00.000Z" },
    ]);
    expect(read(transfer(1), transfer(2, second)).found).toEqual([]);
  });

  test("a balance that is not the sum is found on its side", () => {
    expect(read(transfer(1, { debit_after: -99 })).found).toMatchObject([
      { id: "1", problem: "the balance of expense is wrong", expected: -100, found: -99 },
    ]);
    expect(read(transfer(1, { credit_after: 101 })).found).toMatchObject([
      { id: "1", problem: "the balance of pending is wrong", expected: 100, found: 101 },
    ]);
  });

  describe("has each commission", () => {
    const pending = row({ amount_cents: 100, status: "pending" });
    const approved = transfer(2, { debit: "pending", credit: "approved", debit_after: 0, credit_after: 100 });
    const problems = (rows: Row[], ...transfers: Transfer[]) =>
      checkPlaces(rows, read(...transfers)).map(({ table, id, problem, expected, found }) => [
        table,
        id,
        problem,
        expected,
        found,
      ]);

    test("with its amount in the account of its status", () => {
      expect(problems([pending], transfer(1))).toEqual([]);
      expect(problems([{ ...pending, status: "approved" }], transfer(1), approved)).toEqual([]);
      expect(problems([], ...[])).toEqual([]);
    });

    test("of a payout where it was claimed, in approved", () => {
      const scheduled = transfer(3, {
        debit: "approved",
        credit: "scheduled",
        debit_after: 0,
        credit_after: 100,
        commission_id: null,
      });
      const paid = transfer(4, { debit: "scheduled", credit: "cash", debit_after: 0, credit_after: 100, commission_id: null });
      expect(problems([{ ...pending, status: "scheduled" }], transfer(1), approved, scheduled)).toEqual([]);
      expect(problems([{ ...pending, status: "paid" }], transfer(1), approved, scheduled, paid)).toEqual([]);
    });

    test("that is void nowhere", () => {
      const back = transfer(2, { debit: "pending", credit: "expense", debit_after: 0, credit_after: 0, commission_id: "com_2" });
      const reversal = row({ id: "com_2", amount_cents: -100, status: "void" });
      expect(problems([{ ...pending, status: "void" }, reversal], transfer(1), back)).toEqual([]);
    });

    test("from the account that its reason says", () => {
      const off = transfer(1, { debit: "written_off", credit: "approved" });
      const written_off = row({ amount_cents: 100, reason_code: "write_off" });
      expect(problems([written_off], off)).toEqual([]);
      expect(problems([{ ...written_off, reason_code: null }], off)).toEqual([
        ["commissions", "com_1", "the ledger has another amount", 100, -0],
      ]);
    });

    test("of another amount, another place or without a transfer is found", () => {
      expect(problems([{ ...pending, amount_cents: 99 }], transfer(1))).toEqual([
        ["commissions", "com_1", "the ledger has another amount", 99, 100],
        ["commissions", "com_1", "it does not stand in pending", 99, 100],
        ["ledger_transfers", "pending eur", "the balance is not the sum of the commissions", 99, 100],
      ]);
      expect(problems([{ ...pending, status: "held" }], transfer(1))).toEqual([
        ["commissions", "com_1", "it does not stand in held", 100, 0],
        ["ledger_transfers", "pending eur", "the balance is not the sum of the commissions", 0, 100],
        ["ledger_transfers", "held eur", "the balance is not the sum of the commissions", 100, 0],
      ]);
      expect(problems([pending])).toEqual([
        ["commissions", "com_1", "the ledger has another amount", 100, -0],
        ["commissions", "com_1", "it does not stand in pending", 100, 0],
        ["ledger_transfers", "pending eur", "the balance is not the sum of the commissions", 100, 0],
      ]);
    });

    test("and none that is missing", () => {
      expect(problems([], transfer(1))).toEqual([
        ["ledger_transfers", "com_1", "the commission is missing", "com_1", null],
        ["ledger_transfers", "pending eur", "the balance is not the sum of the commissions", 0, 100],
      ]);
    });
  });
});
