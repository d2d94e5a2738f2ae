import { CreatedWithin, closed, Id, listOf, nullable, page, Time } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { Currency } from "../../accounts/clients/index.ts";
import { AccountId } from "../../accounts/custom-fields/index.ts";
import { DISPUTE_STATUSES } from "./model.ts";

const Status = Type.Enum([...DISPUTE_STATUSES], {
  type: "string",
  description: "open: the bank has not decided. won: the payment stays. lost: the money went back to the payer",
  examples: ["open"],
});

/** What a dispute says, in its payment and by itself. */
const facts = {
  id: Id("payment_dispute"),
  amount_cents: Type.Integer({ minimum: 0, description: "What the payer wants back, in minor units", examples: [14_280] }),
  reason: Type.String({ description: "As the provider names it", examples: ["fraudulent"] }),
  status: Status,
  created_at: Time,
  decided_at: nullable(Time),
};

export const DisputeOfPayment = Type.Object(facts, { ...closed, title: "PaymentDisputeSummary" });

export const Dispute = Type.Object(
  {
    ...facts,
    account_id: AccountId,
    payment_id: Id("payment"),
    payment_link_id: Id("payment_link"),
    currency: Currency,
  },
  { ...closed, title: "PaymentDispute" },
);

export const DisputeListQuery = Type.Object(
  {
    ...page,
    account_id: Type.Optional(AccountId),
    status: Type.Optional(Status),
    payment_id: Type.Optional(Type.String({ ...Id("payment"), description: "Disputes of this payment" })),
    ...CreatedWithin,
  },
  closed,
);
export type DisputeListQuery = Type.Static<typeof DisputeListQuery>;

export const DisputeList = listOf(Dispute, "PaymentDisputeList");
