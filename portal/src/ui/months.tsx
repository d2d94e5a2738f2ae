import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { ColumnChart } from "./columns.tsx";
import { longMonth, shortMonth } from "./days.ts";
import { money } from "./money.tsx";
import { Section } from "./section.tsx";

/** The months of one currency, oldest first: "2026-11". */
export type MonthsOf = { currency: string; months: readonly { month: string; amount_cents: number }[] };

type Props = {
  title: string;
  all: readonly MonthsOf[];
  /** The rows behind a month. */
  to(month: string, currency: string): string;
  aside?: React.ReactNode;
  height?: number;
};

/** Amounts by month, one currency at a time. */
export function Months({ title, all, to, aside, height }: Props) {
  const [currency, setCurrency] = useState(all[0]?.currency ?? "");
  const shown = all.find((one) => one.currency === currency) ?? all[0];
  if (shown === undefined) return null;
  return (
    <Section
      title={title}
      aside={
        <>
          {all.length > 1 && (
            <SegmentedControl
              data={all.map((one) => one.currency)}
              value={shown.currency}
              onChange={setCurrency}
              aria-label="Currency"
            />
          )}
          {aside}
        </>
      }
    >
      <ColumnChart
        label={`${title}, in ${shown.currency}`}
        columns={shown.months.map(({ month, amount_cents }) => ({
          key: month,
          label: shortMonth(month),
          name: longMonth(month),
          value: amount_cents,
          to: to(month, shown.currency),
        }))}
        format={(cents) => money(cents, shown.currency)}
        tick={(cents) => money(cents, shown.currency, true)}
        {...(height === undefined ? {} : { height })}
      />
    </Section>
  );
}
