import { Check } from "lucide-react";
import type { Tier } from "./data.ts";
import classes from "./standing.module.css";
import { metricName, metricValue, rateText } from "./words.ts";

const days = (count: number | null) => (count === null ? "as usual" : `${count} days`);
const count = (value: number | null) => (value === null ? "as usual" : value.toLocaleString("en-US"));
const months = (tier: Tier) => (tier.rate === null ? "–" : tier.rate.months === null ? "no end" : `${tier.rate.months} months`);

type Row = { name: string; cell(tier: Tier): React.ReactNode };

const ROWS: readonly Row[] = [
  { name: "First month", cell: ({ rate }) => (rate === null ? "–" : <b>{rateText(rate.first)}</b>) },
  { name: "Months after", cell: ({ rate }) => (rate === null ? "–" : <b>{rateText(rate.recurring)}</b>) },
  { name: "Earns for", cell: months },
  { name: "Held for", cell: ({ hold_days }) => days(hold_days) },
  { name: "Protection of a registration", cell: ({ protection_days }) => days(protection_days) },
  { name: "Open registrations", cell: ({ open_registrations_max }) => count(open_registrations_max) },
  {
    name: "Requests a minute",
    cell: ({ rate_limit_per_minute }) => count(rate_limit_per_minute),
  },
  {
    name: "API access",
    cell: ({ api_access }) => (api_access ? <Check size={14} aria-label="yes" /> : <span className="muted">on request</span>),
  },
  {
    name: "Requires",
    cell: ({ requirements }) =>
      requirements.length === 0
        ? "–"
        : requirements.map((one) => (
            <span key={one.metric} className={classes.requires}>
              {metricValue(one, one.value)} <span className="muted">{metricName(one).toLowerCase()}</span>
            </span>
          )),
  },
];

/** The tiers beside each other; the partner's own is marked. */
export function Benefits({ tiers, grade }: { tiers: readonly Tier[]; grade: string }) {
  const style = { "--tiers": tiers.length } as React.CSSProperties;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={classes.scroll} aria-label="Tiers side by side" tabIndex={0}>
      <table aria-label="Benefits by tier" className={classes.benefits} style={style}>
        <thead>
          <tr>
            <th scope="col">Benefit</th>
            {tiers.map((tier) => (
              <th scope="col" key={tier.grade} data-own={tier.grade === grade || undefined}>
                {tier.name}
                {tier.grade === grade && <small>yours</small>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ROWS.map(({ name, cell }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {tiers.map((tier) => (
                <td key={tier.grade} data-own={tier.grade === grade || undefined}>
                  {cell(tier)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
