import { Select, Switch, TextInput } from "@mantine/core";
import { CurrencyInput } from "../../ui/amount.tsx";
import { Form, FormFoot, Pair, useApiForm } from "../../ui/form.tsx";
import { useGo } from "../../ui/link.tsx";
import { Panel } from "../../ui/panel.tsx";
import { toast } from "../../ui/toast.tsx";
import { useGrades } from "../tiers/data.ts";
import { useCreatePartner } from "./data.ts";
import { ParentChoice } from "./parent.tsx";

export function CreatePartner({ close }: { close(): void }) {
  const create = useCreatePartner();
  const go = useGo();
  const grades = useGrades();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: {
      company: "",
      owner: { name: "", email: "" },
      grade: "registered",
      parent_id: null as string | null,
      currency: "usd",
      api_access: false,
    },
    async send(body, key) {
      const partner = await create.mutateAsync({ body, key });
      toast(`${partner.company} is created`);
      go(`/partners/${partner.id}`);
    },
  });
  return (
    <Panel
      title="New partner"
      close={close}
      foot={<FormFoot form="new-partner" action="Create partner" busy={busy} close={close} />}
    >
      <Form id="new-partner" onSubmit={onSubmit} problem={problem}>
        <TextInput label="Company" data-autofocus {...form.getInputProps("company")} />
        <Pair>
          <TextInput label="Owner" description="The first user" autoComplete="off" {...form.getInputProps("owner.name")} />
          <TextInput
            label="Owner's email"
            description="Invited as owner"
            type="email"
            autoComplete="off"
            {...form.getInputProps("owner.email")}
          />
        </Pair>
        <Pair>
          <Select label="Tier" data={grades} {...form.getInputProps("grade")} />
          <CurrencyInput {...form.getInputProps("currency")} />
        </Pair>
        <ParentChoice value={form.values.parent_id} onChange={(id) => form.setFieldValue("parent_id", id)} />
        <Switch
          label="Open the API"
          description="Otherwise the partner asks for access, and you decide"
          {...form.getInputProps("api_access", { type: "checkbox" })}
        />
      </Form>
    </Panel>
  );
}
