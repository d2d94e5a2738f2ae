import { Select, type SelectProps } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { usePartner, usePartnersLike } from "./data.ts";

type Props = Pick<SelectProps, "label" | "description" | "error" | "placeholder" | "aria-label" | "comboboxProps"> & {
  value: string | null;
  onChange(id: string | null): void;
  not?: string | undefined;
};

/** A partner, found by its name. */
export function PartnerChoice({ value, onChange, not, ...rest }: Props) {
  const [text, setText] = useState("");
  const [settled] = useDebouncedValue(text, 150);
  const found = usePartnersLike(settled);
  const known = usePartner(value ?? "");
  const options = new Map((found.data ?? []).filter(({ id }) => id !== not).map(({ id, company }) => [id, company]));
  if (known.data) options.set(known.data.id, known.data.company);
  return (
    <Select
      placeholder="Find a partner"
      searchable
      clearable
      value={value}
      data={[...options].map(([id, company]) => ({ value: id, label: company }))}
      filter={({ options: all }) => all}
      onSearchChange={setText}
      onChange={onChange}
      {...rest}
    />
  );
}
