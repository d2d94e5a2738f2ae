import { Button, NumberInput, SegmentedControl, TextInput } from "@mantine/core";
import { Failure } from "../../ui/failure.tsx";
import { Form, Pair, useApiForm } from "../../ui/form.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Content, Page } from "../../ui/page.tsx";
import { Section } from "../../ui/section.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { When } from "../../ui/when.tsx";
import classes from "../operator.module.css";
import { type Programme, useProgramme, useUpdateProgramme } from "./data.ts";

export default function ProgrammePage() {
  const { data, error, refetch } = useProgramme();
  return (
    <Page
      title="Programme"
      api="GET /v1/admin/programme"
      foot={
        data && (
          <span>
            Version {data.version}, changed <When at={data.updated_at} />
          </span>
        )
      }
    >
      <Content>
        {error && <Failure title="The programme did not load" error={error} retry={refetch} />}
        {data ? <Settings key={data.version} programme={data} /> : !error && <Loading rows={6} />}
      </Content>
    </Page>
  );
}

const fields = (programme: Programme) => ({
  name: programme.name,
  default_currency: programme.default_currency,
  support_email: programme.support_email ?? "",
  registration_review: programme.registration_review,
  protection_days: programme.protection_days,
  open_registrations_max: programme.open_registrations_max,
});

function Settings({ programme }: { programme: Programme }) {
  const update = useUpdateProgramme();
  const bodyOf = (values: ReturnType<typeof fields>) => ({ ...values, support_email: values.support_email.trim() || null });
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: fields(programme),
    async send(values) {
      const saved = await update.mutateAsync({ programme, body: bodyOf(values) });
      toast("The programme is saved", () => {
        update
          .mutateAsync({ programme: saved, body: bodyOf(fields(programme)) })
          .catch((error: Error) => toastError("Not undone", error));
      });
    },
  });
  const reviewed = form.values.registration_review === "review";
  return (
    <div style={{ maxWidth: 560 }}>
      <Form onSubmit={onSubmit} problem={problem}>
        <Section title="For partners">
          <div className={classes.fields}>
            <TextInput label="Name" description="Partners see it in the portal and in e-mails" {...form.getInputProps("name")} />
            <Pair>
              <TextInput label="Support email" type="email" {...form.getInputProps("support_email")} />
              <TextInput label="Default currency" {...form.getInputProps("default_currency")} />
            </Pair>
          </div>
        </Section>
        <Section title="Registrations">
          <div className={classes.fields}>
            <div>
              <SegmentedControl
                aria-label="Registrations"
                data={[
                  { value: "auto", label: "Approved at once" },
                  { value: "review", label: "Decided by you" },
                ]}
                {...form.getInputProps("registration_review")}
              />
              <p className="muted" style={{ marginTop: 8 }}>
                {reviewed
                  ? "A registered sale waits under Registrations until you decide. The company is kept for the partner meanwhile."
                  : "A registered sale is protected as soon as it is registered, unless somebody else has the company."}{" "}
                Registrations that stand are not changed.
              </p>
            </div>
            <Pair>
              <NumberInput
                label="Protection, days"
                description="Of a registered company"
                hideControls
                {...form.getInputProps("protection_days")}
              />
              <NumberInput
                label="Open registrations"
                description="At most, per partner"
                hideControls
                {...form.getInputProps("open_registrations_max")}
              />
            </Pair>
          </div>
        </Section>
        <div>
          <Button type="submit" loading={busy} disabled={!form.isDirty()}>
            Save
          </Button>
        </div>
      </Form>
    </div>
  );
}
