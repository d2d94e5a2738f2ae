import { Button, Textarea } from "@mantine/core";
import { useState } from "react";
import { Answer } from "../../ui/answer.tsx";
import { Id } from "../../ui/copy.tsx";
import { Failure, reasonOf } from "../../ui/failure.tsx";
import { Link } from "../../ui/link.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Money } from "../../ui/money.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Facts, Section } from "../../ui/section.tsx";
import { toast } from "../../ui/toast.tsx";
import { day, When } from "../../ui/when.tsx";
import classes from "../operator.module.css";
import { type Decision, type Registration, useDecide, useRegistration } from "./data.ts";
import { RegistrationState } from "./status.tsx";

/** One registration, with the decision. */
export function Review({ deal_id, close }: { deal_id: string; close(): void }) {
  const { data, error, refetch } = useRegistration(deal_id);
  const decidable = data?.status === "submitted" || data?.status === "needs_info" || data?.status === "approved";
  return (
    <Panel
      title={data?.company ?? data?.company_domain ?? "Registration"}
      close={close}
      foot={data !== undefined && decidable && <Decide registration={data} />}
    >
      {error && <Failure title="The registration did not load" error={error} retry={refetch} />}
      {data === undefined ? !error && <Loading /> : <Shown registration={data} />}
    </Panel>
  );
}

function Shown({ registration: row }: { registration: Registration }) {
  return (
    <>
      <Answer
        sub={
          <>
            <RegistrationState registration={row} /> <span>{consequence(row)}</span>
          </>
        }
      >
        <b>{row.mrr_cents === null ? "An unknown amount" : <Money cents={row.mrr_cents} currency={row.currency} />}</b> a month,
        by <b>{row.partner_company}</b>
      </Answer>
      <Section title="Facts">
        <Facts
          rows={[
            [
              "Partner",
              <Link key="partner" className="link" to={`/partners/${row.partner_id}`}>
                {row.partner_company}
              </Link>,
            ],
            ["Domain", row.company_domain],
            ["Plan", row.plan],
            ["Stage", row.stage],
            ["Deal", row.deal_status],
            ["Submitted", <When key="at" at={row.submitted_at} as="day" />],
            ["Protected until", <When key="until" at={row.protected_until} as="day" />],
            ["Decided", row.decided_at && <When key="decided" at={row.decided_at} as="day" />],
            ["Reason", row.reason],
            ["Id", <Id key="id">{row.deal_id}</Id>],
          ]}
        />
      </Section>
    </>
  );
}

function consequence({ status, protected_until }: Registration): string {
  if (status === "approved") return `No other partner can register this company until ${day(protected_until)}.`;
  if (status === "rejected") return "The company is free for other partners.";
  return `The company is kept for this partner while you decide, until ${day(protected_until)}.`;
}

const ASKS: Record<Decision, { label: string; verb: string; done: string; needed: boolean }> = {
  approve: { label: "A word to the partner", verb: "Approve", done: "approved", needed: false },
  reject: { label: "Why not", verb: "Reject", done: "rejected", needed: true },
  "request-info": { label: "What you need to know", verb: "Ask", done: "asked for more", needed: true },
};

/** Approve at once; rejecting and asking take a reason, which the partner sees. */
function Decide({ registration }: { registration: Registration }) {
  const [as, setAs] = useState<Decision | null>(null);
  const [reason, setReason] = useState("");
  const decide = useDecide();
  const act = (decision: Decision) =>
    decide.mutateAsync({ registration, as: decision, reason: reason.trim() }).then(
      ({ company, company_domain }) => {
        toast(`${company ?? company_domain} is ${ASKS[decision].done}`);
        setAs(null);
      },
      () => undefined,
    );
  if (as === null) {
    return (
      <div className={classes.decide}>
        <Button variant="default" onClick={() => setAs("request-info")}>
          Ask for more…
        </Button>
        <Button variant="danger" onClick={() => setAs("reject")}>
          Reject…
        </Button>
        {registration.status !== "approved" && (
          <Button loading={decide.isPending} onClick={() => void act("approve")}>
            Approve
          </Button>
        )}
        {decide.error && <p role="alert">{reasonOf(decide.error)}</p>}
      </div>
    );
  }
  const { label, verb, needed } = ASKS[as];
  return (
    <form
      style={{ flex: 1 }}
      onSubmit={(event) => {
        event.preventDefault();
        void act(as);
      }}
    >
      <Textarea
        label={label}
        description="The partner sees it"
        autosize
        minRows={2}
        maxRows={6}
        data-autofocus
        autoFocus
        value={reason}
        error={decide.error && reasonOf(decide.error)}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <div className={classes.decide} style={{ justifyContent: "flex-end", marginTop: 12 }}>
        <Button variant="default" onClick={() => setAs(null)}>
          Back
        </Button>
        <Button
          type="submit"
          {...(as === "reject" ? { variant: "danger-filled" } : {})}
          loading={decide.isPending}
          disabled={needed && reason.trim() === ""}
        >
          {verb}
        </Button>
      </div>
    </form>
  );
}
