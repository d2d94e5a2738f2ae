import { Checkbox, NumberInput, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useMay } from "../../../api/session.ts";
import { Blocker } from "../../../ui/answer.tsx";
import { Form, FormFoot, Pair, useApiForm } from "../../../ui/form.tsx";
import { Link } from "../../../ui/link.tsx";
import { minorUnits, money } from "../../../ui/money.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Facts, Section } from "../../../ui/section.tsx";
import { toast, toastError } from "../../../ui/toast.tsx";
import { useContactsLike } from "../contacts/data.ts";
import type { Account } from "../records/data.ts";
import { type ConvertRequest, type Lead, useConvert, useUnconvert } from "./data.ts";
import { leadName } from "./status.tsx";

type Props = { account: Account; lead: Lead; close(): void };

const initialOf = (lead: Lead, deal: boolean) => ({
  contact: { name: lead.name ?? "", phone: lead.phone ?? "", email: lead.email ?? "", company: lead.company ?? "" },
  withDeal: deal,
  deal: { name: lead.company ?? leadName(lead), amount_cents: "" as number | string },
});
type Values = ReturnType<typeof initialOf>;

/** What the person typed beyond what the lead has. */
function bodyOf(lead: Lead, { contact, withDeal, deal }: Values, currency: string): ConvertRequest {
  const own = lead as unknown as Record<string, string | null>;
  const changed = Object.entries(contact).filter(([name, value]) => value.trim() !== "" && value !== own[name]);
  const amount = deal.amount_cents === "" ? {} : { amount_cents: Math.round(Number(deal.amount_cents) * minorUnits(currency)) };
  return {
    ...(changed.length > 0 ? { contact: Object.fromEntries(changed) } : {}),
    ...(withDeal ? { deal: { ...(deal.name.trim() === "" ? {} : { name: deal.name }), ...amount } } : {}),
  };
}

/** Shows who and what a lead becomes, before it does. */
export function ConvertLead({ account, lead, close }: Props) {
  const may = useMay();
  const deals = may("deals:write");
  const convert = useConvert();
  const unconvert = useUnconvert();
  const { form, busy, problem, onSubmit } = useApiForm<Values>({
    initial: initialOf(lead, deals),
    async send(values, key) {
      const result = await convert.mutateAsync({ lead, body: bodyOf(lead, values, account.currency), key });
      toast(`${result.contact?.name ?? leadName(lead)} is a contact${result.deal ? ", with a deal" : ""}`, () => {
        unconvert.mutateAsync(lead.id).catch((error: Error) => toastError("Not taken back", error));
      });
      close();
    },
  });
  const { contact, withDeal, deal } = form.values;
  return (
    <Panel
      title={`Convert ${leadName(lead)}`}
      close={close}
      foot={<FormFoot form="convert-lead" action="Convert" busy={busy} close={close} />}
    >
      <Form id="convert-lead" onSubmit={onSubmit} problem={problem}>
        <TextInput label="Name" autoComplete="off" {...form.getInputProps("contact.name")} />
        <Pair>
          <TextInput label="Phone" type="tel" placeholder="+14155552671" {...form.getInputProps("contact.phone")} />
          <TextInput label="Email" type="email" {...form.getInputProps("contact.email")} />
        </Pair>
        <TextInput label="Company" {...form.getInputProps("contact.company")} />
        {deals ? (
          <Checkbox label="With a deal" {...form.getInputProps("withDeal", { type: "checkbox" })} />
        ) : (
          <p className="muted">Without a deal: that takes the right to change deals, which an admin can give you.</p>
        )}
        {withDeal && (
          <Pair>
            <TextInput label="Name of the deal" {...form.getInputProps("deal.name")} />
            <NumberInput
              label={`Amount, ${account.currency.toUpperCase()}`}
              min={0}
              decimalScale={2}
              thousandSeparator=","
              hideControls
              {...form.getInputProps("deal.amount_cents")}
            />
          </Pair>
        )}
        <Preview account={account} contact={contact} deal={withDeal ? deal : null} tags={lead.tags} />
      </Form>
    </Panel>
  );
}

type PreviewProps = { account: Account; contact: Values["contact"]; deal: Values["deal"] | null; tags: readonly string[] };

/** A contact with the same phone or address is used again; otherwise there is a new one. */
function Preview({ account, contact, deal, tags }: PreviewProps) {
  const [phone] = useDebouncedValue(contact.phone.trim(), 300);
  const [email] = useDebouncedValue(contact.email.trim().toLowerCase(), 300);
  const byPhone = useContactsLike(account.id, phone).data?.find((one) => one.phone === phone);
  const byEmail = useContactsLike(account.id, email).data?.find((one) => one.email?.toLowerCase() === email);
  const known = byPhone ?? byEmail;
  return (
    <Section title="What happens">
      {phone === "" && !known && (
        <Blocker title="A contact needs a phone">
          Type it above; without one only a contact with the same address can be used.
        </Blocker>
      )}
      <Facts
        rows={[
          [
            "Contact",
            known ? (
              <>
                Joins{" "}
                <Link className="link" to={`/crm/${account.id}/contacts/${known.id}`}>
                  {known.name}
                </Link>
                , who has the same {byPhone ? "phone" : "address"}
              </>
            ) : (
              `New: ${contact.name || contact.email || contact.phone}`
            ),
          ],
          ["Tags", tags.length > 0 ? `${tags.join(", ")} ${known ? "are added" : ""}` : null],
          [
            "Deal",
            deal
              ? `${deal.name || "New deal"}, ${deal.amount_cents === "" ? "without an amount" : money(Math.round(Number(deal.amount_cents) * minorUnits(account.currency)), account.currency)}, in the first stage`
              : "None",
          ],
          ["Lead", "Converted. It can be taken back for 24 hours."],
        ]}
      />
    </Section>
  );
}
