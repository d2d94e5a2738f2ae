import { Button, Modal, SegmentedControl, Select } from "@mantine/core";
import { Download } from "lucide-react";
import { Blocker } from "../../ui/answer.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Form, FormFoot, useApiForm } from "../../ui/form.tsx";
import { Link } from "../../ui/link.tsx";
import { Loading } from "../../ui/loading.tsx";
import { money } from "../../ui/money.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Section } from "../../ui/section.tsx";
import { State } from "../../ui/state.tsx";
import { toast } from "../../ui/toast.tsx";
import { When } from "../../ui/when.tsx";
import { useProgramme } from "../programme/data.ts";
import { type BankFile, type Format, fileHref, type Run, useBankFiles, useMakeFile } from "./runs.data.ts";

const FORMATS: Record<Format, string> = { csv: "CSV", sepa: "SEPA" };

/** The files that were made of a run. */
export function BankFiles({ run_id }: { run_id: string }) {
  const { data, error, refetch } = useBankFiles(run_id);
  return (
    <Section title="Files for the bank">
      {error && !data && <Failure small title="The files did not load" error={error} retry={refetch} />}
      {data === undefined ? !error && <Loading rows={2} /> : <Files files={data} />}
    </Section>
  );
}

function Files({ files }: { files: readonly BankFile[] }) {
  if (files.length === 0)
    return <p className="muted">None yet. A file contains the scheduled payouts, to upload at the bank or to pay by hand.</p>;
  return (
    <Rows heads={["Made", "Format", "·Payouts", "Sum", "File"]} ends={2}>
      {files.map((file) => (
        <tr key={file.id}>
          <td className="muted">
            <When at={file.created_at} as="since" />
          </td>
          <td>
            {FORMATS[file.format]} <span className="muted">{file.currency?.toUpperCase()}</span>
          </td>
          <td className="soft" data-desk>
            {file.state === "finished" && file.payouts}
          </td>
          <td className="strong">{sumOf(file)}</td>
          <td>
            {file.state === "running" ? (
              <State tone="wait">being made</State>
            ) : (
              <Button
                component="a"
                href={fileHref(file.id)}
                download
                size="xs"
                variant="default"
                leftSection={<Download />}
                aria-label={`Download the ${FORMATS[file.format]} file of ${file.payouts} payouts`}
              >
                Download
              </Button>
            )}
          </td>
        </tr>
      ))}
    </Rows>
  );
}

/** A file of several currencies has no sum. */
function sumOf({ format, currency, amount_cents, state }: BankFile): string {
  const single = format === "sepa" ? "eur" : currency;
  return state === "finished" && single !== null ? money(amount_cents, single) : "";
}

/** Makes a file, and says what that does to its payouts. */
export function MakeFile({ run, close }: { run: Run; close(): void }) {
  const make = useMakeFile();
  const programme = useProgramme().data;
  const currencies = run.scheduled.map(({ currency }) => currency);
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: { format: "csv" as Format, currency: null as string | null },
    async send({ format, currency }, key) {
      const body = { format, ...(format === "csv" && currency !== null ? { currency } : {}) };
      await make.mutateAsync({ run_id: run.id, body, key });
      toast("The file is being made. It can be downloaded in a moment.");
      close();
    },
  });
  const { format } = form.values;
  const lacksDebtor = format === "sepa" && programme !== undefined && programme.payout_debtor === null;
  return (
    <Modal opened onClose={close} title="Make a file for the bank" size={480}>
      <Form onSubmit={onSubmit} problem={problem}>
        <SegmentedControl
          aria-label="Format"
          mt={8}
          data={[
            { value: "csv", label: "CSV, for any bank or by hand" },
            { value: "sepa", label: "SEPA (XML)" },
          ]}
          {...form.getInputProps("format")}
        />
        {format === "csv" && currencies.length > 1 && (
          <Select label="Currency" placeholder="All currencies" clearable data={currencies} {...form.getInputProps("currency")} />
        )}
        {lacksDebtor ? (
          <Blocker
            title="There is no account to pay from"
            action={
              <Link className="link" to="/programme">
                Set it
              </Link>
            }
          >
            A SEPA file names the account that pays: it is a setting of the programme.
          </Blocker>
        ) : (
          <p className="soft">
            {format === "csv"
              ? "It contains every scheduled payout of the run, with account numbers and instructions."
              : "It contains the scheduled payouts in euro to an IBAN (pain.001.001.09), for your bank."}{" "}
            They are <b>processing</b> from then on, in no other file, and can no longer be cancelled: report what became of each.
            Every download is in the audit log.
          </p>
        )}
        <FormFoot action="Make the file" busy={busy} disabled={lacksDebtor} close={close} />
      </Form>
    </Modal>
  );
}
