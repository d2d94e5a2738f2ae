import { Button } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { Check, Copy as CopyIcon, ExternalLink, Send } from "lucide-react";
import { lazy, Suspense } from "react";
import { useMay } from "../../../api/session.ts";
import { Answer, Blocker } from "../../../ui/answer.tsx";
import { Id, useCopy } from "../../../ui/copy.tsx";
import { Link } from "../../../ui/link.tsx";
import { Money, money } from "../../../ui/money.tsx";
import { Page, PhoneActs, Split } from "../../../ui/page.tsx";
import { spaced } from "../../../ui/phone.ts";
import { Progress } from "../../../ui/progress.tsx";
import { Facts, Section } from "../../../ui/section.tsx";
import { useUrl } from "../../../ui/url.ts";
import { Waiting } from "../../../ui/waiting.tsx";
import { day, When } from "../../../ui/when.tsx";
import { InAccount, ReadOnly, useRightAccount } from "../../crm/records/account.tsx";
import type { Account } from "../../crm/records/data.ts";
import { usePersonName } from "../../crm/records/people.tsx";
import { useProviders } from "../providers/data.ts";
import { isChangeable, isRecordable, LinkMenu } from "./acts.tsx";
import { Attempts } from "./attempts.tsx";
import { type PaymentLink, usePaymentLink } from "./data.ts";
import { Deliveries } from "./deliveries.tsx";
import { EditLink } from "./form.tsx";
import classes from "./links.module.css";
import { LinkPayments } from "./paid.tsx";
import { RecordPayment } from "./record.tsx";
import { SendLink } from "./send.tsx";
import { SetOff } from "./set-off.tsx";
import { customerOf, isOpen, LinkState, shareOf } from "./words.tsx";

const Qr = lazy(() => import("../../../ui/qr.tsx"));

type Props = { account: Account; link: PaymentLink };

const trailOf = (account: Account) => [["Payment links", `/crm/${account.id}/payment-links`]] as const;

export default function PaymentLinkPage() {
  return <InAccount title="Payment link">{(account) => <OneLink account={account} />}</InAccount>;
}

function OneLink({ account }: { account: Account }) {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const query = usePaymentLink(id);
  const link = query.data;
  useRightAccount(account, link, "payment-links");
  if (link === undefined) return <Waiting title="Payment link" trail={trailOf(account)} query={query} />;
  return <Shown account={account} link={link} />;
}

/** What has become of it, and what can be done? */
function Shown({ account, link }: Props) {
  const [url, setUrl] = useUrl();
  const writes = useMay()("billing:write") && account.readOnly === null;
  const { copied, copy } = useCopy();
  const close = () => setUrl({ do: undefined });
  const name = customerOf(link);
  const sent = link.deliveries.length > 0;
  const acts = (
    <>
      {writes && isOpen(link) && (
        <Button variant="default" leftSection={<Send />} onClick={() => setUrl({ do: sent ? "remind" : "send" }, true)}>
          {sent ? "Remind…" : "Send…"}
        </Button>
      )}
      <Button leftSection={copied ? <Check /> : <CopyIcon />} onClick={() => copy(link.url)}>
        {copied ? "Copied" : "Copy link"}
      </Button>
    </>
  );
  return (
    <Page
      title={
        <>
          <span className="cut">{name}</span> <LinkState link={link} />
        </>
      }
      name={name}
      trail={trailOf(account)}
      api={`GET /v1/billing/payment-links/${link.id}`}
      foot={
        <span>
          Version {link.version}, changed <When at={link.updated_at} as="since" />
        </span>
      }
      actions={
        <>
          {writes && <LinkMenu link={link} />}
          {acts}
        </>
      }
      phoneAction={writes && <LinkMenu link={link} size={44} quiet />}
    >
      <ReadOnly account={account} />
      <Split side={<Side account={account} link={link} />}>
        <Standing link={link} />
        <PhoneActs>{acts}</PhoneActs>
        <Ended link={link} />
        <Items link={link} />
        <LinkPayments account={account} link={link} />
        <Deliveries account={account} link={link} />
        <Attempts link={link} />
      </Split>
      {writes && url.do === "change" && isChangeable(link) && <EditLink link={link} close={close} />}
      {writes && (url.do === "send" || url.do === "remind") && isOpen(link) && (
        <SendLink link={link} how={url.do} close={close} />
      )}
      {writes && url.do === "record" && isRecordable(link) && <RecordPayment link={link} close={close} />}
    </Page>
  );
}

/** How much of it is paid. */
function Standing({ link }: { link: PaymentLink }) {
  const { usage, uses_max, currency, total_cents, paid_cents, reserved_cents, refunded_cents, tips_cents, description } = link;
  const uses = Math.round(paid_cents / total_cents);
  const text = (cents: number) => money(cents, currency);
  return (
    <div className={classes.standing}>
      <Answer
        sub={
          <>
            {description && <span>{description}</span>}
            {reserved_cents > 0 && <span>{text(reserved_cents)} is being paid right now</span>}
            {tips_cents > 0 && <span>{text(tips_cents)} of tips on top</span>}
            {refunded_cents > 0 && <span>{text(refunded_cents)} was refunded</span>}
            <Id>{link.id}</Id>
          </>
        }
      >
        {usage === "multi" ? (
          <>
            <b>{text(paid_cents)}</b> by {uses} of {uses_max ?? "any number of"} payers
          </>
        ) : (
          <>
            <b>{text(paid_cents)}</b> of {text(total_cents)} is paid
          </>
        )}
      </Answer>
      {(usage === "single" || uses_max !== null) && <Progress label="Paid" value={shareOf(link)} />}
    </div>
  );
}

/** Why its page takes no payments, if that is so. */
function Ended({ link: { status, expires_at, paid_cents } }: { link: PaymentLink }) {
  if (status === "disabled")
    return <Blocker title="The link is disabled">Its page takes no payments until you enable it again.</Blocker>;
  if (status === "expired")
    return (
      <Blocker tone="bad" title={`The link expired on ${day(expires_at)}`}>
        {paid_cents === 0 ? "With a later last day it is active again." : "The rest can be asked for by a new link."}
      </Blocker>
    );
  if (status === "cancelled") return <Blocker title="The link is cancelled">Nothing was paid.</Blocker>;
  if (status === "closed") return <Blocker title="The link is closed">What was paid counts; the rest was given up.</Blocker>;
  return null;
}

function Items({ link: { line_items, currency } }: { link: PaymentLink }) {
  if (line_items === null) return null;
  return (
    <Section title="Items">
      <ul className={classes.lines}>
        {line_items.map(({ name, quantity, unit_cents, tax_cents = 0 }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two items may be the same, and none is moved
          <li key={index}>
            <span className="cut">{name}</span>
            <span className="muted num">
              {quantity} × {money(unit_cents, currency)}
              {tax_cents > 0 && `, ${money(tax_cents, currency)} tax`}
            </span>
            <b className="num">{money(quantity * unit_cents + tax_cents, currency)}</b>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The page, to be opened here or with a camera. */
function Share({ link: { url } }: { link: PaymentLink }) {
  return (
    <Section title="The page">
      <div className={classes.share}>
        <Suspense fallback={<div />}>
          <Qr text={url} label="QR code of the link" />
        </Suspense>
        <a className="link" href={url} target="_blank" rel="noreferrer">
          Open the page <ExternalLink size={13} aria-hidden />
        </a>
      </div>
    </Section>
  );
}

function Side({ account, link }: Props) {
  const nameOf = usePersonName();
  const providers = useProviders(account.id).data ?? [];
  const { customer, contact_id, partial, tip, currency, deal_id, due_on, conversation_id } = link;
  const dealAt = account.house ? `/deals/${deal_id}` : `/crm/${account.id}/deals/${deal_id}`;
  return (
    <>
      {isOpen(link) && <Share link={link} />}
      <SetOff planned={link}>{(list) => <Section title="Once it is paid">{list}</Section>}</SetOff>
      <Section title="Facts">
        <Facts
          rows={[
            [
              "Customer",
              contact_id ? (
                <Link key="customer" className="link" to={`/crm/${account.id}/contacts/${contact_id}`}>
                  {customerOf(link)}
                </Link>
              ) : (
                customer.name
              ),
            ],
            ["Phone", spaced(customer.phone)],
            ["Email", customer.email],
            ["Due on", due_on && day(due_on)],
            ["Expires", <When key="expires" at={link.expires_at} as="day" />],
            ["In parts", partial && partsText(partial, currency)],
            ["Tips", tip?.percentages.map((share) => `${share}%`).join(", ")],
            ["Asks for", link.collect.length > 0 ? link.collect.map(({ label }) => label).join(" ") : null],
            [
              "Deal",
              deal_id && (
                <Link key="deal" className="link" to={dealAt}>
                  Open the deal
                </Link>
              ),
            ],
            [
              "Conversation",
              conversation_id && (
                <Link key="conversation" className="link" to={`/crm/${account.id}/inbox/${conversation_id}`}>
                  Open it
                </Link>
              ),
            ],
            ["Provider", providers.find(({ id }) => id === link.provider_id)?.name],
            ["Reference", link.reference],
            ["Paid", link.paid_at && <When key="paid" at={link.paid_at} as="day" />],
            ["Created", <When key="created" at={link.created_at} as="day" />],
            ["By", nameOf(link.created_by)],
          ]}
        />
      </Section>
    </>
  );
}

function partsText({ min_first_cents, min_next_cents }: NonNullable<PaymentLink["partial"]>, currency: string): React.ReactNode {
  if (min_first_cents === undefined && min_next_cents === undefined) return "of any size";
  return (
    <>
      {min_first_cents !== undefined && (
        <>
          first at least <Money cents={min_first_cents} currency={currency} />
        </>
      )}
      {min_first_cents !== undefined && min_next_cents !== undefined && ", "}
      {min_next_cents !== undefined && (
        <>
          others at least <Money cents={min_next_cents} currency={currency} />
        </>
      )}
    </>
  );
}
