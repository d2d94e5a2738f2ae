import { expect, test } from "vitest";
import { sqlChanges } from "../../scripts/plant/sql.ts";

const STATEMENT = `update deals d set name = $2, version = d.version + 1, closed_at = coalesce(d.closed_at, $3)
  where d.partner_id = $1 and d.amount >= 5 and (d.status <> 'won' or d.lost) order by d.id desc for update`;

test("planted in SQL, a mistake replaces what it says and leaves the rest as it is", () => {
  const planted = sqlChanges(STATEMENT).map(({ kind, start, end, by }) => [
    kind,
    `${STATEMENT.slice(start - 3, start)}[${by}]${STATEMENT.slice(end, end + 4)}`,
  ]);
  expect(planted).toEqual([
    ["sql-bound", "unt[ > ]5 an"],
    ["sql-descending", ".id[] for"],
    ["sql-order", "st)[] des"],
    ["sql-lock", "esc[]"],
    ["sql-version", " d.[version], cl"],
    ["sql-sign", "ion[ - ]1, c"],
    ["sql-set", " $2[], cl"],
    ["sql-coalesce", " = [d.closed_at]\n  w"],
    ["sql-unequal", "us [= ]'won"],
    ["sql-and", " $1[] and"],
    ["sql-and", "= 5[] ord"],
  ]);
});
