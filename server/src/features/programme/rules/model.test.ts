import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkRule, type Rule, ruleFor, type Sale } from "./model.ts";

const RULE: Rule = {
  id: "rul_5",
  version: 1,
  name: "Rule",
  scope: "programme",
  grade: null,
  partner_id: null,
  link_id: null,
  priority: 0,
  active: true,
  plan: null,
  currency: null,
  min_mrr_cents: null,
  first: { bps: 1000 },
  recurring: { bps: 1000 },
  months: null,
  applies_to: "new_deals",
};
const SALE: Sale = { partner_id: "ptr_a", link_id: null, grade: "gold", plan: "Growth", currency: "usd", mrr_cents: 10_000 };

const rule = (fields: Partial<Rule>): Rule => ({ ...RULE, ...fields });
const chosen = (rules: Rule[], sale: Partial<Sale> = {}) => ruleFor(rules, { ...SALE, ...sale })?.id ?? null;

describe("the rule for a sale", () => {
  const ofProgramme = rule({ id: "rul_1", priority: 100 });
  const ofGrade = rule({ id: "rul_2", scope: "grade", grade: "gold" });
  const ofPartner = rule({ id: "rul_3", scope: "partner", partner_id: "ptr_a", priority: -5 });
  const ofLink = rule({ id: "rul_4", scope: "link", link_id: "lnk_a", priority: -9 });

  test("is that of the narrowest scope, whatever the priorities", () => {
    expect(chosen([ofProgramme, ofGrade, ofPartner])).toBe("rul_3");
    expect(chosen([ofProgramme, ofGrade, ofPartner, ofLink], { link_id: "lnk_a" })).toBe("rul_4");
    expect(chosen([ofProgramme, ofGrade, ofPartner, ofLink], { link_id: "lnk_b" })).toBe("rul_3");
    expect(chosen([ofLink])).toBeNull();
    expect(chosen([ofProgramme, ofGrade, ofPartner], { partner_id: "ptr_b" })).toBe("rul_2");
    expect(chosen([ofProgramme, ofGrade, ofPartner], { partner_id: "ptr_b", grade: "silver" })).toBe("rul_1");
    expect(chosen([ofGrade, ofPartner], { partner_id: "ptr_b", grade: "silver" })).toBeNull();
  });

  test("is, within a scope, that of the highest priority, then the oldest", () => {
    const [older, newer] = [rule({ id: "rul_1" }), rule({ id: "rul_2" })];
    expect(chosen([newer, older])).toBe("rul_1");
    expect(chosen([older, { ...newer, priority: 1 }])).toBe("rul_2");
    expect(chosen([older, { ...newer, priority: -1 }])).toBe("rul_1");
  });

  test("is an active one", () => {
    expect(chosen([ofProgramme, { ...ofPartner, active: false }])).toBe("rul_1");
    expect(chosen([{ ...ofProgramme, active: false }])).toBeNull();
  });

  test.each<[string, Partial<Rule>, Partial<Sale>, boolean]>([
    ["its plan in another case", { plan: "GROWTH" }, {}, true],
    ["another plan", { plan: "Scale" }, {}, false],
    ["a sale without a plan", { plan: "Growth" }, { plan: null }, false],
    ["its currency", { currency: "usd" }, {}, true],
    ["another currency", { currency: "eur" }, {}, false],
    ["exactly its minimum", { min_mrr_cents: 10_000 }, {}, true],
    ["its minimum in another currency", { min_mrr_cents: 10_000 }, { mrr_currency: "jpy" }, false],
    ["another currency where it has no minimum", {}, { mrr_currency: "jpy" }, true],
    ["a cent less than its minimum", { min_mrr_cents: 10_001 }, {}, false],
    ["nothing, without a minimum", {}, { mrr_cents: 0 }, true],
  ])("with conditions: %s", (_, fields, sale, matches) => {
    expect(chosen([rule(fields)], sale)).toBe(matches ? "rul_5" : null);
  });

  const anyRule = fc
    .record({
      scope: fc.constantFrom("programme", "grade", "partner" as const),
      priority: fc.integer({ min: -2, max: 2 }),
      active: fc.boolean(),
      plan: fc.constantFrom(null, "Growth", "Scale"),
      currency: fc.constantFrom(null, "usd", "eur"),
      min_mrr_cents: fc.constantFrom(null, 0, 10_000, 20_000),
      grade: fc.constantFrom("gold", "silver"),
      partner_id: fc.constantFrom("ptr_a", "ptr_b"),
    })
    .map(({ grade, partner_id, ...fields }) =>
      rule({
        ...fields,
        grade: fields.scope === "grade" ? grade : null,
        partner_id: fields.scope === "partner" ? partner_id : null,
      }),
    );
  const anyRules = fc
    .array(anyRule, { maxLength: 12 })
    .map((rules) => rules.map((one, index) => ({ ...one, id: `rul_${index + 10}` })));

  test("does not depend on the order in which rules are read, and changes nothing about them", () => {
    fc.assert(
      fc.property(
        anyRules.chain((rules) => fc.tuple(fc.constant(rules), fc.shuffledSubarray(rules, { minLength: rules.length }))),
        ([rules, shuffled]) => {
          const before = structuredClone(shuffled);
          expect(ruleFor(shuffled, SALE)).toEqual(ruleFor(rules, SALE));
          expect(shuffled).toEqual(before);
        },
      ),
    );
  });

  test("is beaten by none that matches alone: neither narrower, nor of its scope with a higher priority, nor equal and older", () => {
    const width = { link: 0, partner: 1, grade: 2, programme: 3 };
    fc.assert(
      fc.property(anyRules, (rules) => {
        const best = ruleFor(rules, SALE);
        const matching = rules.filter((one) => ruleFor([one], SALE) !== null);
        expect(best === null).toBe(matching.length === 0);
        for (const other of matching) {
          if (best === null || other.id === best.id) continue;
          expect(width[other.scope]).toBeGreaterThanOrEqual(width[best.scope]);
          if (other.scope !== best.scope) continue;
          expect(other.priority).toBeLessThanOrEqual(best.priority);
          if (other.priority === best.priority) expect(other.id > best.id).toBe(true);
        }
      }),
    );
  });
});

describe("a rule that contradicts itself", () => {
  const faultsOf = (fields: Partial<Rule>) => {
    try {
      checkRule(rule(fields));
      return [];
    } catch (error) {
      return (error as { explanation: { faults: { code: string }[] } }).explanation.faults.map(({ code }) => code);
    }
  };

  test.each<[Partial<Rule>, string[]]>([
    [{}, []],
    [{ scope: "grade", grade: "gold" }, []],
    [{ scope: "partner", partner_id: "ptr_a" }, []],
    [{ scope: "grade" }, ["required_by_scope"]],
    [{ scope: "partner", grade: "gold" }, ["not_of_scope", "required_by_scope"]],
    [{ min_mrr_cents: 0 }, ["required_by_amount"]],
    [{ min_mrr_cents: 0, currency: "usd" }, []],
    [{ first: { flat_cents: 1, currency: "usd" } }, []],
    [{ first: { flat_cents: 1, currency: "usd" }, currency: "usd" }, []],
    [
      { first: { flat_cents: 1, currency: "usd" }, recurring: { flat_cents: 1, currency: "usd" }, currency: "eur" },
      ["other_currency", "other_currency"],
    ],
  ])("%j: %j", (fields, codes) => {
    expect(faultsOf(fields)).toEqual(codes);
  });
});
