import { Button } from "@mantine/core";
import { Figures } from "../../ui/answer.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Loading } from "../../ui/loading.tsx";
import { money } from "../../ui/money.tsx";
import { Section } from "../../ui/section.tsx";
import { type Balance, useBalances } from "../money/commissions/data.ts";
import classes from "../operator.module.css";
import type { Partner } from "./data.ts";

type State = "pending" | "held" | "approved" | "scheduled" | "paid";
const STATES: readonly { state: State; note: string }[] = [
  { state: "pending", note: "before approval" },
  { state: "held", note: "by you" },
  { state: "approved", note: "for the next payout" },
  { state: "scheduled", note: "being paid" },
  { state: "paid", note: "so far" },
];

/** What stands where in a partner's book: its own currency first. */
export function PartnerMoney({ partner, adjust }: { partner: Partner; adjust(): void }) {
  const { data, error, refetch } = useBalances(partner.id);
  return (
    <Section
      title="Money"
      aside={
        <Button size="xs" variant="default" onClick={adjust}>
          Adjust balance…
        </Button>
      }
    >
      {error && !data && <Failure small title="The balances did not load" error={error} retry={refetch} />}
      {data === undefined ? !error && <Loading rows={2} /> : <Shown partner={partner} balances={data} />}
    </Section>
  );
}

function Shown({ partner, balances }: { partner: Partner; balances: readonly Balance[] }) {
  const own = balances.find(({ currency }) => currency === partner.currency) ?? none(partner.currency);
  const all = [own, ...balances.filter(({ currency }) => currency !== partner.currency)];
  const figures = all.map((balance) => (
    <Figures
      key={balance.currency}
      figures={STATES.map(({ state, note }) => ({
        name: state.charAt(0).toUpperCase() + state.slice(1),
        value: money(balance[`${state}_cents`], balance.currency),
        note,
        to: `/partners/${partner.id}?tab=commissions&status=${state}&currency=${balance.currency}`,
      }))}
    />
  ));
  return <div className={classes.figures}>{figures}</div>;
}

const none = (currency: string): Balance => ({
  currency,
  pending_cents: 0,
  held_cents: 0,
  approved_cents: 0,
  scheduled_cents: 0,
  paid_cents: 0,
});
