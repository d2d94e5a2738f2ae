import { Modal } from "@mantine/core";
import { Form, FormFoot, useApiForm, useAsOpened } from "../../../ui/form.tsx";
import { useGo } from "../../../ui/link.tsx";
import { toast } from "../../../ui/toast.tsx";
import type { Account } from "../../crm/records/data.ts";
import { type PaymentLink, useCreateLink, useUpdateLink } from "./data.ts";
import { AboutFields, AmountFields, CustomerFields, MoreFields } from "./fields.tsx";
import classes from "./links.module.css";
import { PaidFields } from "./paid-fields.tsx";
import { PagePreview } from "./preview.tsx";
import { ChannelFields } from "./send.tsx";
import { bodyOf, changesOf, newValues, type Values, valuesOf } from "./values.ts";
import { customerOf } from "./words.tsx";

type CreateProps = { account: Account; close(): void; initial?: Partial<Values> };

/** Asks somebody for money; beside the form stands the page that they will see. */
export function CreateLink({ account, close, initial = {} }: CreateProps) {
  const create = useCreateLink();
  const go = useGo();
  const { form, busy, problem, onSubmit } = useApiForm<Values>({
    initial: { ...newValues(account.currency), ...initial },
    async send(values, key) {
      const link = await create.mutateAsync({ body: bodyOf(values, account.id), key });
      toast(`The link for ${customerOf(link)} is ${values.channels.length > 0 ? "on its way" : "ready to send"}`);
      go(`/crm/${account.id}/payment-links/${link.id}`);
    },
  });
  return (
    <Modal opened onClose={close} title="New payment link" size={920}>
      <div className={classes.split}>
        <Form onSubmit={onSubmit} problem={problem}>
          <CustomerFields form={form} account_id={account.id} />
          <AmountFields form={form} />
          <AboutFields form={form} />
          <MoreFields form={form} account_id={account.id} />
          <PaidFields form={form} account={account} />
          <ChannelFields
            channels={form.values.channels}
            customer={form.values.customer}
            set={(channels) => form.setFieldValue("channels", channels)}
          />
          <FormFoot action={form.values.channels.length > 0 ? "Create and send" : "Create link"} busy={busy} close={close} />
        </Form>
        <PagePreview values={form.values} />
      </div>
    </Modal>
  );
}

/** Changes a link that nobody has paid yet. Whom it asks, and in which currency, stays. */
export function EditLink({ link: live, close }: { link: PaymentLink; close(): void }) {
  const link = useAsOpened(live);
  const update = useUpdateLink();
  const { form, busy, problem, onSubmit } = useApiForm<Values>({
    initial: valuesOf(link),
    async send(values) {
      const body = changesOf(valuesOf(link), values);
      if (Object.keys(body).length === 0) return close();
      await update.mutateAsync({ link, body });
      toast(`The link for ${customerOf(link)} is saved`);
      close();
    },
  });
  return (
    <Modal opened onClose={close} title={`Change the link for ${customerOf(link)}`} size={920}>
      <div className={classes.split}>
        <Form onSubmit={onSubmit} problem={problem}>
          <AmountFields form={form} fixed />
          <AboutFields form={form} />
          <MoreFields form={form} account_id={link.account_id} fixed />
          <PaidFields form={form} account={{ id: link.account_id, house: false }} fixed />
          <FormFoot action="Save" busy={busy} close={close} />
        </Form>
        <PagePreview values={form.values} />
      </div>
    </Modal>
  );
}
