import { money, percent } from "../../../ui/money.tsx";
import type { CommissionDetail } from "./data.ts";

/** A step of a calculation, in words: what it is, why, and what came of it. */
export type Line = { name: string; why: string; formula?: string; result: string };

type Step = CommissionDetail["calculation"][number];
type Inputs = Readonly<Record<string, number | string>>;

const months = (count: number) => `${count} month${count === 1 ? "" : "s"}`;

/** What the steps of a calculation say. Steps that are not known are shown as they are. */
export function linesOf({ calculation, currency }: Pick<CommissionDetail, "calculation" | "currency">): Line[] {
  return calculation.map((step) => lineOf(step, currency));
}

function lineOf({ step, input, rule, result }: Step, currency: string): Line {
  const inputs = (typeof input === "object" && input !== null ? input : {}) as Inputs;
  const number = (name: string) => Number(inputs[name] ?? 0);
  const cents = (name: string) => money(number(name), currency);
  const ended = typeof result === "number" ? money(result, currency) : String(result ?? "");
  const by = typeof rule === "string" ? rule : null;
  switch (step) {
    case "base":
      return { name: "Base", why: "mrr_cents" in inputs ? saleText(cents) : chargeText(inputs, cents), result: ended };
    case "rate":
      return { name: "Rate", ...rateText(inputs, by, cents), result: ended };
    case "cap":
      return {
        name: "Cap",
        why: `All shares of a sale together are at most ${percent(number("cap_bps"))} of the base, ${cents("cap_cents")}. ${cents("full_cents")} was cut to what was left.`,
        result: ended,
      };
    case "settlement":
      return {
        name: "Settle",
        why: `The first charge earns ${cents("due_cents")}; ${cents("accrued_cents")} was recorded at the win.`,
        result: ended,
      };
    case "refund":
      return {
        name: "Refund",
        why: `${cents("refunded_cents")} of the charge of ${cents("charge_cents")} was refunded so far. What is left earns this much.`,
        result: ended,
      };
    case "difference":
      return {
        name: "Difference",
        why: `You keep ${cents("kept_cents")} of ${cents("earned_cents")}.`,
        result: ended,
      };
    case "reversal":
      return { name: "Reversal", why: `${cents("earned_cents")} was left of it. All of it is taken back.`, result: ended };
    case "adjustment":
      return { name: "Adjustment", why: adjustmentText(inputs), result: ended };
    default:
      return { name: step, why: by ?? "", formula: JSON.stringify(input), result: ended };
  }
}

type Cents = (name: string) => string;

const saleText = (cents: Cents) => `The sale as it was won: ${cents("mrr_cents")} a month. The first charge settles it.`;

function chargeText(inputs: Inputs, cents: Cents): string {
  const all = Number(inputs.months ?? 1);
  const counting = Number(inputs.counting_months ?? all);
  return `Charge of ${cents("charge_cents")} for ${months(all)}; ${counting} of ${all} ${counting === 1 ? "counts" : "count"}.`;
}

function rateText(inputs: Inputs, rule: string | null, cents: Cents): Pick<Line, "why" | "formula"> {
  const by = rule === null ? "" : rule.startsWith("override") ? `, as ${rule}` : `, by the rule ${rule}`;
  if ("flat_cents" in inputs) return { why: `A fixed ${cents("flat_cents")}${by}.` };
  const bps = Number(inputs.bps ?? 0);
  return {
    why: `${percent(bps)} of ${cents("base_cents")}${by}.`,
    formula: `${inputs.base_cents} × ${bps} / 10000, rounded once`,
  };
}

function adjustmentText({ reference, description }: Inputs): string {
  const why = description ? `${String(description).replace(/[.\s]+$/, "")}. ` : "";
  return `${why}Made by the operator${reference ? `, reference ${reference}` : ""}.`;
}
