import { Button, TextInput } from "@mantine/core";
import { ApiError } from "@tributary/sdk";
import { useRef, useState } from "react";
import { Answer } from "../../ui/answer.tsx";
import { Bar, Tabs } from "../../ui/bar.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { isDay, startOfDay, today } from "../../ui/days.ts";
import { reasonOf } from "../../ui/failure.tsx";
import { useGo } from "../../ui/link.tsx";
import { Page } from "../../ui/page.tsx";
import { allRows, Table } from "../../ui/table.tsx";
import { useUrl } from "../../ui/url.ts";
import { day, time } from "../../ui/when.tsx";
import classes from "./payouts.module.css";
import { BLOCKED, blockedLines, groupedRows, groupOf, isBlocked, PAID, paidLines } from "./preview.tsx";
import { type Preview, type PreviewRow, previewRequest, usePreview, useStartRun } from "./runs.data.ts";
import { plural, totalsText } from "./words.tsx";

const TRAIL = [["Payout runs", "/payout-runs"]] as const;

/** The end of a day as the API wants it; today, and nothing, is now. */
const cutoffOf = (day: string | undefined) => (isDay(day) && day !== today() ? startOfDay(day, 1) : undefined);

/** Bank files name the day of UTC, and pages the day of the viewer: noon is on both. */
const noonOf = (day: string) => `${day}T12:00:00Z`;

/** Who would be paid, and who would not? */
export default function NewRun() {
  const [url, setUrl] = useUrl();
  const { data, error, refetch } = usePreview(cutoffOf(url.cutoff));
  const wrong = url.cutoff !== undefined && error instanceof ApiError && error.status === 422;
  const [asks, setAsks] = useState(false);
  const go = useGo();
  const blocked = url.show === "blocked";
  const rows = data && (blocked ? groupedRows(data.data.filter(isBlocked)) : data.data.filter((row) => !isBlocked(row)));
  const payouts = data?.scheduled.reduce((sum, total) => sum + total.payouts, 0) ?? 0;
  const start = (
    <Button disabled={payouts === 0} onClick={() => setAsks(true)}>
      Start the run…
    </Button>
  );
  return (
    <Page
      title="New payout run"
      fill
      trail={TRAIL}
      api={previewRequest}
      foot={data && <Foot preview={data} />}
      actions={start}
      phoneAction={start}
    >
      <Table
        label={blocked ? "Blocked partners" : "Partners to be paid"}
        columns={blocked ? BLOCKED : PAID}
        list={wrong ? allRows<PreviewRow>([]) : allRows(rows, error, () => void refetch())}
        id={(row) => `${row.partner_id} ${row.currency}`}
        name={(row) => row.company}
        onOpen={(row) => go(`/partners/${row.partner_id}?tab=payouts`)}
        {...(blocked ? { group: groupOf } : {})}
        phone={blocked ? blockedLines : paidLines}
        above={
          <>
            <div className={classes.above}>
              <Sentence preview={data} payouts={payouts} />
              <Choices error={wrong ? error : null} />
            </div>
            <Bar>
              <Tabs
                label="Who"
                value={blocked ? "blocked" : ""}
                tabs={[
                  { value: "", name: `Paid${data ? ` ${payouts}` : ""}` },
                  { value: "blocked", name: `Blocked${data ? ` ${data.rows_total - payouts}` : ""}` },
                ]}
                onChange={(show) => setUrl({ show })}
              />
            </Bar>
          </>
        }
        empty={!wrong && <Nothing blocked={blocked} preview={data} />}
      />
      {data && <Start preview={data} payouts={payouts} opened={asks} close={() => setAsks(false)} />}
    </Page>
  );
}

function Sentence({ preview, payouts }: { preview: Preview | undefined; payouts: number }) {
  if (preview === undefined) return <Answer sub="Nothing is changed.">What a run would pay</Answer>;
  const without = preview.rows_total - payouts;
  return (
    <Answer
      sub={
        <>
          <span>
            Of what is due by {day(preview.cutoff)}, {time(preview.cutoff)}. Nothing is changed until you start the run.
          </span>
          {without > 0 && <span>{plural(without, "amount is blocked and stays", "amounts are blocked and stay")} owed.</span>}
        </>
      }
    >
      {payouts === 0 ? (
        <>
          A run would pay <b>nothing</b>
        </>
      ) : (
        <>
          A run would pay <b>{totalsText(preview.scheduled)}</b> in <b>{plural(payouts, "payout")}</b>
        </>
      )}
    </Answer>
  );
}

function Choices({ error }: { error: Error | null }) {
  const [url, setUrl] = useUrl();
  return (
    <div className={classes.choices}>
      <TextInput
        type="date"
        label="What is due by the end of"
        description="Empty means now"
        value={url.cutoff ?? ""}
        error={error && reasonOf(error)}
        onChange={({ currentTarget }) => setUrl({ cutoff: currentTarget.value })}
      />
      <TextInput
        type="date"
        label="To be paid on"
        description="Bank files name this day"
        value={url.pay ?? ""}
        onChange={({ currentTarget }) => setUrl({ pay: currentTarget.value })}
      />
    </div>
  );
}

const Foot = ({ preview: { data, rows_total } }: { preview: Preview }) => (
  <>
    {rows_total > data.length ? `The largest ${data.length} of ${rows_total}; totals are of all` : `${plural(rows_total, "row")}`}
  </>
);

function Nothing({ blocked, preview }: { blocked: boolean; preview: Preview | undefined }) {
  const someBlocked = preview !== undefined && preview.rows_total > 0;
  return (
    <p className={classes.none}>
      {blocked
        ? "Nobody is blocked: everybody with something approved and due would be paid."
        : someBlocked
          ? "Everything that is approved is blocked. The other tab says by what, and the way out of it."
          : "No commission is approved and due. They are approved when their hold is over."}
    </p>
  );
}

type StartProps = { preview: Preview; payouts: number; opened: boolean; close(): void };

function Start({ preview, payouts, opened, close }: StartProps) {
  const [url] = useUrl();
  const start = useStartRun();
  const go = useGo();
  const key = useRef(crypto.randomUUID());
  const onConfirm = async () => {
    const scheduled_for = isDay(url.pay) ? { scheduled_for: noonOf(url.pay) } : {};
    // What became due since the preview is left to the next run: what was seen is what is paid.
    const run = await start.mutateAsync({ body: { cutoff: preview.cutoff, ...scheduled_for }, key: key.current });
    go(`/payout-runs/${run.id}`);
  };
  return (
    <Confirm
      opened={opened}
      close={close}
      title={`Start a run of ${totalsText(preview.scheduled)}?`}
      action="Start the run"
      onConfirm={onConfirm}
    >
      <p>
        <b>{plural(payouts, "payout is", "payouts are")} scheduled</b>
        {isDay(url.pay) ? ` for ${day(noonOf(url.pay))}` : ""}, each with a statement, and their partners are told. No money moves
        yet: you make a file for the bank, or pay by hand, and report what became of it. A payout can be cancelled until it is in
        a file.
      </p>
    </Confirm>
  );
}
