import { CreatedWithin, closed, FREE_TEXT, Id, listOf, nullable, page, Time, Version } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { Currency } from "../../accounts/clients/index.ts";
import { AccountId } from "../../accounts/custom-fields/index.ts";
import { LANGUAGES, TOTAL_MAX } from "../payment-links/index.ts";
import { DisputeOfPayment } from "./disputes.schema.ts";
import { ATTEMPT_STATES, FLAGS, MANUAL_METHODS, PAID_ACTIONS, PAYMENT_STATUSES, REFUND_STATUSES } from "./model.ts";

const Cents = (description: string, example: number, minimum = 1) =>
  Type.Integer({ minimum, maximum: 2 * TOTAL_MAX, description, examples: [example] });
const Note = nullable(
  Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: FREE_TEXT,
    description: "A note for your team",
    examples: ["Paid at the desk"],
  }),
);

export const Refund = Type.Object(
  {
    id: Id("payment_refund"),
    amount_cents: Cents("What is returned", 5_000),
    reason: Type.String({ examples: ["Visit cancelled"] }),
    status: Type.Enum([...REFUND_STATUSES], { type: "string" }),
    failure: nullable(Type.String({ description: "Why the provider refused it" })),
    created_by: Type.String({ description: "The key or the user that asked for it" }),
    created_at: Time,
  },
  { ...closed, title: "PaymentRefund" },
);

const PaidResult = Type.Object(
  {
    action: Type.Enum([...PAID_ACTIONS], { type: "string" }),
    status: Type.Enum(["done", "refused"], { type: "string" }),
    code: nullable(Type.String({ description: "Why it was refused", examples: ["client_missing"] })),
    detail: nullable(Type.String()),
  },
  { ...closed, title: "PaymentResult" },
);

export const Payment = Type.Object(
  {
    id: Id("payment"),
    account_id: AccountId,
    payment_link_id: Id("payment_link"),
    attempt_id: Id("payment_attempt"),
    contact_id: nullable(Id("contact")),
    status: Type.Enum([...PAYMENT_STATUSES], { type: "string" }),
    amount_cents: Cents("What was paid of the link, in minor units", 14_280),
    tip_cents: Cents("The tip on top", 0, 0),
    refunded_cents: Cents("What was returned of both", 0, 0),
    refunding_cents: Cents("What is being returned", 0, 0),
    currency: Currency,
    provider: Type.String({ description: "The kind of provider", examples: ["manual"] }),
    provider_id: nullable(Id("payment_provider")),
    method: Type.String({
      description: "card, cash, cheque, bank_transfer, other, or as the provider names it",
      examples: ["card"],
    }),
    method_hint: nullable(Type.String({ description: "The last four digits of a card", examples: ["4242"] })),
    payer: Type.Object(
      {
        name: nullable(Type.String()),
        email: nullable(Type.String()),
        answers: Type.Record(Type.String({ pattern: "^[a-z][a-z0-9_]{0,39}$" }), Type.String(), {
          ...closed,
          description: "What the page asked for, by key",
        }),
      },
      { ...closed, title: "Payer" },
    ),
    receipt_number: Type.String({ description: "Numbered per account, without gaps", examples: ["R-000118"] }),
    live: Type.Boolean({ description: "false for payments of the test provider: no money has moved" }),
    flag: nullable(
      Type.Enum([...FLAGS], {
        type: "string",
        description: "late: the link took no payments any more. overpaid: it was paid already. The money counts in both cases",
      }),
    ),
    note: Note,
    refunds: Type.Array(Refund),
    disputes: Type.Array(DisputeOfPayment),
    on_paid_results: Type.Array(PaidResult, {
      description: "What the payment has set off, as `on_paid` and `charge` of its link say. A refusal never undoes a payment",
    }),
    charge: nullable(
      Type.Object(
        { client_id: Id("client"), amount_cents: Cents("What was charged, without tax", 12_000, 0) },
        { ...closed, title: "PaymentCharged", description: "The client that paid, if the payment was a charge" },
      ),
    ),
    paid_at: Time,
    created_at: Time,
    updated_at: Time,
    version: Version,
  },
  { ...closed, title: "Payment" },
);
export type PaymentShown = Type.Static<typeof Payment>;

export const PaymentListQuery = Type.Object(
  {
    ...page,
    account_id: Type.Optional(AccountId),
    status: Type.Optional(
      Type.Enum([...PAYMENT_STATUSES], { type: "string", description: "Payments with this status", examples: ["succeeded"] }),
    ),
    payment_link_id: Type.Optional(Type.String({ ...Id("payment_link"), description: "Payments of this link" })),
    contact_id: Type.Optional(
      Type.String({ ...Id("contact"), description: "Payments of this contact, and of those merged into it" }),
    ),
    live: Type.Optional(Type.Boolean({ description: "false: those of the test provider; true: all others" })),
    ...CreatedWithin,
  },
  closed,
);
export type PaymentListQuery = Type.Static<typeof PaymentListQuery>;

export const PaymentList = listOf(Payment, "PaymentList");

export const RefundBody = Type.Object(
  {
    amount_cents: Type.Optional(Cents("What to return. Default: all that is left", 5_000)),
    reason: Type.String({ minLength: 1, maxLength: 500, pattern: FREE_TEXT, examples: ["Visit cancelled"] }),
  },
  { ...closed, title: "PaymentRefundCreate" },
);
export type RefundBody = Type.Static<typeof RefundBody>;

export const RecordBody = Type.Object(
  {
    amount_cents: Cents("What was paid, in minor units", 5_000),
    method: Type.Enum([...MANUAL_METHODS], { type: "string", examples: ["cash"] }),
    paid_at: Type.Optional(
      Type.String({
        ...Time,
        description: "When it was paid: not in the future. Default: now",
        examples: ["2026-10-30T10:00:00.000Z"],
      }),
    ),
    note: Type.Optional(Note),
  },
  { ...closed, title: "PaymentRecord" },
);
export type RecordBody = Type.Static<typeof RecordBody>;

export const Receipt = Type.Object(
  {
    receipt_number: Payment.properties.receipt_number,
    payment_id: Id("payment"),
    url: Type.String({ description: "The receipt as a page. Whoever has the address can read it" }),
    pdf_url: Type.String({ description: "The receipt as a PDF, likewise" }),
  },
  { ...closed, title: "PaymentReceipt" },
);

export const ReceiptQuery = Type.Object(
  { lang: Type.Optional(Type.Enum([...LANGUAGES], { type: "string", description: "Its language", examples: ["de"] })) },
  closed,
);

export const Attempt = Type.Object(
  {
    id: Id("payment_attempt"),
    payment_link_id: Id("payment_link"),
    state: Type.Enum([...ATTEMPT_STATES], { type: "string" }),
    amount_cents: Cents("What it pays of the link", 14_280),
    tip_cents: Cents("The tip on top", 0, 0),
    currency: Currency,
    provider: Type.String({ examples: ["test"] }),
    failure: nullable(Type.String({ description: "Why it failed", examples: ["The card was declined."] })),
    created_at: Time,
    state_at: Time,
  },
  { ...closed, title: "PaymentAttempt" },
);

export const AttemptListQuery = Type.Object({ ...page }, closed);
export type AttemptListQuery = Type.Static<typeof AttemptListQuery>;
export const AttemptList = listOf(Attempt, "PaymentAttemptList");
