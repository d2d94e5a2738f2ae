import { TextInput } from "@mantine/core";
import { Bar, Export, Tabs } from "../../../ui/bar.tsx";
import { isDay, startOfDay, today } from "../../../ui/days.ts";
import { Choice, Filters } from "../../../ui/filters.tsx";
import { Loaded, Page } from "../../../ui/page.tsx";
import { useUrl } from "../../../ui/url.ts";
import { Balances } from "./balances.tsx";
import {
  type Account,
  type EntryFilter,
  entriesExport,
  entriesRequest,
  trialExport,
  trialRequest,
  useEntries,
  useTrialBalance,
} from "./data.ts";
import { Entries } from "./entries.tsx";
import classes from "./ledger.module.css";
import { Trial } from "./trial.tsx";
import { ACCOUNTS } from "./words.ts";

type Url = Readonly<Record<string, string | undefined>>;

const TABS = [
  { value: "", name: "Entries" },
  { value: "trial", name: "Trial balance" },
];

/** Books are closed for a time once it has passed for a minute. */
const CLOSED_AFTER_MS = 61_000;

/** The end of a day that has passed; today is now. */
function timeOf(day: string | undefined): string | undefined {
  const end = isDay(day) ? startOfDay(day, 1) : undefined;
  return end !== undefined && Date.parse(end) < Date.now() - CLOSED_AFTER_MS ? end : undefined;
}

function filterOf({ account, currency, commission, day }: Url): EntryFilter {
  const at_before = timeOf(day);
  return {
    ...(account && account in ACCOUNTS ? { account: account as Account } : {}),
    ...(/^[a-z]{3}$/.test(currency ?? "") ? { currency: currency ?? "" } : {}),
    ...(/^com_[0-9a-z]{26}$/.test(commission ?? "") ? { commission_id: commission ?? "" } : {}),
    ...(at_before ? { at_before } : {}),
  };
}

/** What is owed to me, today or on a day, and how did it come about? */
export default function Ledger() {
  const [url, setUrl] = useUrl();
  const trial = url.show === "trial";
  const as_of = timeOf(url.day);
  const filter = filterOf(url);
  const balance = useTrialBalance(as_of);
  const entries = useEntries(filter, !trial);
  const above = (
    <>
      <Balances balance={balance} day={as_of ? url.day : undefined} />
      <Bar>
        <Tabs label="Show" value={trial ? "trial" : ""} tabs={TABS} onChange={(show) => setUrl({ show })} />
        <TextInput
          type="date"
          className={classes.day ?? ""}
          leftSection={<span className={classes.asOf}>As of</span>}
          leftSectionWidth={52}
          aria-label="As of the end of this day"
          title="As of the end of this day"
          max={today()}
          value={url.day ?? ""}
          onChange={({ currentTarget }) => setUrl({ day: currentTarget.value })}
        />
        {!trial && <MoreFilters currencies={balance.data?.totals.map(({ currency }) => currency) ?? []} />}
        <Export href={trial ? trialExport(as_of) : entriesExport(filter)} />
      </Bar>
    </>
  );
  return (
    <Page
      title="Ledger"
      fill
      api={trial ? trialRequest(as_of) : entriesRequest(filter)}
      foot={trial ? "Credits less debits" : <Loaded list={entries} keys={false} />}
    >
      {trial ? (
        <div className={classes.scroll}>
          {above}
          <Trial balance={balance} />
        </div>
      ) : (
        <Entries list={entries} above={above} narrowed={Object.keys(filter).length > 0} />
      )}
    </Page>
  );
}

function MoreFilters({ currencies }: { currencies: readonly string[] }) {
  const [url, setUrl] = useUrl();
  return (
    <Filters names={["account", "currency", "commission"]}>
      <Choice
        name="account"
        label="Account"
        data={Object.entries(ACCOUNTS).map(([value, { name }]) => ({ value, label: name }))}
      />
      <Choice name="currency" label="Currency" data={currencies} />
      <TextInput
        label="Commission"
        placeholder="com_…"
        value={url.commission ?? ""}
        onChange={({ currentTarget }) => setUrl({ commission: currentTarget.value.trim() })}
      />
    </Filters>
  );
}
