import { Modal, Select, TextInput } from "@mantine/core";
import { dayOf, startOfDay } from "../../ui/days.ts";
import { Form, FormFoot, useApiForm } from "../../ui/form.tsx";
import { toast } from "../../ui/toast.tsx";
import { useGrades } from "../tiers/data.ts";
import { type Partner, useUpdatePartner } from "./data.ts";

/** Sets a tier by hand, for good or until a day. */
export function SetTier({ partner, close }: { partner: Partner; close(): void }) {
  const update = useUpdatePartner();
  const grades = useGrades();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: { grade: partner.grade, pinned_until: partner.pinned_until ? dayOf(partner.pinned_until) : "" },
    async send({ grade, pinned_until }) {
      const until = pinned_until === "" ? null : startOfDay(pinned_until);
      const saved = await update.mutateAsync({ partner, body: { grade, pinned: true, pinned_until: until } });
      toast(`${saved.company} is ${saved.grade}`);
      close();
    },
  });
  return (
    <Modal opened onClose={close} title={`Set the tier of ${partner.company}`} size={440}>
      <Form onSubmit={onSubmit} problem={problem}>
        <p className="soft">
          New sales earn by the rule of the tier from now on; sales that were won keep their terms. The partner is told.
        </p>
        <Select label="Tier" data-autofocus data={grades} allowDeselect={false} {...form.getInputProps("grade")} />
        <TextInput
          label="Until"
          description="Empty: until you let the requirements decide again"
          type="date"
          {...form.getInputProps("pinned_until")}
        />
        <FormFoot action="Set tier" busy={busy} close={close} />
      </Form>
    </Modal>
  );
}
