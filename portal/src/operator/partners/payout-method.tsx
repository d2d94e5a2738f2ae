import { Button, MultiSelect, SegmentedControl, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { Confirm } from "../../ui/confirm.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Form, FormFoot, Pair, useApiForm } from "../../ui/form.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Facts, Section } from "../../ui/section.tsx";
import { toast } from "../../ui/toast.tsx";
import { When } from "../../ui/when.tsx";
import classes from "../operator.module.css";
import type { Partner } from "./data.ts";
import { type Method, type MethodBody, usePayoutMethod, useSetMethod } from "./payouts.data.ts";

const KINDS: Record<Method["kind"], string> = { sepa: "SEPA transfer", manual: "by hand" };

/** Where a partner is paid, as far as anybody sees it again. */
export function PayoutMethod({ partner, edit }: { partner: Partner; edit(): void }) {
  const { data, error, refetch } = usePayoutMethod(partner.id);
  return (
    <Section title="Payout method">
      {error && data === undefined && <Failure small title="The payout method did not load" error={error} retry={refetch} />}
      {data === undefined ? !error && <Loading rows={2} /> : <Shown partner={partner} method={data} edit={edit} />}
    </Section>
  );
}

function Shown({ partner, method, edit }: { partner: Partner; method: Method | null; edit(): void }) {
  const [removes, setRemoves] = useState(false);
  const set = useSetMethod(partner.id);
  if (method === null)
    return (
      <div className={classes.fields}>
        <p className="soft">None: nothing is paid until an owner adds one in the portal, or you set one.</p>
        <div>
          <Button variant="default" onClick={edit}>
            Set a payout method…
          </Button>
        </div>
      </div>
    );
  return (
    <div className={classes.fields}>
      <Facts
        rows={[
          ["Paid to", <span key="hint">{method.hint}</span>],
          ["Holder", method.holder],
          ["How", KINDS[method.kind]],
          ["Takes", method.currencies.join(", ")],
          ["Since", <When key="at" at={method.created_at} as="day" />],
        ]}
      />
      <div className={classes.acts}>
        <Button variant="default" onClick={edit}>
          Change…
        </Button>
        <Button variant="danger" onClick={() => setRemoves(true)}>
          Remove…
        </Button>
      </div>
      <Confirm
        opened={removes}
        close={() => setRemoves(false)}
        title={`Remove the payout method of ${partner.company}?`}
        action="Remove"
        danger
        onConfirm={async () => {
          await set.mutateAsync(null);
          toast("The payout method is removed");
        }}
      >
        <p>
          <b>{method.hint}</b> is forgotten, and nothing is paid until another method is set. Payouts that are scheduled keep the
          details that they have. Every owner is told by email.
        </p>
      </Confirm>
    </div>
  );
}

const CURRENCIES = Intl.supportedValuesOf("currency").map((code) => code.toLowerCase());

/** Sets the method. What is typed is sealed, and never shown again. */
export function SetPayoutMethod({ partner, close }: { partner: Partner; close(): void }) {
  const set = useSetMethod(partner.id);
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: {
      kind: "sepa" as Method["kind"],
      holder: partner.company,
      iban: "",
      bic: "",
      instructions: "",
      currencies: [partner.currency],
    },
    async send({ kind, holder, iban, bic, instructions, currencies }) {
      const body: MethodBody =
        kind === "sepa"
          ? { kind, holder, iban, ...(bic.trim() === "" ? {} : { bic: bic.trim() }) }
          : { kind, holder, instructions, currencies };
      const saved = await set.mutateAsync(body);
      toast(`The payout method is set: ${saved?.hint}`);
      close();
    },
  });
  const sepa = form.values.kind === "sepa";
  return (
    <Panel
      title={`Payout method of ${partner.company}`}
      close={close}
      foot={<FormFoot form="payout-method" action="Set the method" busy={busy} close={close} />}
    >
      <Form id="payout-method" onSubmit={onSubmit} problem={problem}>
        <SegmentedControl
          aria-label="How"
          data={[
            { value: "sepa", label: "SEPA, in euro" },
            { value: "manual", label: "By hand" },
          ]}
          {...form.getInputProps("kind")}
        />
        <TextInput
          label="Holder"
          description="Of the account"
          autoComplete="off"
          data-autofocus
          {...form.getInputProps("holder")}
        />
        {sepa ? (
          <Pair wide="first">
            <TextInput label="IBAN" autoComplete="off" {...form.getInputProps("iban")} />
            <TextInput label="BIC" placeholder="If asked for" autoComplete="off" {...form.getInputProps("bic")} />
          </Pair>
        ) : (
          <>
            <Textarea
              label="Instructions"
              description="What you need to pay: account, bank, what else"
              autosize
              minRows={3}
              {...form.getInputProps("instructions")}
            />
            <MultiSelect label="Currencies" searchable limit={30} data={CURRENCIES} {...form.getInputProps("currencies")} />
          </>
        )}
        <p className="muted">
          {sepa ? "The account number is" : "The instructions are"} stored encrypted and never shown again, to nobody: only bank
          files contain {sepa ? "it" : "them"}. It applies to payouts that are scheduled from now on. Every owner is told by
          email.
        </p>
      </Form>
    </Panel>
  );
}
