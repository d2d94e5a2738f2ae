import { Button } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { FileText } from "lucide-react";
import { Answer } from "../../ui/answer.tsx";
import { Id } from "../../ui/copy.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Link } from "../../ui/link.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Money, money } from "../../ui/money.tsx";
import { Page, PhoneActs, Split } from "../../ui/page.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Facts, Section } from "../../ui/section.tsx";
import { day, When } from "../../ui/when.tsx";
import { CommissionRows } from "../money/commissions/rows.tsx";
import { Acts } from "./acts.tsx";
import { oneRequest, type PayoutDetail, type Status, statementHref, usePayout, usePayoutCommissions } from "./data.ts";
import classes from "./payouts.module.css";
import { METHODS, PayoutState, plural } from "./words.tsx";

const TRAIL = [["Payouts", "/payouts"]] as const;

export default function OnePayout() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const { data, error, refetch } = usePayout(id);
  if (data !== undefined) return <Shown payout={data} />;
  return (
    <Page title="Payout" trail={TRAIL}>
      {error ? <Failure title="The payout did not load" error={error} retry={refetch} /> : <Loading />}
    </Page>
  );
}

function Shown({ payout }: { payout: PayoutDetail }) {
  const name = `${payout.partner_company}, ${payout.statement_number}`;
  return (
    <Page
      title={
        <>
          <span className="cut">{name}</span> <PayoutState payout={payout} />
        </>
      }
      name={name}
      trail={TRAIL}
      api={oneRequest(payout.id)}
      foot={
        <span>
          Version {payout.version}, changed <When at={payout.updated_at} as="since" />
        </span>
      }
      actions={<Acts payout={payout} />}
    >
      <Split side={<Side payout={payout} />}>
        <Answer sub={MEANS[payout.status](payout)}>
          <b>
            <Money cents={payout.net_cents} currency={payout.currency} />
          </b>{" "}
          {WORDS[payout.status]} {payout.partner_company}
        </Answer>
        {payout.status !== "cancelled" && (
          <PhoneActs>
            <Acts payout={payout} />
          </PhoneActs>
        )}
        <Sum payout={payout} />
        <Attempts payout={payout} />
        <Commissions payout={payout} />
      </Split>
    </Page>
  );
}

const WORDS: Record<Status, string> = {
  scheduled: "will be paid to",
  processing: "is on its way to",
  paid: "was paid to",
  failed: "did not reach",
  cancelled: "was not paid to",
};

const MEANS: Record<Status, (payout: PayoutDetail) => string> = {
  scheduled: ({ scheduled_for, attempt }) =>
    `For ${day(scheduled_for)}${attempt > 1 ? `, attempt ${attempt}` : ""}. It is in no file for the bank yet.`,
  processing: () => "It is in a file for the bank. Report whether it was paid or failed.",
  paid: ({ paid_at, reference }) => `On ${day(paid_at ?? "")}${reference ? `, reference ${reference}` : ""}.`,
  failed: ({ failure }) => `${failure}. It is still owed: try it again with the payout method of now, or cancel it.`,
  cancelled: () => "Its commissions are approved again, and in the next run.",
};

/** What makes the net amount. */
function Sum({ payout }: { payout: PayoutDetail }) {
  const { currency, gross_cents, adjustments_cents, carry_in_cents, net_cents } = payout;
  return (
    <Section title="Amount" aside={`${day(payout.period_from)} – ${day(payout.period_to)}`}>
      <Rows heads={["What", "Amount"]} ends={1}>
        <tr>
          <td>Earned</td>
          <td>{money(gross_cents, currency)}</td>
        </tr>
        <tr>
          <td>Taken back</td>
          <td>{money(adjustments_cents, currency)}</td>
        </tr>
        <tr>
          <td>Carried over from the run before</td>
          <td>{money(carry_in_cents, currency)}</td>
        </tr>
        <tr className={classes.sum}>
          <td>Net</td>
          <td>{money(net_cents, currency)}</td>
        </tr>
      </Rows>
    </Section>
  );
}

function Attempts({ payout: { attempts, status } }: { payout: PayoutDetail }) {
  return (
    <Section title="Attempts">
      <Rows heads={["", "Paid to", "Result", "·Since", "Ended"]} ends={2}>
        {attempts.map(({ attempt, method, method_hint, failure, started_at, ended_at }) => (
          <tr key={attempt}>
            <td className="muted">{attempt}</td>
            <td>
              {method_hint} <span className="muted">{METHODS[method]}</span>
            </td>
            <td className="soft">{failure ?? (attempt === attempts.length ? status : "")}</td>
            <td className="muted" data-desk>
              <When at={started_at} as="day" />
            </td>
            <td className="muted">
              <When at={ended_at} as="day" never="–" />
            </td>
          </tr>
        ))}
      </Rows>
    </Section>
  );
}

function Commissions({ payout }: { payout: PayoutDetail }) {
  const { rows, loading, error, retry, more, loadMore, loadingMore } = usePayoutCommissions(payout.id);
  return (
    <Section title="Commissions" aside={plural(payout.commission_count, "commission")}>
      {error && <Failure small title="The commissions did not load" error={error} retry={retry} />}
      {loading ? <Loading rows={3} /> : <CommissionRows rows={rows} />}
      {more && (
        <Button variant="subtle" mt={8} loading={loadingMore} onClick={loadMore}>
          Show more
        </Button>
      )}
    </Section>
  );
}

function Side({ payout }: { payout: PayoutDetail }) {
  return (
    <>
      <Section title="Facts">
        <Facts
          rows={[
            [
              "Partner",
              <Link key="partner" className="link" to={`/partners/${payout.partner_id}?tab=payouts`}>
                {payout.partner_company}
              </Link>,
            ],
            ["Paid to", payout.method_hint],
            ["How", METHODS[payout.method]],
            ["To be paid", <When key="for" at={payout.scheduled_for} as="day" />],
            ["Paid on", payout.paid_at && <When key="paid" at={payout.paid_at} as="day" />],
            ["Reference", payout.reference && <span className="mono">{payout.reference}</span>],
            [
              "Run",
              <Link key="run" className="link" to={`/payout-runs/${payout.run_id}`}>
                Run of {day(payout.created_at)}
              </Link>,
            ],
            ["Bank file", payout.export_id && <Id key="file">{payout.export_id}</Id>],
            ["Payout", <Id key="id">{payout.id}</Id>],
          ]}
        />
      </Section>
      <Section title="Statement">
        <Button component="a" href={statementHref(payout.id)} download variant="default" leftSection={<FileText />}>
          {payout.statement_number} as PDF
        </Button>
      </Section>
    </>
  );
}
