import { Button, Select, Textarea, TextInput } from "@mantine/core";
import { CountInput } from "../../ui/amount.tsx";
import { Bar, Tabs } from "../../ui/bar.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Form, FormFoot, useApiForm } from "../../ui/form.tsx";
import { Lines } from "../../ui/lines.tsx";
import { curl, Loaded, newAction, Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { useUrl } from "../../ui/url.ts";
import { useGrades } from "../tiers/data.ts";
import { type Certification, listRequest, useCertifications, useCreateCertification, useUpdateCertification } from "./data.ts";

const TABS = [
  { value: "", name: "Offered" },
  { value: "archived", name: "Archived" },
];

const validText = ({ valid_days }: Certification) => (valid_days === null ? "without end" : `${valid_days} days`);

const columns = (gradeName: (grade: string) => string): readonly Column<Certification>[] => [
  {
    key: "name",
    head: "Certification",
    width: "minmax(150px, 1fr)",
    cell: (row) => <span className="strong cut">{row.name}</span>,
  },
  {
    key: "what",
    head: "What it takes",
    width: "minmax(160px, 2fr)",
    from: 700,
    cell: (row) => <span className="soft cut">{row.description}</span>,
  },
  { key: "valid", head: "Held for", width: "100px", cell: (row) => <span className="soft">{validText(row)}</span> },
  {
    key: "lifts",
    head: "Lifts to",
    width: "120px",
    cell: (row) => <span className={row.lifts_to ? "soft" : "muted"}>{row.lifts_to ? gradeName(row.lifts_to) : "no tier"}</span>,
  },
];

export default function CertificationList() {
  const [url, setUrl] = useUrl();
  const archived = url.state === "archived";
  const list = useCertifications(archived);
  const grades = useGrades();
  const gradeName = (grade: string) => grades.find(({ value }) => value === grade)?.label ?? grade;
  const create = () => setUrl({ new: "yes", open: undefined }, true);
  const close = () => setUrl({ new: undefined, open: undefined });
  const opened = list.rows.find(({ id }) => id === url.open);
  return (
    <Page
      title="Certifications"
      fill
      api={listRequest(archived)}
      foot={<Loaded list={list} selects={false} />}
      {...newAction("New certification", create)}
    >
      <Bar>
        <Tabs label="State" value={url.state ?? ""} tabs={TABS} onChange={(state) => setUrl({ state, open: undefined })} />
        <span className="muted only-desk">They are granted on a partner's page</span>
      </Bar>
      <Table
        label="Certifications"
        columns={columns(gradeName)}
        list={list}
        id={(row) => row.id}
        name={(row) => row.name}
        open={url.open}
        onOpen={(row) => setUrl({ open: row.id, new: undefined }, true)}
        phone={(row) => <Lines title={row.name} note={row.description} end={<span className="muted">{validText(row)}</span>} />}
        empty={
          archived ? (
            <Empty title="No archived certification">One that is archived can no longer be granted. Who holds it keeps it.</Empty>
          ) : (
            <Empty
              title="Your first certification"
              action={<Button onClick={create}>Create certification</Button>}
              curl={curl("POST /v1/admin/certifications", { name: "Certified implementer", valid_days: 365, lifts_to: "gold" })}
            >
              What a partner has learned or proven. Tiers can ask for certifications, and one can lift a partner to a tier.
            </Empty>
          )
        }
      />
      {url.new === "yes" && <CertificationForm certification={null} close={close} />}
      {opened && <CertificationForm key={`${opened.id} ${opened.version}`} certification={opened} close={close} />}
    </Page>
  );
}

function CertificationForm({ certification, close }: { certification: Certification | null; close(): void }) {
  const create = useCreateCertification();
  const update = useUpdateCertification();
  const grades = useGrades();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: {
      name: certification?.name ?? "",
      description: certification?.description ?? "",
      valid_days: (certification?.valid_days ?? "") as number | string,
      lifts_to: certification?.lifts_to ?? null,
    },
    async send({ name, description, valid_days, lifts_to }, key) {
      const body = {
        name,
        description: description.trim() || null,
        valid_days: valid_days === "" ? null : Number(valid_days),
        lifts_to,
      };
      const saved = certification ? await update.mutateAsync({ certification, body }) : await create.mutateAsync({ body, key });
      toast(`${saved.name} is saved`);
      close();
    },
  });
  return (
    <Panel
      title={certification?.name ?? "New certification"}
      close={close}
      actions={certification && <Archive certification={certification} done={close} />}
      foot={<FormFoot form="certification" action={certification ? "Save" : "Create certification"} busy={busy} close={close} />}
    >
      <Form id="certification" onSubmit={onSubmit} problem={problem}>
        <TextInput label="Name" data-autofocus {...form.getInputProps("name")} />
        <Textarea label="What it takes" autosize minRows={2} maxRows={6} {...form.getInputProps("description")} />
        <CountInput label="Held for, days" placeholder="Without end" min={1} {...form.getInputProps("valid_days")} />
        <Select
          label="Lifts to"
          description="A partner has at least this tier while it holds the certification"
          placeholder="No tier"
          clearable
          data={grades}
          {...form.getInputProps("lifts_to")}
        />
      </Form>
    </Panel>
  );
}

function Archive({ certification, done }: { certification: Certification; done(): void }) {
  const update = useUpdateCertification();
  const move = (from: Certification, archived: boolean) =>
    update.mutateAsync({ certification: from, body: { archived } }).then(
      (saved) => {
        const undo = archived === certification.archived ? undefined : () => void move(saved, !archived);
        toast(`${saved.name} is ${archived ? "archived: who holds it keeps it" : "offered again"}`, undo);
        done();
      },
      (error: Error) => toastError(`${from.name} was not changed`, error),
    );
  return (
    <Button
      size="xs"
      variant="subtle"
      loading={update.isPending}
      onClick={() => void move(certification, !certification.archived)}
    >
      {certification.archived ? "Offer again" : "Archive"}
    </Button>
  );
}
