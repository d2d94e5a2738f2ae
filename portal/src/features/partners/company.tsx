import { Button, ColorInput, Select, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useMay, useRefreshSession, useSession } from "../../api/session.ts";
import { Id } from "../../ui/copy.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Form, Pair, useApiForm } from "../../ui/form.tsx";
import { Link } from "../../ui/link.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Content, Page } from "../../ui/page.tsx";
import { Facts, Section } from "../../ui/section.tsx";
import { State } from "../../ui/state.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { day } from "../../ui/when.tsx";
import { useStanding } from "../money/standing/data.ts";
import { type Account, useAccountOfPartner, useUpdateAccount } from "./data.ts";
import classes from "./partners.module.css";
import { BrandPreview } from "./preview.tsx";

const BRANDING = ["product_name", "primary_color", "logo_url", "domain", "support_email"] as const;
type BrandingField = (typeof BRANDING)[number];

export type CompanyValues = { company: string; default_currency: string; branding: Record<BrandingField, string> };

const valuesOf = ({ company, default_currency, branding }: Account): CompanyValues => ({
  company,
  default_currency,
  branding: Object.fromEntries(BRANDING.map((field) => [field, branding[field] ?? ""])) as Record<BrandingField, string>,
});

/** Branding is replaced as a whole; what is empty is left out. */
const bodyOf = ({ company, default_currency, branding }: CompanyValues) => ({
  company,
  default_currency: default_currency.trim().toLowerCase(),
  branding: Object.fromEntries(Object.entries(branding).filter(([, value]) => value.trim() !== "")),
});

export default function Company() {
  const { data, error, refetch } = useAccountOfPartner();
  return (
    <Page
      title="Company"
      trail={[["Settings", "/settings/company"]]}
      api="GET /v1/partners/account"
      foot={data && <span>Version {data.version}</span>}
    >
      {data ? (
        <Shown key={data.version} account={data} />
      ) : error ? (
        <Failure title="The account did not load" error={error} retry={refetch} />
      ) : (
        <Content>
          <Loading />
        </Content>
      )}
    </Page>
  );
}

function Shown({ account }: { account: Account }) {
  const writes = useMay()("account:write");
  const update = useUpdateAccount();
  const refresh = useRefreshSession();
  const { form, busy, problem, onSubmit } = useApiForm<CompanyValues>({
    initial: valuesOf(account),
    async send(values) {
      const before = bodyOf(valuesOf(account));
      const { version } = await update.mutateAsync({ version: account.version, body: bodyOf(values) });
      await refresh();
      toast("Saved. Clients without a branding of their own have it at once.", () => {
        update
          .mutateAsync({ version, body: before })
          .then(refresh)
          .catch((error: Error) => toastError("Not undone", error));
      });
    },
  });
  return (
    <Content>
      <div className={classes.columns}>
        <Form onSubmit={onSubmit} problem={problem}>
          <fieldset disabled={!writes} className={classes.fields}>
            <Fields form={form} currency={account.default_currency} />
          </fieldset>
          {writes ? (
            <div>
              <Button type="submit" loading={busy} disabled={!form.isDirty()}>
                Save
              </Button>
            </div>
          ) : (
            <p className="muted">An owner or administrator of your company can change this.</p>
          )}
        </Form>
        <div className={classes.side}>
          <Section title="Preview" aside="what clients see">
            <BrandPreview
              branding={form.values.branding}
              company={form.values.company}
              saved={{ id: account.house_account_id, logo_url: account.branding.logo_url ?? "" }}
            />
          </Section>
          <AccountFacts account={account} />
        </div>
      </div>
    </Content>
  );
}

const CURRENCIES = ["usd", "eur", "gbp", "chf", "sek", "nok", "dkk", "pln", "czk", "jpy", "aud", "cad", "brl", "inr", "mxn"];

function Fields({ form, currency }: { form: UseFormReturnType<CompanyValues>; currency: string }) {
  return (
    <>
      <Section title="Account">
        <div className={classes.fields}>
          <TextInput label="Company" {...form.getInputProps("company")} />
          <Select
            label="Default currency"
            description="Of new clients and deals; existing ones keep theirs"
            searchable
            data={[...new Set([currency, ...CURRENCIES])].map((code) => ({ value: code, label: code.toUpperCase() }))}
            {...form.getInputProps("default_currency")}
          />
        </div>
      </Section>
      <Section title="Branding">
        <div className={classes.fields}>
          <Pair>
            <TextInput label="Product name" {...form.getInputProps("branding.product_name")} />
            <ColorInput
              eyeDropperButtonProps={{ "aria-label": "Pick a colour from the screen" }}
              label="Colour"
              format="hex"
              placeholder="Six hexadecimal digits after #"
              classNames={{ input: "t-input", label: "t-label", error: "t-error" }}
              {...form.getInputProps("branding.primary_color")}
            />
          </Pair>
          <TextInput
            label="Logo"
            description="PNG, JPEG, GIF, WebP or SVG, up to 512 KB; a square one looks best"
            placeholder="https://cdn.example/logo.svg"
            {...form.getInputProps("branding.logo_url")}
          />
          <Pair>
            <TextInput label="Domain" placeholder="app.example.com" {...form.getInputProps("branding.domain")} />
            <TextInput label="Support address" type="email" {...form.getInputProps("branding.support_email")} />
          </Pair>
        </div>
      </Section>
    </>
  );
}

function AccountFacts({ account }: { account: Account }) {
  const { programme } = useSession();
  return (
    <Section title={`In the programme ${programme.name}`}>
      <Facts
        rows={[
          [
            "State",
            <State key="state" tone={account.status === "active" ? "live" : "bad"}>
              {account.status}
            </State>,
          ],
          ["Tier", <TierName key="tier" grade={account.grade} />],
          ["API access", account.api_access ? "yes" : "not yet"],
          ["Since", day(account.created_at)],
          ["Id", <Id key="id">{account.id}</Id>],
          ["House account", <Id key="house">{account.house_account_id}</Id>],
        ]}
      />
    </Section>
  );
}

/** The name that the programme gives to the tier; its key, until that has loaded. */
function TierName({ grade }: { grade: string }) {
  const { data } = useStanding();
  return (
    <Link className="link" to="/earn/tier">
      {data?.grade === grade ? data.name : grade}
    </Link>
  );
}
