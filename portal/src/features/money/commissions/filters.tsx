import { useState } from "react";
import { daysWithin, isMonth, lastMonths, longMonth, monthWithin } from "../../../ui/days.ts";
import { Choice, Filters, FromTo } from "../../../ui/filters.tsx";
import { Pair } from "../../../ui/form.tsx";
import { useClientOptions } from "../../clients/data.ts";
import { useLinkOptions } from "../links/data.ts";
import { type CommissionFilter, type CommissionKind, type CommissionStatus, EARNED_MONTHS, useBalances } from "./data.ts";
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
const MONTHS = lastMonths(EARNED_MONTHS)
  .toReversed()
  .map((month) => ({ value: month, label: longMonth(month) }));
const MORE = ["kind", "client", "level", "currency", "month", "from", "to", "deal", "charge", "partner", "link"] as const;

const isId = (prefix: string, text: string | undefined): text is string =>
  new RegExp(`^${prefix}_[0-9a-z]{26}$`).test(text ?? "");

/** What the address says the list is narrowed to. */
export function filterOf(url: Url): CommissionFilter {
  const { state, kind, client, level, currency, month, deal, charge, partner, link } = url;
  const status = TABS.find(({ value }) => value !== "" && value === state)?.value as CommissionStatus | undefined;
  return {
    ...(status ? { status } : {}),
    ...(kind && kind in KINDS ? { kind: kind as CommissionKind } : {}),
    ...(isId("cli", client) ? { client_id: client } : {}),
    ...(isId("deal", deal) ? { deal_id: deal } : {}),
    ...(isId("chr", charge) ? { charge_id: charge } : {}),
    ...(isId("lnk", link) ? { link_id: link } : {}),
    ...(isId("ptr", partner) ? { source_partner_id: partner } : {}),
    ...(/^[0-3]$/.test(level ?? "") ? { level: Number(level) } : {}),
    ...(/^[a-z]{3}$/.test(currency ?? "") ? { currency: currency ?? "" } : {}),
    ...(isMonth(month) ? monthWithin("accrued", month) : {}),
    ...daysWithin("accrued", url),
  };
}

/** Client, link, level, kind, currency and time. What links narrow to, such as one deal, is cleared here too. */
export function MoreFilters({ client, link }: { client: string | undefined; link: string | undefined }) {
  const [text, setText] = useState("");
  const clients = useClientOptions(text, client ? [client] : []);
  const links = useLinkOptions(link ?? null);
  const { data: balances = [] } = useBalances();
  return (
    <Filters names={MORE}>
      <Choice name="client" label="Client" data={clients} search={[text, setText]} />
      {links.length > 0 && <Choice name="link" label="Came by the link" data={links} />}
      <Choice name="level" label="Level" data={LEVELS} />
      <Pair>
        <Choice name="kind" label="Kind" data={Object.entries(KINDS).map(([value, label]) => ({ value, label }))} />
        <Choice name="currency" label="Currency" data={balances.map(({ currency }) => currency)} />
      </Pair>
      <Choice name="month" label="Month, in UTC" data={MONTHS} />
      <FromTo />
    </Filters>
  );
}
