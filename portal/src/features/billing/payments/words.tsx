import { State, type Tone } from "../../../ui/state.tsx";
import type { Payment, PaymentStatus, Refund } from "./data.ts";

export const STATUSES: Record<PaymentStatus, { name: string; tone: Tone }> = {
  succeeded: { name: "received", tone: "live" },
  partially_refunded: { name: "part refunded", tone: "wait" },
  refunded: { name: "refunded", tone: "ended" },
  disputed: { name: "disputed", tone: "bad" },
  lost: { name: "dispute lost", tone: "bad" },
};

export function PaymentState({ payment: { status } }: { payment: Pick<Payment, "status"> }) {
  const { name, tone } = STATUSES[status];
  return <State tone={tone}>{name}</State>;
}

const REFUNDS: Record<Refund["status"], Tone> = { pending: "wait", succeeded: "live", failed: "bad" };

export const RefundState = ({ refund: { status } }: { refund: Refund }) => <State tone={REFUNDS[status]}>{status}</State>;

/** "card ···· 4242", "bank transfer". */
export const methodOf = ({ method, method_hint }: Payment) =>
  `${method.replaceAll("_", " ")}${method_hint === null ? "" : ` ···· ${method_hint}`}`;

export const FLAGS: Record<NonNullable<Payment["flag"]>, { name: string; why: string }> = {
  late: { name: "late", why: "The link took no payments any more when it was paid. The money counts." },
  overpaid: { name: "overpaid", why: "The link was paid already. The money counts, and can be refunded." },
};

/** Who paid. */
export const payerOf = ({ payer: { name, email } }: Payment) => name ?? email ?? "Somebody";
