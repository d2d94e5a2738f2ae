import { describe, expect, test } from "vitest";
import type { Spec } from "../../../../accounts/configuring/index.ts";
import { DEFAULT_RULES } from "../model.ts";
import { rulesOf, scoringRules } from "./model.ts";

const CALLED = { name: "Can be called", field: "phone", op: "exists", value: null, points: 40 };
const of = (...rules: object[]): Spec => scoringRules.complete({ rules } as unknown as Spec);
const faultsOf = (spec: Spec) => scoringRules.validate(spec).map(({ pointer, code }) => `${pointer} ${code}`);

describe("lead scoring in snapshots", () => {
  test("has its rules in one order, whatever the order they come in, by code points", () => {
    const [small, capital, symbol, wide] = ["a", "B", "\uFF5E", "😀"].map((name) => ({ ...CALLED, name }));
    const spec = of(wide ?? {}, symbol ?? {}, small ?? {}, capital ?? {});
    expect(spec).toEqual({ rules: [capital, small, symbol, wide] });
    const { value: _, ...bare } = CALLED;
    expect(of(bare)).toEqual({ rules: [CALLED] });
  });

  test("becomes rules of an account again, the built-in ones in their own order", () => {
    const { value: _, ...bare } = CALLED;
    expect(rulesOf(of(CALLED, { ...CALLED, op: "is", value: "x" }))).toEqual([bare, { ...bare, op: "is", value: "x" }]);
    expect(rulesOf(of(...DEFAULT_RULES.toReversed()))).toEqual(DEFAULT_RULES);
    expect(scoringRules.builtin).toEqual([of(...DEFAULT_RULES)]);
    expect(faultsOf(of(...DEFAULT_RULES))).toEqual([]);
  });

  test("leaves an account without rules about a user, and without a second one of a name", () => {
    const again = { ...CALLED, name: "CAN BE CALLED", points: 1 };
    const owned = { ...CALLED, name: "Is mine", field: "owner_id", op: "is", value: "usr_1" };
    const spec = of(CALLED, again, owned);
    expect(scoringRules.portable(spec)).toEqual({
      spec: { rules: [again] },
      left_out: [
        "Another rule has the name Can be called.",
        "The rule Is mine is about a user, whom other accounts do not have.",
      ],
    });
    expect(faultsOf(spec)).toEqual(["/rules/1/name duplicate_name", "/rules/2/field not_portable"]);
  });

  test("refuses a rule that could never match, and refers to custom fields of leads", () => {
    const odd = { ...CALLED, name: "Odd", field: "custom.size", op: "gt", value: "large" };
    const spec = of(CALLED, odd);
    expect(faultsOf(spec)).toEqual(["/rules/1/value not_of_op"]);
    expect(scoringRules.references(spec)).toEqual([{ pointer: "/rules/1/field", type: "custom_field", key: "lead.size" }]);
  });

  test("is one record of an account, and its rules are told apart by their names in any case", () => {
    expect(["rules", "rules2"].map((key) => scoringRules.keys.test(key))).toEqual([true, false]);
    expect(scoringRules.natural()).toBe("rules");
    expect(scoringRules.merge.rules.name(CALLED)).toBe("can be called");
  });
});
