import { Section } from "../../ui/section.tsx";
import { useNames } from "./names.ts";
import { bodyOf, type RuleValues } from "./values.ts";
import { sentence } from "./words.ts";

/** What the form says, as a sentence that follows what one types. */
export function InWords({ values }: { values: RuleValues }) {
  const {
    plan = null,
    currency = null,
    min_mrr_cents = null,
    months = null,
    grade = null,
    partner_id = null,
    link_id = null,
    ...rule
  } = bodyOf(values);
  const names = useNames([partner_id]);
  return (
    <Section title="In words">
      <p className="soft">{sentence({ ...rule, plan, currency, min_mrr_cents, months, grade, partner_id, link_id }, names)}.</p>
    </Section>
  );
}
