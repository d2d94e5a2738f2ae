import { ActionIcon, Button } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { FileText, Table2 } from "lucide-react";
import { Answer, Blocker } from "../../../ui/answer.tsx";
import { Id } from "../../../ui/copy.tsx";
import { Link } from "../../../ui/link.tsx";
import { Money } from "../../../ui/money.tsx";
import { Page, Split } from "../../../ui/page.tsx";
import { Facts, Section } from "../../../ui/section.tsx";
import { Timeline } from "../../../ui/timeline.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import { day, When } from "../../../ui/when.tsx";
import { Attempts } from "./attempts.tsx";
import { oneRequest, type PayoutDetail, statementAddress, usePayout } from "./data.ts";
import { momentsOf } from "./moments.tsx";
import { Paid, Receipt } from "./receipt.tsx";
import { METHODS, PayoutState, periodOf, standing } from "./words.tsx";

const TRAIL = [["Payouts", "/earn/payouts"]] as const;

/** What was paid, and for what? */
export default function OnePayout() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const query = usePayout(id);
  const row = query.data;
  if (row === undefined) return <Waiting title="Payout" trail={TRAIL} query={query} />;
  return <Shown row={row} />;
}

function Shown({ row }: { row: PayoutDetail }) {
  const side = (
    <>
      <Section title="What happened">
        <Timeline moments={momentsOf(row)} />
      </Section>
      <Section title="Facts">
        <Facts rows={factsOf(row)} />
      </Section>
    </>
  );
  return (
    <Page
      title={
        <>
          <span className="cut">{row.statement_number}</span> <PayoutState row={row} />
        </>
      }
      name={`Payout ${row.statement_number}`}
      trail={TRAIL}
      api={oneRequest(row.id)}
      foot="Its amount is never edited"
      actions={
        <>
          <Button component="a" href={statementAddress(row.id, "csv")} download variant="default" leftSection={<Table2 />}>
            CSV
          </Button>
          <Button component="a" href={statementAddress(row.id, "pdf")} target="_blank" leftSection={<FileText />}>
            Statement
          </Button>
        </>
      }
      phoneAction={
        <ActionIcon component="a" href={statementAddress(row.id, "pdf")} target="_blank" size={44} aria-label="Statement as PDF">
          <FileText size={20} />
        </ActionIcon>
      }
    >
      <Split side={side}>
        <Answer
          sub={
            <>
              <span>{standing(row)}</span>
              <Id>{row.id}</Id>
            </>
          }
        >
          <b>
            <Money cents={row.net_cents} currency={row.currency} />
          </b>{" "}
          {ANSWERS[row.status](row)}
        </Answer>
        {row.status === "failed" && (
          <Blocker
            tone="bad"
            title={row.failure ?? "The bank refused it"}
            action={
              <Button component={Link} to="/settings/payout-method" variant="default">
                Check the payout method
              </Button>
            }
          >
            A new try takes the payout method of then: if the account has changed, set the new one first.
          </Blocker>
        )}
        <Receipt row={row} />
        {(row.attempts.length > 1 || row.attempts.some(({ failure }) => failure !== null)) && <Attempts row={row} />}
        <Paid row={row} />
      </Split>
    </Page>
  );
}

const ANSWERS: Record<PayoutDetail["status"], (row: PayoutDetail) => string> = {
  scheduled: ({ scheduled_for }) => `will be paid, planned for ${day(scheduled_for)}`,
  processing: () => "is on its way to you",
  paid: ({ paid_at }) => (paid_at === null ? "was paid" : `was paid on ${day(paid_at)}`),
  failed: () => "could not be paid",
  cancelled: () => "was cancelled",
};

const factsOf = (row: PayoutDetail) =>
  [
    ["Statement", row.statement_number],
    ["Period", periodOf(row)],
    ["Planned for", <When key="planned" at={row.scheduled_for} as="day" />],
    ["Paid", row.paid_at && <When key="paid" at={row.paid_at} as="day" />],
    ["Method", row.method === "sepa" ? `${METHODS.sepa}, ${row.method_hint}` : METHODS.manual],
    [
      "Reference",
      row.reference && (
        <span key="reference" className="mono">
          {row.reference}
        </span>
      ),
    ],
    ["Currency", row.currency.toUpperCase()],
    [
      "Ledger",
      <Link key="ledger" className="link" to="/earn/ledger">
        Open ledger
      </Link>,
    ],
  ] as const;
