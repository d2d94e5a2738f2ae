import { Select, TagsInput, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { isPartnerWide, useSession } from "../../api/session.ts";
import { AllOrSome } from "../../ui/all-or-some.tsx";
import { lastDayBefore, startOfDay } from "../../ui/days.ts";
import { Pair } from "../../ui/form.tsx";
import { useClientOptions } from "../clients/data.ts";
import type { Key, KeyBody, Scope } from "./data.ts";
import { ScopeGrid } from "./scope-grid.tsx";

const DAY_MS = 86_400_000;
const TERMS = [30, 90, 365] as const;

/** A key as a form shows it. `term` is "never", a number of days, or "date" with `expires_at`. */
export type KeyValues = {
  name: string;
  scopes: Scope[];
  clients: string[] | null;
  term: string;
  expires_at: string;
  allowed_cidrs: string[];
};

export const valuesOf = (key?: Key): KeyValues => ({
  name: key?.name ?? "",
  scopes: key?.scopes ?? [],
  clients: key === undefined || key.clients === "all" ? null : key.clients,
  term: key === undefined ? "365" : key.expires_at === null ? "never" : "date",
  expires_at: key?.expires_at ? lastDayBefore(key.expires_at) : "",
  allowed_cidrs: key?.allowed_cidrs ?? [],
});

/** The end of the day as it was typed, unless it is still the day that the key had: then the very time. */
function expiryOf({ term, expires_at }: KeyValues, before: string | null): string | null {
  if (term === "never") return null;
  if (term !== "date") return new Date(Date.now() + Number(term) * DAY_MS).toISOString();
  return before !== null && lastDayBefore(before) === expires_at ? before : startOfDay(expires_at, 1);
}

export const bodyOf = (values: KeyValues, before: string | null = null): KeyBody => ({
  name: values.name,
  scopes: values.scopes,
  clients: values.clients ?? "all",
  expires_at: expiryOf(values, before),
  allowed_cidrs: values.allowed_cidrs.length === 0 ? null : values.allowed_cidrs,
});

export function KeyFields({ form }: { form: UseFormReturnType<KeyValues> }) {
  const wide = isPartnerWide(useSession());
  const { errors, values } = form;
  const firstError = (field: string) =>
    errors[field] ?? Object.entries(errors).find(([name]) => name.startsWith(`${field}.`))?.[1];
  return (
    <>
      <TextInput
        label="Name"
        description="What will use it: “Billing sync”"
        data-autofocus
        autoComplete="off"
        {...form.getInputProps("name")}
      />
      <Pair>
        <Select
          label="Expires"
          data={[
            ...TERMS.map((days) => ({ value: String(days), label: days === 365 ? "in a year" : `in ${days} days` })),
            { value: "date", label: "on a day" },
            { value: "never", label: "never" },
          ]}
          {...form.getInputProps("term")}
        />
        {values.term === "date" && <TextInput type="date" label="Day" {...form.getInputProps("expires_at")} />}
      </Pair>
      <AllOrSome
        label="Clients"
        all={wide ? "All clients, also later ones" : "All of yours"}
        some="Only some"
        value={values.clients}
        onChange={(clients) => form.setFieldValue("clients", clients)}
        useOptions={useClientOptions}
        error={firstError("clients")}
      />
      <TagsInput
        label="Networks"
        description="In CIDR notation, Enter adds one; empty for any address"
        placeholder={values.allowed_cidrs.length === 0 ? "203.0.113.0/24" : ""}
        {...form.getInputProps("allowed_cidrs")}
        error={firstError("allowed_cidrs")}
      />
      <ScopeGrid value={values.scopes} onChange={(scopes) => form.setFieldValue("scopes", scopes)} error={firstError("scopes")} />
    </>
  );
}
