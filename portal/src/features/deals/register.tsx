import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { ApiError } from "@tributary/sdk";
import { useState } from "react";
import { useSession } from "../../api/session.ts";
import { Form, FormFoot, Pair, useApiForm } from "../../ui/form.tsx";
import { Link } from "../../ui/link.tsx";
import { Panel } from "../../ui/panel.tsx";
import { toast } from "../../ui/toast.tsx";
import { day } from "../../ui/when.tsx";
import { type Company, type Deal, useAvailability, useDeal, useRegisterDeal } from "./data.ts";
import classes from "./deals.module.css";
import { bodyOf, DealField, type DealValues, valuesOf } from "./fields.tsx";

type Props = { close(): void; done(deal: Deal): void };

/** Registers a sale of the partner, or a plain deal of the house account that becomes one. */
export function RegisterDeal({ plain, ...props }: Props & { plain: string | undefined }) {
  return plain === undefined ? <Opened {...props} /> : <OfPlain id={plain} {...props} />;
}

function OfPlain({ id, ...props }: Props & { id: string }) {
  const { data: deal } = useDeal(id);
  return deal ? <Opened plain={deal} {...props} /> : null;
}

const FIELDS = ["mrr_cents", "expected_close_on", "owner_id", "notes"];

function Opened({ plain, close, done }: Props & { plain?: Deal }) {
  const { partner, house_account_id } = useSession();
  const register = useRegisterDeal();
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: { ...valuesOf(plain ?? { currency: partner?.currency ?? "usd" }), company: plain?.company ?? plain?.name ?? "" },
    async send(values, key) {
      setConflict(null);
      try {
        const deal = await register.mutateAsync({ body: saleOf(values, plain?.id), key });
        const until = deal.registration && `, protected until ${day(deal.registration.protected_until)}`;
        toast(`${deal.company} is registered${until ?? ""}`);
        done(deal);
      } catch (error) {
        const found = conflictOf(error);
        if (found === null) throw error;
        setConflict(found);
        document.querySelector<HTMLElement>("#register-deal input")?.focus();
      }
    },
  });
  const values = form.getValues();
  const stale = conflict !== null && conflict.company !== values.company;
  return (
    <Panel
      title={plain ? `Register ${plain.name}` : "Register a deal"}
      close={close}
      foot={<FormFoot form="register-deal" action="Register" busy={busy} close={close} />}
    >
      <Form id="register-deal" onSubmit={onSubmit} problem={problem}>
        <p className={classes.explain}>
          A registered company is yours for a time: no other partner can register it until its protection ends. It is recognised
          by its name, its domain, and the address and phone of the contact.
        </p>
        <Pair>
          <TextInput
            label="Company"
            autoComplete="off"
            data-autofocus
            {...form.getInputProps("company")}
            error={form.errors.company ?? (conflict && !stale ? <Taken conflict={conflict} /> : null)}
          />
          <DealField field="company_domain" form={form} account={house_account_id ?? ""} />
        </Pair>
        <Check values={values} silent={conflict !== null && !stale} />
        <DealField field="contact" form={form} account={house_account_id ?? ""} />
        <DealField field="plan" form={form} account={house_account_id ?? ""} />
        {FIELDS.map((field) => (
          <DealField key={field} field={field} form={form} account={house_account_id ?? ""} />
        ))}
      </Form>
    </Panel>
  );
}

function saleOf(values: DealValues, deal_id: string | undefined) {
  const { name: _, company, custom: __, ...rest } = bodyOf(values);
  const filled = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  return { ...(deal_id ? { deal_id } : {}), ...(company ? { company } : {}), ...filled };
}

type Conflict = { company: string; detail: string; protected_until: string | null; existing_id: string | undefined };

function conflictOf(error: unknown): Conflict | null {
  if (!(error instanceof ApiError) || error.code !== "deal_conflict") return null;
  const { title, protected_until, existing_id } = error.problem;
  // The detail has the time to the millisecond; the field says the day.
  const detail = typeof protected_until === "string" ? title : error.problem.detail;
  const field = document.querySelector<HTMLInputElement>("#register-deal input");
  return {
    company: field?.value ?? "",
    detail,
    protected_until: typeof protected_until === "string" ? protected_until : null,
    existing_id: typeof existing_id === "string" ? existing_id : undefined,
  };
}

/** Who has it is never said, only until when. */
function Taken({ conflict: { detail, protected_until, existing_id } }: { conflict: Conflict }) {
  return (
    <>
      {detail} {protected_until && `Protected until ${day(protected_until)}.`}{" "}
      {existing_id?.startsWith("cli_") && (
        <Link className="link" to={`/clients/${existing_id}`}>
          Open the client
        </Link>
      )}
    </>
  );
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const PHONE = /^\+[1-9][0-9]{6,14}$/;
const DOMAIN = /^[^\s@]+\.[a-z]{2,}$/i;

/** Of what was typed so far whatever identifies a company. */
function companyOf({ company, company_domain, contact }: DealValues): Company | null {
  const known = {
    ...(EMAIL.test(contact.email) ? { email: contact.email } : {}),
    ...(PHONE.test(contact.phone) ? { phone: contact.phone } : {}),
  };
  const typed = {
    ...(company.trim().length > 2 ? { company: company.trim() } : {}),
    ...(DOMAIN.test(company_domain.trim()) ? { company_domain: company_domain.trim() } : {}),
    ...(Object.keys(known).length > 0 ? { contact: known } : {}),
  };
  return Object.keys(typed).length === 0 ? null : typed;
}

/** Whether the company is free, as one types. */
function Check({ values, silent }: { values: DealValues; silent: boolean }) {
  const typed = companyOf(values);
  const [text] = useDebouncedValue(JSON.stringify(typed), 500);
  const company = JSON.parse(text) as Company | null;
  const { data } = useAvailability(company);
  const current = text === JSON.stringify(typed);
  const tone = !current || data === undefined ? undefined : data.available ? "live" : "bad";
  return (
    <p className={classes.check} data-tone={silent ? undefined : tone} role="status">
      {silent || typed === null
        ? ""
        : !current || data === undefined
          ? "Checking whether it is free"
          : data.available
            ? "Free to register."
            : data.protected_until
              ? `Taken: protected until ${day(data.protected_until)}.`
              : "Taken: it is somebody's client already."}
    </p>
  );
}
