import { Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { isDay, startOfDay } from "../../../ui/days.ts";
import { Filters } from "../../../ui/filters.tsx";
import { Pair } from "../../../ui/form.tsx";
import { useClientOptions } from "../../clients/data.ts";
import { type CommissionFilter, type CommissionKind, type CommissionStatus, useBalances } from "./data.ts";
import { KINDS } from "./words.tsx";

type Url = Readonly<Record<string, string | undefined>>;

export const TABS = [
  { value: "", name: "All" },
  { value: "pending", name: "Pending" },
  { value: "held", name: "Held" },
  { value: "approved", name: "Approved" },
  { value: "scheduled", name: "Scheduled" },
  { value: "paid", name: "Paid" },
  { value: "void", name: "Void" },
];
const LEVELS = [
  { value: "0", label: "Your own sales" },
  { value: "1", label: "Level 1: of sub-partners" },
  { value: "2", label: "Level 2" },
  { value: "3", label: "Level 3" },
];
const MORE = ["kind", "client", "level", "currency", "from", "to", "deal", "charge", "partner"] as const;

const isId = (prefix: string, text: string | undefined): text is string =>
  new RegExp(`^${prefix}_[0-9a-z]{26}$`).test(text ?? "");

/** What the address says the list is narrowed to. */
export function filterOf({ state, kind, client, level, currency, from, to, deal, charge, partner }: Url): CommissionFilter {
  const status = TABS.find(({ value }) => value !== "" && value === state)?.value as CommissionStatus | undefined;
  return {
    ...(status ? { status } : {}),
    ...(kind && kind in KINDS ? { kind: kind as CommissionKind } : {}),
    ...(isId("cli", client) ? { client_id: client } : {}),
    ...(isId("deal", deal) ? { deal_id: deal } : {}),
    ...(isId("chr", charge) ? { charge_id: charge } : {}),
    ...(isId("ptr", partner) ? { source_partner_id: partner } : {}),
    ...(/^[0-3]$/.test(level ?? "") ? { level: Number(level) } : {}),
    ...(/^[a-z]{3}$/.test(currency ?? "") ? { currency: currency ?? "" } : {}),
    ...(isDay(from) ? { accrued_after: startOfDay(from) } : {}),
    ...(isDay(to) ? { accrued_before: startOfDay(to, 1) } : {}),
  };
}

type Props = { url: Url; setUrl(change: Record<string, string | undefined>): void };
const within = { comboboxProps: { withinPortal: false }, clearable: true, placeholder: "Any" };

/** Kind, client, level, currency and time. What links narrow to, such as one deal, is cleared here too. */
export function MoreFilters({ url, setUrl }: Props) {
  const [text, setText] = useState("");
  const options = useClientOptions(text, url.client ? [url.client] : []);
  const { data: balances = [] } = useBalances();
  return (
    <Filters
      count={MORE.filter((name) => url[name]).length}
      clear={() => setUrl(Object.fromEntries(MORE.map((name) => [name, undefined])))}
    >
      <Select
        label="Kind"
        {...within}
        data={Object.entries(KINDS).map(([value, label]) => ({ value, label }))}
        value={url.kind ?? null}
        onChange={(kind) => setUrl({ kind: kind ?? undefined })}
      />
      <Select
        label="Client"
        {...within}
        searchable
        data={[...options]}
        filter={({ options: given }) => given}
        searchValue={text}
        onSearchChange={setText}
        value={url.client ?? null}
        onChange={(client) => setUrl({ client: client ?? undefined })}
      />
      <Select
        label="Level"
        {...within}
        data={LEVELS}
        value={url.level ?? null}
        onChange={(level) => setUrl({ level: level ?? undefined })}
      />
      <Select
        label="Currency"
        {...within}
        data={balances.map(({ currency }) => currency)}
        value={url.currency ?? null}
        onChange={(currency) => setUrl({ currency: currency ?? undefined })}
      />
      <Pair>
        <TextInput
          type="date"
          label="From"
          value={url.from ?? ""}
          onChange={({ currentTarget }) => setUrl({ from: currentTarget.value })}
        />
        <TextInput
          type="date"
          label="To, inclusive"
          value={url.to ?? ""}
          onChange={({ currentTarget }) => setUrl({ to: currentTarget.value })}
        />
      </Pair>
    </Filters>
  );
}
