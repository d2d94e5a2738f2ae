import { Button } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useMay } from "../../../api/session.ts";
import { Answer } from "../../../ui/answer.tsx";
import { Confirm } from "../../../ui/confirm.tsx";
import { Id } from "../../../ui/copy.tsx";
import { Link } from "../../../ui/link.tsx";
import { Content, Page, PhoneActs } from "../../../ui/page.tsx";
import { Section } from "../../../ui/section.tsx";
import { toast, toastError } from "../../../ui/toast.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import { When } from "../../../ui/when.tsx";
import { InAccount, useRightAccount } from "../records/account.tsx";
import type { Account } from "../records/data.ts";
import { usePersonName } from "../records/people.tsx";
import { type Import, isActive, useCancelImport, useImport, useRevertImport } from "./data.ts";
import classes from "./imports.module.css";
import { ImportResult } from "./result.tsx";
import { count, ImportState, MODES, NAMES, rowsText } from "./status.tsx";

export default function ImportPage() {
  return <InAccount title="Import">{(account) => <OneImport account={account} />}</InAccount>;
}

function OneImport({ account }: { account: Account }) {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const query = useImport(id);
  const shown = query.data;
  const may = useMay();
  const nameOf = usePersonName();
  useRightAccount(account, shown, "imports");
  const trail = [["Imports", `/crm/${account.id}/imports`]] as const;
  if (shown === undefined) return <Waiting title="Import" trail={trail} query={query} />;
  const actions = may("contacts:write") && <Actions of={shown} />;
  return (
    <Page
      title={
        <>
          <span className="cut">
            {shown.dry_run ? "Check of" : "Import of"} {NAMES[shown.resource]}
          </span>{" "}
          <ImportState of={shown} />
        </>
      }
      name={`Import of ${NAMES[shown.resource]}`}
      trail={trail}
      api={`GET /v1/imports/${id}`}
      foot={<span>{MODES[shown.mode]}</span>}
      actions={actions}
    >
      <Content>
        <Answer
          sub={
            <>
              <span>
                {nameOf(shown.created_by)}, <When at={shown.created_at} as="since" />
              </span>
              {shown.finished_at !== null && !shown.dry_run && shown.status === "completed" && (
                <Link className="link" to={`/crm/${account.id}/${NAMES[shown.resource]}`}>
                  See the {NAMES[shown.resource]}
                </Link>
              )}
              <Id>{shown.id}</Id>
            </>
          }
        >
          <Sentence of={shown} />
        </Answer>
        {actions && canAct(shown) && <PhoneActs>{actions}</PhoneActs>}
        <ImportResult of={shown} />
        <Columns of={shown} />
      </Content>
    </Page>
  );
}

/** Did it work? */
function Sentence({ of }: { of: Import }) {
  const done = of.created + of.updated + of.unchanged;
  if (of.status === "reverted") return <>Taken back</>;
  if (isActive(of)) {
    return (
      <>
        <b>{Math.floor(of.progress * 100)}%</b> {of.status === "reverting" ? "taken back" : "done"}
      </>
    );
  }
  return (
    <>
      <b>{count(done)}</b> of {rowsText(of.total)} {of.dry_run ? "can be imported" : "imported"}
      {of.failed > 0 && (
        <>
          , <b>{count(of.failed)}</b> {of.dry_run ? "would fail" : "failed"}
        </>
      )}
    </>
  );
}

function Columns({ of }: { of: Import }) {
  return (
    <Section title="Columns" aside={of.unmapped_columns.length > 0 && `${of.unmapped_columns.length} not imported`}>
      <table className={classes.faults}>
        <thead>
          <tr>
            <th scope="col">Column</th>
            <th scope="col">Field</th>
          </tr>
        </thead>
        <tbody>
          {of.columns.map((column) => (
            <tr key={column}>
              <td>{column}</td>
              <td>{of.mapping[column] ?? <span className="muted">not imported</span>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

const isWaiting = ({ status }: Import) => status === "queued" || status === "running";

const isRevertible = ({ created, updated, dry_run, status }: Import) =>
  !dry_run && created + updated > 0 && ["completed", "cancelled", "failed"].includes(status);

const canAct = (of: Import) => isWaiting(of) || isRevertible(of);

function Actions({ of }: { of: Import }) {
  const [reverts, setReverts] = useState(false);
  const cancel = useCancelImport();
  const revert = useRevertImport();
  const stop = () =>
    cancel.mutateAsync(of.id).then(
      () => toast("The import is cancelled. What it imported so far stays."),
      (error: Error) => toastError("It was not cancelled", error),
    );
  if (isWaiting(of)) {
    return (
      <Button variant="default" loading={cancel.isPending} onClick={() => void stop()}>
        {of.dry_run ? "Stop the check" : "Cancel the import"}
      </Button>
    );
  }
  if (!isRevertible(of)) return null;
  return (
    <>
      <Button variant="default" onClick={() => setReverts(true)}>
        Take it back…
      </Button>
      <Confirm
        opened={reverts}
        close={() => setReverts(false)}
        title="Take this import back?"
        action="Take it back"
        danger
        onConfirm={() => revert.mutateAsync(of.id)}
      >
        <p>
          <b>
            {count(of.created)} {NAMES[of.resource]} that it created are deleted
          </b>{" "}
          and {count(of.updated)} that it updated get their earlier values back. Those that somebody changed since are kept. It
          cannot be undone; the file can be imported again.
        </p>
      </Confirm>
    </>
  );
}
