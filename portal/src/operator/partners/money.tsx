import { Button } from "@mantine/core";
import { type Figure, Figures } from "../../ui/answer.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Loading } from "../../ui/loading.tsx";
import { money } from "../../ui/money.tsx";
import { Section } from "../../ui/section.tsx";
import { type Balance, useBalances } from "../money/commissions/data.ts";
import type { Partner } from "./data.ts";

type State = "pending" | "held" | "approved" | "scheduled" | "paid";
const STATES: readonly { state: State; note: string }[] = [
  { state: "pending", note: "in hold, or before the first charge" },
  { state: "held", note: "by you, until released" },
  { state: "approved", note: "for the next payout" },
  { state: "scheduled", note: "in a payout that is not paid" },
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
  const own = balances.find(({ currency }) => currency === partner.currency);
  const [main = none(partner.currency), ...others] = own ? [own, ...balances.filter((balance) => balance !== own)] : balances;
  const figures = STATES.map(({ state, note }): Figure => {
    const also = others
      .map((balance) => ({ cents: balance[`${state}_cents`], currency: balance.currency }))
      .filter(({ cents }) => cents !== 0);
    return {
      name: state.charAt(0).toUpperCase() + state.slice(1),
      value: money(main[`${state}_cents`], main.currency),
      also: also.length > 0 && also.map(({ cents, currency }) => money(cents, currency)).join(", "),
      note,
      to: `/partners/${partner.id}?tab=commissions&status=${state}`,
    };
  });
  return <Figures figures={figures} />;
}

const none = (currency: string): Balance => ({
  currency,
  pending_cents: 0,
  held_cents: 0,
  approved_cents: 0,
  scheduled_cents: 0,
  paid_cents: 0,
});
