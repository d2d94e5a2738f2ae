import { Button } from "@mantine/core";
import { Download } from "lucide-react";
import { Blocker, Figures } from "../../../ui/answer.tsx";
import { Failure } from "../../../ui/failure.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Progress } from "../../../ui/progress.tsx";
import { Section } from "../../../ui/section.tsx";
import { failedRowsAddress, type Import, isActive, useImportErrors } from "./data.ts";
import classes from "./imports.module.css";
import { count, rowsText } from "./status.tsx";

/** How far an import is, what it did, and what is wrong with which row. */
export function ImportResult({ of }: { of: Import }) {
  const would = of.dry_run ? "Would be " : "";
  const word = (text: string) => (would ? `${would}${text}` : text.charAt(0).toUpperCase() + text.slice(1));
  return (
    <>
      {isActive(of) && (
        <div className={classes.progress}>
          <Progress label={of.dry_run ? "Checking" : "Importing"} value={of.progress} />
          <p className="muted">
            {count(of.processed)} of {rowsText(of.total)}. It goes on when this page is closed.
          </p>
        </div>
      )}
      {of.failure && (
        <Blocker tone="bad" title="It ended before its last row">
          {of.failure.detail}
        </Blocker>
      )}
      <Figures
        figures={[
          { name: word("created"), value: count(of.created) },
          { name: word("updated"), value: count(of.updated) },
          { name: "Unchanged", value: count(of.unchanged) },
          { name: would ? "Would fail" : "Failed", value: count(of.failed) },
        ]}
      />
      {of.revert && (
        <Blocker title={of.status === "reverted" ? "It was taken back" : "It is being taken back"}>
          {count(of.revert.removed)} removed, {count(of.revert.restored)} restored
          {of.revert.kept > 0 && `, ${count(of.revert.kept)} kept because they were changed since`}.
        </Blocker>
      )}
      {of.failed > 0 && <Errors of={of} />}
    </>
  );
}

function Errors({ of }: { of: Import }) {
  const { rows, loading, error, more, loadingMore, loadMore, retry } = useImportErrors(of.id, true);
  return (
    <Section
      title="Faults"
      aside={
        <Button
          component="a"
          href={failedRowsAddress(of.id)}
          download={`failed-rows-${of.id}.csv`}
          variant="subtle"
          leftSection={<Download />}
        >
          Failed rows as a file
        </Button>
      }
    >
      <p className="muted">The file has the failed rows and what is wrong with each. Mend it, and import it again.</p>
      {error && <Failure small title="The faults did not load" error={error} retry={retry} />}
      {loading && <Loading rows={4} />}
      {rows.length > 0 && (
        <table className={classes.faults} aria-label="Faults">
          <thead>
            <tr>
              <th scope="col">Row</th>
              <th scope="col">Column</th>
              <th scope="col">Value</th>
              <th scope="col">What is wrong</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ row, column, value, detail, code }) => (
              <tr key={`${row} ${column} ${code}`}>
                <td>{count(row)}</td>
                <td>{column}</td>
                <td>{value}</td>
                <td>{detail}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {more && (
        <Button variant="default" size="xs" loading={loadingMore} onClick={loadMore}>
          Show more
        </Button>
      )}
    </Section>
  );
}
