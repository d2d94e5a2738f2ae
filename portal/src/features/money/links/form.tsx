import { Modal, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { ApiError } from "@tributary/sdk";
import { CountInput } from "../../../ui/amount.tsx";
import { lastDayBefore, startOfDay, today } from "../../../ui/days.ts";
import { Form, FormFoot, Pair, useApiForm, useAsOpened } from "../../../ui/form.tsx";
import { Link, useGo } from "../../../ui/link.tsx";
import { toast, toastError } from "../../../ui/toast.tsx";
import { type AffiliateLink, type LinkPatch, useCreateLink, useUpdateLink } from "./data.ts";
import classes from "./links.module.css";
import { isCode } from "./model.ts";

type Values = { destination_url: string; code: string; campaign: string; window_days: number | string; expires_at: string };

const NEW: Values = { destination_url: "", code: "", campaign: "", window_days: "", expires_at: "" };

const valuesOf = ({ destination_url, code, campaign, window_days, expires_at }: AffiliateLink): Values => ({
  destination_url,
  code,
  campaign: campaign ?? "",
  window_days,
  expires_at: expires_at === null ? "" : lastDayBefore(expires_at),
});

const partsOf = ({ destination_url, campaign, window_days, expires_at }: Values) => ({
  destination_url: destination_url.trim(),
  campaign: campaign.trim() || null,
  ...(window_days === "" ? {} : { window_days: Number(window_days) }),
  expires_at: expires_at === "" ? null : startOfDay(expires_at, 1),
});

/** Of the fields those that were changed: what was not touched stays as precise as it was. */
function changesOf(before: Values, after: Values): LinkPatch {
  const same = (name: string) => before[name as keyof Values] === after[name as keyof Values];
  return Object.fromEntries(Object.entries(partsOf(after)).filter(([name]) => !same(name)));
}

/** A refusal about one field is shown there. */
function faultsOf({ code, problem }: ApiError): Record<string, React.ReactNode> {
  if (code === "link_destination_refused") return { destination_url: problem.detail };
  if (code === "duplicate_link") return { code: <Taken detail={problem.detail} id={problem.existing_id} /> };
  return {};
}

function Taken({ detail, id }: { detail: string; id: unknown }) {
  return (
    <>
      {detail}{" "}
      {typeof id === "string" && (
        <Link className="link" to={`/earn/links/${id}`}>
          Open your link with it
        </Link>
      )}
    </>
  );
}

export function CreateLink({ close }: { close(): void }) {
  const create = useCreateLink();
  const go = useGo();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: NEW,
    faultsOf,
    async send(values, key) {
      const code = values.code.trim();
      const link = await create.mutateAsync({ body: { ...partsOf(values), ...(code === "" ? {} : { code }) }, key });
      toast(`${link.code} is ready to share`);
      go(`/earn/links/${link.id}`);
    },
  });
  return (
    <Modal opened onClose={close} title="New link" size={520}>
      <Form onSubmit={onSubmit} problem={problem}>
        <Destination form={form} />
        <Code form={form} />
        <Rest form={form} />
        <FormFoot action="Create link" busy={busy} close={close} />
      </Form>
    </Modal>
  );
}

/** Changes a link; its code stays, since it may be printed somewhere. */
export function EditLink({ link: live, close }: { link: AffiliateLink; close(): void }) {
  const link = useAsOpened(live);
  const update = useUpdateLink();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: valuesOf(link),
    faultsOf,
    async send(values) {
      const body = changesOf(valuesOf(link), values);
      if (Object.keys(body).length === 0) return close();
      const saved = await update.mutateAsync({ link, body });
      const before = Object.fromEntries(Object.keys(body).map((name) => [name, link[name as keyof AffiliateLink]])) as LinkPatch;
      toast(`${saved.code} is saved`, () => {
        update.mutateAsync({ link: saved, body: before }).catch((error: Error) => toastError("Not undone", error));
      });
      close();
    },
  });
  return (
    <Modal opened onClose={close} title={`Edit ${link.code}`} size={520}>
      <Form onSubmit={onSubmit} problem={problem}>
        <Destination form={form} />
        <Rest form={form} />
        <p className="muted">
          Clicks that were made before a change stay valid. The code stays, since it may be printed somewhere.
        </p>
        <FormFoot action="Save" busy={busy} close={close} />
      </Form>
    </Modal>
  );
}

type Fields = { form: UseFormReturnType<Values> };

function Destination({ form }: Fields) {
  return (
    <TextInput
      label="Leads to"
      description="The page that visitors see, on a host that the programme allows"
      placeholder="https://"
      type="url"
      autoComplete="off"
      data-autofocus
      {...form.getInputProps("destination_url")}
    />
  );
}

/** The address that the link will have, as one types, and whether the code can be one. */
function Code({ form }: Fields) {
  const code = form.values.code.trim();
  const fits = code === "" || isCode(code);
  return (
    <div>
      <TextInput
        label="Code"
        description="4 to 32 letters, digits and hyphens; empty: eight random characters"
        placeholder="spring-sale"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...form.getInputProps("code")}
      />
      <p className={classes.preview} data-bad={!fits || undefined} role="status">
        {fits ? (
          <>
            {location.origin}/r/<b>{code || "········"}</b>
          </>
        ) : (
          "A code has 4 to 32 letters, digits and hyphens."
        )}
      </p>
    </div>
  );
}

function Rest({ form }: Fields) {
  return (
    <>
      <TextInput
        label="Campaign"
        description="Groups links, and becomes utm_campaign"
        placeholder="Spring newsletter"
        autoComplete="off"
        {...form.getInputProps("campaign")}
      />
      <Pair>
        <CountInput
          label="Window, days"
          description="For how long a click counts"
          placeholder="Default"
          {...form.getInputProps("window_days")}
        />
        <TextInput
          type="date"
          label="Last day"
          description="Of clicks that count; empty: none"
          min={today()}
          {...form.getInputProps("expires_at")}
        />
      </Pair>
    </>
  );
}
