import { NumberInput, type NumberInputProps, Select, type SelectProps } from "@mantine/core";

/** All currencies by their codes. */
export const CURRENCIES = Intl.supportedValuesOf("currency").map((code) => code.toLowerCase());

const CODES = CURRENCIES.map((code) => ({ value: code, label: code.toUpperCase() }));

/** A currency by its code. */
export function CurrencyInput(props: Omit<SelectProps, "data">) {
  return <Select label="Currency" searchable allowDeselect={false} limit={30} data={CODES} {...props} />;
}

/** An amount in whole units of a currency. */
export function AmountInput(props: NumberInputProps) {
  return <NumberInput decimalScale={2} thousandSeparator="," hideControls {...props} />;
}

/** A share of something, in percent. */
export function PercentInput(props: NumberInputProps) {
  return <NumberInput min={0} max={100} decimalScale={2} suffix="%" hideControls {...props} />;
}

/** A whole number, such as of days. */
export function CountInput(props: NumberInputProps) {
  return <NumberInput min={0} allowDecimal={false} hideControls {...props} />;
}
