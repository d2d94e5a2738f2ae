import { Button } from "@mantine/core";
import { useRef, useState } from "react";
import { Problem } from "../../../ui/form.tsx";
import { amountsText, money, sums } from "../../../ui/money.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Rows } from "../../../ui/rows.tsx";
import { Section } from "../../../ui/section.tsx";
import { day } from "../../../ui/when.tsx";
import classes from "../../operator.module.css";
import { PastedTable } from "../../pasted.tsx";
import { chargesOf, HEADER } from "./csv.ts";
import { BULK_MAX, type BulkResult, useReportCharges } from "./data.ts";

const EXAMPLE = `${HEADER}\ncli_01…,in_1001,499.00,usd,2026-11-01,1,Growth`;

/** Charges from a table: pasted or uploaded, looked at, then reported in one request. */
export function BulkCharges({ close }: { close(): void }) {
  const [text, setText] = useState("");
  const [result, setResult] = useState<BulkResult | null>(null);
  const report = useReportCharges();
  const key = useRef(crypto.randomUUID());
  const { charges, faults } = text.trim() === "" ? { charges: [], faults: [] } : chargesOf(text);
  const tooMany = charges.length > BULK_MAX;
  const change = (next: string) => {
    key.current = crypto.randomUUID();
    setText(next);
    setResult(null);
  };
  const send = () => report.mutateAsync({ charges, key: key.current }).then(setResult, () => undefined);
  return (
    <Panel
      title="Report several charges"
      close={close}
      foot={
        <>
          <Button variant="default" onClick={close}>
            {result ? "Close" : "Cancel"}
          </Button>
          {result === null && (
            <Button
              loading={report.isPending}
              disabled={charges.length === 0 || faults.length > 0 || tooMany}
              onClick={() => void send()}
            >
              {charges.length === 0 ? "Report charges" : `Report ${charges.length} charge${charges.length === 1 ? "" : "s"}`}
            </Button>
          )}
        </>
      }
    >
      <div className={classes.fields}>
        <PastedTable
          description="With the names of the columns in the first line; amounts without tax, in whole units"
          placeholder={EXAMPLE}
          minRows={8}
          value={text}
          change={change}
          faults={tooMany ? [`At most ${BULK_MAX} charges at once; there are ${charges.length}.`, ...faults] : faults}
        />
        <Problem error={report.error} />
        {result ? <Outcome result={result} /> : charges.length > 0 && <Preview charges={charges} />}
      </div>
    </Panel>
  );
}

const SHOWN = 8;

function Preview({ charges }: { charges: ReturnType<typeof chargesOf>["charges"] }) {
  const total = amountsText(sums(charges));
  return (
    <Section title={`${charges.length} charge${charges.length === 1 ? "" : "s"}, ${total}`}>
      <Rows heads={["Reference", "Paid on", "Amount"]} ends={1}>
        {charges.slice(0, SHOWN).map(({ external_id, charged_at, amount_cents, currency }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same reference may stand in two lines
          <tr key={index}>
            <td className="mono">{external_id}</td>
            <td className="muted">{day(charged_at)}</td>
            <td className="strong">{money(amount_cents, currency)}</td>
          </tr>
        ))}
      </Rows>
      {charges.length > SHOWN && <p className="muted">And {charges.length - SHOWN} more.</p>}
    </Section>
  );
}

function Outcome({ result }: { result: BulkResult }) {
  const failed = result.data.filter(({ status }) => status === "error");
  return (
    <Section title={`${result.created} reported, ${result.unchanged} known before, ${result.failed} refused`}>
      {failed.length > 0 && (
        <Rows heads={["Reference", "Why not"]}>
          {failed.map(({ external_id, error }) => (
            <tr key={external_id}>
              <td className="mono">{external_id}</td>
              <td className="soft">{error?.detail}</td>
            </tr>
          ))}
        </Rows>
      )}
      {failed.length > 0 && (
        <p className="muted">Mend these lines and report the table again: what is known is not reported twice.</p>
      )}
    </Section>
  );
}
