import type { components } from "@tributary/sdk";
import { money } from "../../../ui/money.tsx";
import { Rows } from "../../../ui/rows.tsx";
import { State, type Tone } from "../../../ui/state.tsx";
import { When } from "../../../ui/when.tsx";

type Refund = components["schemas"]["Refund"];

const TONES: Record<Refund["status"], Tone> = { applied: "live", waiting: "wait", excess: "bad" };
const WORDS: Record<Refund["status"], string> = {
  applied: "applied",
  waiting: "waits for its charge",
  excess: "beyond the charge",
};

export function RefundRows({ refunds, currency }: { refunds: readonly Refund[]; currency: string }) {
  return (
    <Rows heads={["·On", "Why", "State", "Refunded"]} ends={1}>
      {refunds.map((refund) => (
        <tr key={refund.id}>
          <td className="muted" data-desk>
            <When at={refund.refunded_at} as="day" />
          </td>
          <td className="soft">{refund.reason ?? <span className="mono muted">{refund.external_id}</span>}</td>
          <td>
            <State tone={TONES[refund.status]}>{WORDS[refund.status]}</State>
          </td>
          <td className="strong">{money(-refund.applied_cents, currency)}</td>
        </tr>
      ))}
    </Rows>
  );
}
