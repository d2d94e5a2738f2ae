import { Checkbox, Select, Textarea } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { useMay } from "../../../api/session.ts";
import { OfferedTags } from "../../../ui/offered-tags.tsx";
import { searched } from "../../../ui/searched.ts";
import { useClient, useClientsLike } from "../../clients/data.ts";
import type { Account } from "../../crm/records/data.ts";
import { useTagNames } from "../../crm/tags/data.ts";
import { usePipeline } from "../../pipelines/data.ts";
import { useConversationWith, useDealOf, useDealsFor } from "./data.ts";
import type { Fields } from "./fields.tsx";
import classes from "./links.module.css";
import { isContact } from "./values.ts";

type Props = Fields & { account: Pick<Account, "id" | "house">; fixed?: boolean };

/** What happens once it is paid. What a link is about, and whom it charges, stays: then it is `fixed`. */
export function PaidFields({ form, account, fixed = false }: Props) {
  const { deal_id } = form.values;
  const offered = useTagNames(account.id);
  const tagged = isContact(form.values);
  return (
    <details className={classes.more}>
      <summary>Once it is paid</summary>
      {!fixed && <DealField form={form} account_id={account.id} />}
      {deal_id !== null && <StageField form={form} />}
      <OfferedTags
        label="Tag the customer"
        description={tagged ? "Enter adds one" : "Takes a contact, or a phone"}
        disabled={!tagged}
        data={offered}
        {...form.getInputProps("on_paid.add_tags")}
      />
      <MessageField form={form} fixed={fixed} />
      {!fixed && account.house && <ChargeFields form={form} />}
    </details>
  );
}

/** What is sold with it. */
function DealField({ form, account_id }: Fields & { account_id: string }) {
  const [search, setSearch] = useState("");
  const [settled] = useDebouncedValue(search, 150);
  const may = useMay()("deals:read");
  const { contact_id, deal_id } = form.values;
  const chosen = useDealOf(deal_id, may).data;
  const found = useDealsFor(account_id, contact_id, settled === chosen?.name ? "" : settled, may).data ?? [];
  const options = [...(chosen ? [chosen] : []), ...found.filter(({ id }) => id !== chosen?.id)];
  const { onChange, ...props } = form.getInputProps("deal_id");
  if (!may) return null;
  return (
    <Select
      label="Deal"
      placeholder="None. Type a name"
      clearable
      {...searched(search, setSearch)}
      nothingFoundMessage="No open deal is like this"
      data={options.map(({ id, name }) => ({ value: id, label: name }))}
      {...props}
      onChange={(id: string | null) => {
        onChange(id);
        form.setFieldValue("on_paid.move_deal.stage", null);
      }}
    />
  );
}

function StageField({ form }: Fields) {
  const deal = useDealOf(form.values.deal_id, useMay()("deals:read")).data;
  const stages = usePipeline(deal?.pipeline_id).data?.stages ?? [];
  return (
    <Select
      label="Move the deal to"
      placeholder="It stays where it is"
      clearable
      data={stages.map(({ id, name }) => ({ value: id, label: name }))}
      {...form.getInputProps("on_paid.move_deal.stage")}
    />
  );
}

/** A message to the customer, in the conversation that there is. */
function MessageField({ form, fixed }: Fields & { fixed: boolean }) {
  const { contact_id, conversation_id } = form.values;
  const may = useMay()("conversations:read");
  const latest = useConversationWith(contact_id, may && !fixed).data;
  const known = fixed ? conversation_id : (latest?.id ?? null);
  const { setFieldValue } = form;
  useEffect(() => {
    if (!fixed) setFieldValue("conversation_id", known);
  }, [fixed, known, setFieldValue]);
  return (
    <Textarea
      label="Write to the customer"
      description={known === null ? "Takes a contact whom you have a conversation with" : "In the conversation with them"}
      placeholder="Thank you, your payment has arrived."
      disabled={known === null}
      autosize
      minRows={1}
      maxRows={5}
      {...form.getInputProps("on_paid.send_message.text")}
    />
  );
}

/** A client pays the operator: only where the partner sells. */
function ChargeFields({ form }: Fields) {
  const [search, setSearch] = useState("");
  const [settled] = useDebouncedValue(search, 150);
  const { on, client_id } = form.values.charge;
  const chosen = useClient(client_id ?? "", on && client_id !== null).data;
  const found = useClientsLike(settled === chosen?.company ? "" : settled, on).data ?? [];
  const options = [...(chosen ? [chosen] : []), ...found.filter(({ id }) => id !== chosen?.id)];
  return (
    <>
      <Checkbox
        label="Charge a client with it"
        description="A client pays for the programme: the payment earns commissions, and goes through the provider of the programme"
        {...form.getInputProps("charge.on", { type: "checkbox" })}
      />
      {on && (
        <Select
          label="Client"
          placeholder="The client of the deal, once it is won"
          clearable
          {...searched(search, setSearch)}
          nothingFoundMessage="No client of this name"
          data={options.map(({ id, company }) => ({ value: id, label: company }))}
          {...form.getInputProps("charge.client_id")}
        />
      )}
    </>
  );
}
