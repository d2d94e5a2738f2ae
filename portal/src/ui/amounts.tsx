import { ActionIcon, Button } from "@mantine/core";
import { Plus, X } from "lucide-react";
import { AmountInput, CurrencyInput } from "./amount.tsx";
import classes from "./amounts.module.css";
import { inCents, inUnits } from "./money.tsx";

/** An amount as it is typed, in whole units. */
export type Amount = { currency: string; amount: number | string };

/** Amounts by currency as a form has them. */
export const amountsOf = (cents: Readonly<Record<string, number>>): Amount[] =>
  Object.entries(cents).map(([currency, amount]) => ({ currency, amount: inUnits(amount, currency) }));

/** As the API wants them: what has no amount is left out. */
export const centsOf = (amounts: readonly Amount[]): Record<string, number> =>
  Object.fromEntries(
    amounts.flatMap(({ currency, amount }) => {
      const cents = inCents(amount, currency);
      return cents === null ? [] : [[currency, cents]];
    }),
  );

type ListForm = {
  getInputProps(path: string): object;
  insertListItem(path: string, item: Amount): void;
  removeListItem(path: string, index: number): void;
};

type Props = {
  form: ListForm;
  /** The field, and what it holds now. */
  name: string;
  amounts: readonly Amount[];
  legend: string;
  /** What one amount is: "Price". */
  one: string;
  /** The button that adds the first, and the next ones. */
  add?: string;
  children?: React.ReactNode;
};

/** Amounts in some currencies, one below the other. */
export function AmountsInput({ form, name, amounts, legend, one, add = "Another currency", children }: Props) {
  return (
    <fieldset className={classes.group}>
      <legend>{legend}</legend>
      {children}
      {amounts.map(({ currency }, index) => (
        <div key={currency} className={classes.amount}>
          <AmountInput min={0} aria-label={`${one} in ${currency}`} {...form.getInputProps(`${name}.${index}.amount`)} />
          <CurrencyInput
            label={undefined}
            aria-label={`Currency ${index + 1}`}
            {...form.getInputProps(`${name}.${index}.currency`)}
          />
          <ActionIcon
            aria-label={`Take the ${one.toLowerCase()} in ${currency} away`}
            onClick={() => form.removeListItem(name, index)}
          >
            <X size={16} />
          </ActionIcon>
        </div>
      ))}
      <div>
        <Button
          variant="subtle"
          leftSection={<Plus />}
          onClick={() => form.insertListItem(name, { currency: nextCurrency(amounts), amount: "" })}
        >
          {add}
        </Button>
      </div>
    </fieldset>
  );
}

const USUAL = ["usd", "eur", "gbp", "cad", "aud", "chf", "sek", "jpy"];
const nextCurrency = (amounts: readonly Amount[]) =>
  USUAL.find((code) => !amounts.some(({ currency }) => currency === code)) ?? "usd";
