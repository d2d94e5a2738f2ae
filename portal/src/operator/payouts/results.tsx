import { Rows } from "../../ui/rows.tsx";
import { State, type Tone } from "../../ui/state.tsx";
import type { OutcomesResult, Payout } from "./data.ts";

type Result = OutcomesResult["data"][number];
type Known = readonly Pick<Payout, "id" | "partner_company">[];

const nameOf = (known: Known, id: string) =>
  known.find((payout) => payout.id === id)?.partner_company ?? <span className="mono">pay_…{id.slice(-6)}</span>;

/** Those that did not change, and why, in the API's words. */
export function Refused({ result, known }: { result: OutcomesResult; known: Known }) {
  return (
    <div role="alert">
      <p className="soft">
        {result.changed} changed, {result.failed} refused.
      </p>
      <Rows heads={["Payout", "Why not"]}>
        {result.data.map(({ payout_id, status, error }) =>
          status === "error" ? (
            <tr key={payout_id}>
              <td className="strong">{nameOf(known, payout_id)}</td>
              <td className="soft">{error?.detail}</td>
            </tr>
          ) : null,
        )}
      </Rows>
    </div>
  );
}

const TONES: Record<Result["status"], Tone> = { changed: "live", unchanged: "ended", error: "bad" };

type Outcomes = readonly { outcome: string }[];

/** What each line does, or did. */
export function Results({
  result,
  outcomes,
  known,
  done,
}: {
  result: OutcomesResult;
  outcomes: Outcomes;
  known: Known;
  done: boolean;
}) {
  const words: Record<Result["status"], string> = {
    changed: done ? "changed" : "will change",
    unchanged: "is so already",
    error: "refused",
  };
  return (
    <Rows heads={["Payout", "Outcome", done ? "Result" : "What it does"]}>
      {result.data.map(({ payout_id, status, error }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same payout may stand in two lines
        <tr key={index}>
          <td className="strong">{nameOf(known, payout_id)}</td>
          <td className="soft">{outcomes[index]?.outcome}</td>
          <td>
            <State tone={TONES[status]}>{words[status]}</State>
            {error && <div className="muted">{error.detail}</div>}
          </td>
        </tr>
      ))}
    </Rows>
  );
}
