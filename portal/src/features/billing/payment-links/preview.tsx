import { useAccount } from "../../../api/account.ts";
import { accentOf } from "../../../ui/accent.ts";
import { isDay } from "../../../ui/days.ts";
import { inCents, money } from "../../../ui/money.tsx";
import classes from "./links.module.css";
import { SetOff } from "./set-off.tsx";
import { plannedOf, questionsOf, tipsOf, totalOf, type Values } from "./values.ts";

const longDay = (day: string) => new Date(`${day}T12:00:00Z`).toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });

/** The pay page as it will be, in the branding of the account. A picture: nothing in it can be pressed. */
export function PagePreview({ values }: { values: Values }) {
  const account = useAccount();
  const seller = account?.company ?? "";
  const color = account?.branding?.primary_color;
  const { line_items, currency, description, due_on, customer, parts, usage } = values;
  const total = totalOf(values);
  const inParts = parts && usage === "single";
  const tips = values.charge.on ? [] : tipsOf(values).filter(Number.isFinite);
  return (
    <figure className={classes.preview}>
      <figcaption>What {customer.name.trim() || "the payer"} will see</figcaption>
      <div className={classes.paper} style={color ? (accentOf(color, "light") as React.CSSProperties) : undefined} aria-hidden>
        <p className={classes.seller}>{seller}</p>
        <p className={classes.for}>{description.trim() || `Payment to ${seller}`}</p>
        <p className={classes.amount}>{money(total, currency)}</p>
        {isDay(due_on) && <p className={classes.quiet}>Due on {longDay(due_on)}</p>}
        {line_items.length > 0 && (
          <ul>
            {line_items.map(({ name, quantity, unit_cents, tax_cents }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an item has no other name
              <li key={index}>
                <span>
                  {name || "…"}
                  {Number(quantity) > 1 && ` × ${quantity}`}
                </span>
                <span>
                  {money(Number(quantity) * (inCents(unit_cents, currency) ?? 0) + (inCents(tax_cents, currency) ?? 0), currency)}
                </span>
              </li>
            ))}
          </ul>
        )}
        {inParts && <Box label="Amount to pay now" value={money(total, currency)} />}
        {tips.length > 0 && <Box label="Tip" value={["No tip", ...tips.map((share) => `${share} %`)].join("   ")} />}
        <Box label="Name" value={customer.name} />
        <Box label="E-mail address" value={customer.email} />
        {questionsOf(values).map(({ key, label }) => (
          <Box key={key} label={label} value="" />
        ))}
        <p className={classes.pay}>{inParts || tips.length > 0 ? "Continue to payment" : `Pay ${money(total, currency)}`}</p>
      </div>
      <SetOff planned={plannedOf(values)}>
        {(list) => (
          <section className={classes.after} aria-label="Once it is paid">
            <p>Once it is paid</p>
            {list}
          </section>
        )}
      </SetOff>
    </figure>
  );
}

function Box({ label, value }: { label: string; value: string }) {
  return (
    <p className={classes.box}>
      <span>{label}</span>
      <span>{value}</span>
    </p>
  );
}
