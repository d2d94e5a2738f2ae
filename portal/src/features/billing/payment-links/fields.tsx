import { ActionIcon, Button, Checkbox, Select, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useDebouncedValue } from "@mantine/hooks";
import { Plus, X } from "lucide-react";
import { useState } from "react";
import { useMay } from "../../../api/session.ts";
import { AmountInput, CountInput, CurrencyInput } from "../../../ui/amount.tsx";
import { today } from "../../../ui/days.ts";
import { Pair } from "../../../ui/form.tsx";
import { minorDigits } from "../../../ui/minor-digits.ts";
import { money } from "../../../ui/money.tsx";
import { useContactsLike } from "../../crm/contacts/data.ts";
import { useProviders } from "../providers/data.ts";
import classes from "./links.module.css";
import { NEW_ITEM, totalOf, type Values } from "./values.ts";

export type Fields = { form: UseFormReturnType<Values> };

/** Who is to pay: a contact, or somebody new, who becomes one with a phone. */
export function CustomerFields({ form, account_id }: Fields & { account_id: string }) {
  const [search, setSearch] = useState("");
  const [settled] = useDebouncedValue(search, 150);
  const may = useMay()("contacts:read");
  const found = useContactsLike(account_id, settled, may).data ?? [];
  const { contact_id, customer } = form.values;
  const { onChange: _, ...props } = form.getInputProps("contact_id");
  const choose = (id: string | null) => {
    const chosen = found.find((contact) => contact.id === id);
    form.setFieldValue("contact_id", id);
    const { name, phone, email } = chosen ?? { name: "", phone: "", email: "" };
    form.setFieldValue("customer", { name: name ?? "", phone: phone ?? "", email: email ?? "" });
  };
  return (
    <>
      {may && (
        <Select
          label="Contact"
          placeholder="Name, phone or address"
          data-autofocus
          clearable
          searchable
          searchValue={search}
          onSearchChange={setSearch}
          filter={({ options }) => options}
          nothingFoundMessage={search === "" ? undefined : "Nobody has this: name them below"}
          data={found.map(({ id, name, phone }) => ({ value: id, label: [name, phone].filter(Boolean).join(", ") }))}
          {...props}
          onChange={choose}
        />
      )}
      {contact_id === null && (
        <>
          <TextInput
            label={may ? "Or somebody new" : "Customer"}
            placeholder="Ada Okafor"
            autoComplete="off"
            {...form.getInputProps("customer.name")}
          />
          <Pair>
            <TextInput
              label="Phone"
              placeholder="+14155552671"
              type="tel"
              autoComplete="off"
              {...form.getInputProps("customer.phone")}
            />
            <TextInput
              label="Email"
              placeholder="ada@harbour.example"
              type="email"
              autoComplete="off"
              {...form.getInputProps("customer.email")}
            />
          </Pair>
          {customer.phone.trim() !== "" && <p className="muted">With a phone, the contact is found or created.</p>}
        </>
      )}
    </>
  );
}

/** What is asked for: an amount, or items that add up to it. */
export function AmountFields({ form, fixed = false }: Fields & { fixed?: boolean }) {
  const { line_items, currency } = form.values;
  const add = () => form.insertListItem("line_items", { ...NEW_ITEM });
  const currencyInput = <CurrencyInput disabled={fixed} {...form.getInputProps("currency")} />;
  if (line_items.length === 0)
    return (
      <>
        <Pair wide="first">
          <AmountInput label="Amount" min={0} decimalScale={minorDigits(currency)} {...form.getInputProps("amount_cents")} />
          {currencyInput}
        </Pair>
        <div>
          <Button variant="subtle" leftSection={<Plus />} onClick={add}>
            List items instead
          </Button>
        </div>
      </>
    );
  return (
    <fieldset className={classes.items}>
      <legend>Items</legend>
      {line_items.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an item has no other name
        <ItemFields key={index} form={form} index={index} />
      ))}
      <div className={classes.total}>
        <Button variant="subtle" leftSection={<Plus />} onClick={add}>
          Another item
        </Button>
        <b className="num">{money(totalOf(form.values), currency)}</b>
      </div>
      {currencyInput}
    </fieldset>
  );
}

function ItemFields({ form, index }: Fields & { index: number }) {
  const { currency } = form.values;
  const number = index + 1;
  const path = (name: string) => form.getInputProps(`line_items.${index}.${name}`);
  const scale = { decimalScale: minorDigits(currency), min: 0 };
  return (
    <div className={classes.item}>
      <TextInput aria-label={`Item ${number}`} placeholder="What is sold" autoComplete="off" {...path("name")} />
      <CountInput aria-label={`Quantity of item ${number}`} placeholder="1" {...path("quantity")} />
      <AmountInput aria-label={`Price of item ${number}`} placeholder="Price of one" {...scale} {...path("unit_cents")} />
      <AmountInput aria-label={`Tax on item ${number}`} placeholder="Tax" {...scale} {...path("tax_cents")} />
      <ActionIcon aria-label={`Take item ${number} away`} onClick={() => form.removeListItem("line_items", index)}>
        <X size={16} />
      </ActionIcon>
    </div>
  );
}

/** What it is for, and until when. */
export function AboutFields({ form }: Fields) {
  return (
    <>
      <TextInput
        label="What it is for"
        description="The payer sees it"
        placeholder="Invoice 2026-118"
        autoComplete="off"
        {...form.getInputProps("description")}
      />
      <Pair>
        <TextInput type="date" label="Due on" description="The payer sees it" {...form.getInputProps("due_on")} />
        <TextInput
          type="date"
          label="Last day of the link"
          description="Empty: in 30 days"
          min={today()}
          {...form.getInputProps("expires_at")}
        />
      </Pair>
    </>
  );
}

const LANGUAGES = [
  { value: "en", label: "English" },
  { value: "de", label: "German" },
  { value: "fr", label: "French" },
  { value: "es", label: "Spanish" },
  { value: "pt", label: "Portuguese" },
];

/** How it can be paid: in parts, with a tip, by several people. */
export function MoreFields({ form, account_id, fixed = false }: Fields & { account_id: string; fixed?: boolean }) {
  const { parts, usage, currency, charge } = form.values;
  const providers = useProviders(account_id).data ?? [];
  const scale = { decimalScale: minorDigits(currency), min: 0, placeholder: "Any" };
  return (
    <details className={classes.more}>
      <summary>How it can be paid</summary>
      <Checkbox label="Also in parts" disabled={usage === "multi"} {...form.getInputProps("parts", { type: "checkbox" })} />
      {parts && usage === "single" && (
        <Pair>
          <AmountInput label="First part, at least" {...scale} {...form.getInputProps("partial.min_first_cents")} />
          <AmountInput label="Others, at least" {...scale} {...form.getInputProps("partial.min_next_cents")} />
        </Pair>
      )}
      {!fixed && (
        <Pair>
          <Select
            label="By whom"
            allowDeselect={false}
            data={[
              { value: "single", label: "Once" },
              { value: "multi", label: "By several, each the whole" },
            ]}
            {...form.getInputProps("usage")}
          />
          {usage === "multi" && (
            <CountInput label="At most, times" placeholder="Any number" {...form.getInputProps("uses_max")} />
          )}
        </Pair>
      )}
      {!charge.on && (
        <TextInput
          label="Tips to offer, in percent"
          placeholder="10, 15, 20"
          description="Empty: none is asked for"
          autoComplete="off"
          {...form.getInputProps("tip")}
        />
      )}
      <Textarea
        label="Questions for the payer"
        description="One a line, at most five. A star at the end: an answer is needed"
        placeholder="Which seat? *"
        autosize
        minRows={1}
        maxRows={5}
        {...form.getInputProps("collect")}
      />
      <TextInput label="Your reference" description="Only you see it" autoComplete="off" {...form.getInputProps("reference")} />
      <Select
        label="Language of messages and receipts"
        description="The page is in the payer's own"
        clearable
        placeholder="English"
        data={LANGUAGES}
        {...form.getInputProps("language")}
      />
      {providers.length > 1 && !charge.on && (
        <Select
          label="Provider"
          clearable
          placeholder="The first of the account"
          data={providers.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.getInputProps("provider_id")}
        />
      )}
    </details>
  );
}
