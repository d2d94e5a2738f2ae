import { closed, Id, nullable, Time } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import { Currency } from "../../../accounts/clients/index.ts";
import { CommissionRuleCreate } from "../../../programme/rules/index.ts";

const within = {
  from: Type.String({ ...Time, description: "Charges from this time on, inclusive", examples: ["2026-01-01T00:00:00.000Z"] }),
  to: Type.String({ ...Time, description: "Charges before this time" }),
};

export const CommissionSimulation = Type.Object(
  {
    grade: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 50,
        description: "What the rules of this grade would have paid. Default: the current grade",
        examples: ["gold"],
      }),
    ),
    rule: Type.Optional(
      Type.Object(
        {
          first: CommissionRuleCreate.properties.first,
          recurring: CommissionRuleCreate.properties.recurring,
          months: CommissionRuleCreate.properties.months,
        },
        {
          ...closed,
          description: "What these terms would have paid, whatever the rules",
          examples: [{ first: { bps: 2000 }, recurring: { bps: 2000 }, months: 12 }],
        },
      ),
    ),
    ...within,
  },
  { ...closed, title: "CommissionSimulation" },
);
export type CommissionSimulation = Type.Static<typeof CommissionSimulation>;

export const RuleSimulation = Type.Object(
  {
    rule: CommissionRuleCreate,
    rule_id: Type.Optional(
      Type.String({ ...Id("rule"), description: "The rule that it would replace. Default: it would be another one" }),
    ),
    partner_id: Type.Optional(Type.String({ ...Id("partner"), description: "For the charges of this partner only" })),
    ...within,
  },
  { ...closed, title: "RuleSimulation" },
);
export type RuleSimulation = Type.Static<typeof RuleSimulation>;

const Cents = (description: string, example: number) => Type.Integer({ description, examples: [example] });
const amounts = {
  current_cents: Cents("What was earned, less refunds", 7493),
  simulated_cents: Cents("What would have been earned, less refunds", 9990),
  difference_cents: Cents("simulated_cents less current_cents", 2497),
};

export const SimulationResult = Type.Object(
  {
    totals: Type.Array(
      Type.Object({ currency: Currency, charges: Type.Integer({ minimum: 0, examples: [12] }), ...amounts }, closed),
    ),
    data: Type.Array(
      Type.Object(
        {
          partner_id: Id("partner"),
          client_id: Id("client"),
          client_company: Type.String({ examples: ["Harbour Dental"] }),
          deal_id: Id("deal"),
          charge_id: Id("charge"),
          charged_at: Time,
          amount_cents: Cents("What the client paid", 49_950),
          currency: Currency,
          rule: nullable(Type.String({ description: "The rule that would have applied", examples: ["Gold, version 1"] })),
          ...amounts,
        },
        closed,
      ),
      { description: "The newest 100 charges" },
    ),
    complete: Type.Boolean({ description: "False if there are more charges than are simulated at once: the newest 20,000" }),
  },
  { ...closed, title: "SimulationResult" },
);
