import {
  CreatedWithin,
  closed,
  Day,
  FREE_TEXT,
  Id,
  listOf,
  nullable,
  page,
  Time,
  Version,
} from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { Currency, Tag } from "../../accounts/clients/index.ts";
import { AccountId, accountOfNew } from "../../accounts/custom-fields/index.ts";
import { CONSENTS } from "../../inbox/channels/index.ts";
import { LANGUAGES, LINK_STATUSES, TOTAL_MAX } from "./model.ts";
import { REMINDER_STATES } from "./sending/model.ts";

const Cents = (description: string, example: number, minimum = 1) =>
  Type.Integer({ minimum, maximum: TOTAL_MAX, description, examples: [example] });
const Text = (maxLength: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength, pattern: FREE_TEXT, description, examples: [example] });

const Person = Type.Object(
  {
    name: Type.Optional(Text(200, "Name of the customer", "Ada Okafor")),
    phone: Type.Optional(
      Type.String({ minLength: 1, maxLength: 40, description: "Phone in E.164 format", examples: ["+14155552671"] }),
    ),
    email: Type.Optional(Type.String({ format: "email", maxLength: 254, examples: ["ada@harbour.example"] })),
  },
  {
    ...closed,
    title: "PaymentCustomer",
    minProperties: 1,
    description: "Somebody who is no contact yet. With a phone, the contact is found or created",
  },
);
const Customer = Type.Union([Id("contact"), Person], { description: "Who is to pay: the id of a contact, or a person" });

const LineItem = Type.Object(
  {
    name: Text(200, "What is sold", "Annual check-up"),
    quantity: Type.Integer({ minimum: 1, maximum: 100_000, examples: [1] }),
    unit_cents: Cents("Price of one, in minor units", 12_000, 0),
    tax_cents: Type.Optional(Cents("Tax on all of them, in minor units", 2_280, 0)),
  },
  { ...closed, title: "PaymentLineItem" },
);
const LineItems = Type.Array(LineItem, { minItems: 1, maxItems: 100, description: "What is sold: the amount is their sum" });
const AmountCents = Cents("What is to be paid, in minor units of the currency", 14_280);
const Description = nullable(Text(500, "What the payment is for; the payer sees it", "Invoice 2026-118"));
const Reference = nullable(Text(200, "Your own reference, such as the number of an invoice", "2026-118"));
const ExpiresAt = Type.String({
  ...Time,
  description: "When the link ends: in the future, within 180 days. Default: in 30 days",
  examples: ["2026-12-01T00:00:00.000Z"],
});
const DueOn = nullable(Type.String({ ...Day, description: "The day when it is due" }));
const Timezone = Type.String({
  minLength: 1,
  maxLength: 60,
  description: "The time zone of due_on, from the IANA database. Default: UTC",
  examples: ["Europe/Berlin"],
});
const Usage = Type.Enum(["single", "multi"], {
  type: "string",
  description: "single: paid once, or in parts. multi: each payer pays the whole amount",
  examples: ["single"],
});
const UsesMax = Type.Integer({
  minimum: 1,
  maximum: 100_000,
  description: "How often a link of multi use can be paid",
  examples: [10],
});
const Instalments = nullable(
  Type.Object(
    {
      min_first_cents: Type.Optional(Cents("The least of the first payment", 5_000)),
      min_next_cents: Type.Optional(Cents("The least of each other payment, except the last", 1_000)),
    },
    { ...closed, title: "PartialPayment", description: "Whether it can be paid in parts. Null: only as a whole", examples: [{}] },
  ),
);
const Tip = nullable(
  Type.Object(
    {
      percentages: Type.Array(Type.Integer({ minimum: 1, maximum: 100 }), {
        minItems: 1,
        maxItems: 4,
        uniqueItems: true,
        description: "The shares of the amount that the page offers, in percent",
        examples: [[10, 15, 20]],
      }),
    },
    { ...closed, title: "PaymentTip", description: "Whether the payer can add a tip. Null: no" },
  ),
);
const Collect = Type.Array(
  Type.Object(
    {
      key: Type.String({ pattern: "^[a-z][a-z0-9_]{0,39}$", examples: ["seat"] }),
      label: Text(100, "The question that the payer sees", "Which seat?"),
      required: Type.Boolean({ examples: [false] }),
    },
    closed,
  ),
  { maxItems: 5, description: "What the page asks the payer for; keys are unique" },
);
const OnPaid = nullable(
  Type.Object(
    {
      move_deal: Type.Optional(
        Type.Object(
          {
            stage: Text(100, "Name or id of the stage that the deal of the link moves to", "Won"),
            pipeline_id: Type.Optional(Type.String({ ...Id("pipeline"), description: "The pipeline of the stage, if another" })),
          },
          { ...closed, title: "PaymentMovesDeal" },
        ),
      ),
      add_tags: Type.Optional(Type.Array(Tag, { minItems: 1, maxItems: 20, description: "Tags that the contact gets" })),
      send_message: Type.Optional(
        Type.Object(
          { text: Text(1_600, "What is written in the conversation of the link", "Thank you, your payment has arrived.") },
          { ...closed, title: "PaymentMessage" },
        ),
      ),
    },
    {
      ...closed,
      title: "PaymentOnPaid",
      minProperties: 1,
      description: "What happens once the link is paid in full; of a link for several uses, with each payment",
      examples: [{ add_tags: ["customer"] }],
    },
  ),
);
const Charge = Type.Object(
  {
    client_id: Type.Optional(
      Type.String({ ...Id("client"), description: "The client that pays. Default: the client of the deal, once it is paid" }),
    ),
  },
  {
    ...closed,
    title: "PaymentCharge",
    description:
      "Only for links of the partner's own account: a client pays the operator, and each payment is a charge that earns commissions",
    examples: [{}],
  },
);
const ProviderId = nullable(
  Type.String({
    ...Id("payment_provider"),
    description: "The provider of its payments. Null: the first that the account has, then the first of the partner",
  }),
);
const Metadata = Type.Record(Type.String({ pattern: "^.{1,40}$" }), Type.String({ maxLength: 500 }), {
  ...closed,
  maxProperties: 50,
  description: "Up to 50 members, with names of 1 to 40 characters and values of up to 500",
  examples: [{ invoice: "2026-118" }],
});

const Language = nullable(
  Type.Enum([...LANGUAGES], {
    type: "string",
    description: "The language of messages to the customer, and of receipts. Null: English. The page is in the browser's",
    examples: ["en"],
  }),
);
const Channels = Type.Array(Type.Enum([...CONSENTS], { type: "string" }), {
  minItems: 1,
  maxItems: CONSENTS.length,
  uniqueItems: true,
  description: "A message on each of them, by the channels of the account",
  examples: [["sms"]],
});
const TemplateId = Type.String({
  ...Id("message_template"),
  description:
    "The words, which may have {{link.url}}, {{link.amount}} and {{link.due_on}}. Default: ours, in the link's language",
});

export const Send = Type.Object(
  { channels: Channels, template_id: Type.Optional(TemplateId) },
  { ...closed, title: "PaymentLinkSend", description: "Sends the link to the customer" },
);
export type Send = Type.Static<typeof Send>;

export const Remind = Type.Partial(Send, { ...closed, title: "PaymentLinkRemind", description: "How to remind the customer" });
export type Remind = Type.Static<typeof Remind>;

const Reminding = nullable(
  Type.Object(
    {
      days: Type.Array(Type.Integer({ minimum: -60, maximum: 60 }), {
        minItems: 1,
        maxItems: 10,
        uniqueItems: true,
        description: "Days from due_on: -3 is three days before, 1 the day after. At 10:00 in the link's time zone",
        examples: [[-3, 1]],
      }),
      channels: Type.Optional(
        Type.Array(Channels.items, { ...Channels, description: "Where to remind. Default: where the link was sent" }),
      ),
      template_id: Type.Optional(TemplateId),
    },
    {
      ...closed,
      title: "PaymentReminding",
      description: "When the customer is reminded. Null: never. Default for a link with due_on: three days before and one after",
    },
  ),
);
const Delivery = Type.Object(
  {
    message_id: Id("message"),
    conversation_id: Id("conversation"),
    channel: Type.Enum([...CONSENTS], { type: "string" }),
    reminder: Type.Boolean({ description: "Whether it was a reminder" }),
    status: Type.String({ description: "The status of the message as it is now", examples: ["delivered"] }),
    created_at: Time,
  },
  { ...closed, title: "PaymentDelivery" },
);
const Reminder = Type.Object(
  {
    at: Time,
    state: Type.Enum([...REMINDER_STATES], { type: "string" }),
    reason: nullable(
      Type.String({
        description: "Why it was skipped: the status of the link, being_paid, not_sent, missed, or the code of a refusal",
        examples: ["paid"],
      }),
    ),
  },
  { ...closed, title: "PaymentReminder" },
);

/** What can be changed as long as nothing is paid. */
const changeable = {
  amount_cents: AmountCents,
  line_items: LineItems,
  description: Description,
  reference: Reference,
  expires_at: ExpiresAt,
  due_on: DueOn,
  timezone: Timezone,
  partial: Instalments,
  tip: Tip,
  collect: Collect,
  provider_id: ProviderId,
  language: Language,
  remind: Reminding,
  metadata: Metadata,
  on_paid: OnPaid,
};

export const LinkCreate = Type.Object(
  {
    ...accountOfNew,
    customer: Customer,
    currency: Type.Optional(Currency),
    usage: Type.Optional(Usage),
    uses_max: Type.Optional(UsesMax),
    deal_id: Type.Optional(Id("deal")),
    conversation_id: Type.Optional(Id("conversation")),
    send: Type.Optional(Send),
    charge: Type.Optional(Charge),
    ...Type.Partial(Type.Object(changeable)).properties,
  },
  { ...closed, title: "PaymentLinkCreate" },
);
export type LinkCreate = Type.Static<typeof LinkCreate>;

export const LinkPatch = Type.Partial(Type.Object(changeable), { ...closed, title: "PaymentLinkPatch", minProperties: 1 });
export type LinkPatch = Type.Static<typeof LinkPatch>;

export const Link = Type.Object(
  {
    id: Id("payment_link"),
    account_id: AccountId,
    url: Type.String({
      description: "The pay page, to be sent to the customer",
      examples: ["https://pay.harbour.example/pay/0Zk3dQ9sVbX2a"],
    }),
    status: Type.Enum([...LINK_STATUSES], { type: "string", description: "expired as soon as expires_at has passed" }),
    contact_id: nullable(Id("contact")),
    customer: Type.Object(
      { name: nullable(Type.String()), phone: nullable(Type.String()), email: nullable(Type.String()) },
      { ...closed, title: "PaymentLinkCustomer", description: "As it was when the link was created" },
    ),
    description: Description,
    reference: Reference,
    currency: Currency,
    total_cents: AmountCents,
    line_items: nullable(LineItems),
    amount_due_cents: Cents("What is still to be paid; of a link for several uses, what each payer pays", 14_280, 0),
    paid_cents: Cents("What was paid, without tips", 0, 0),
    reserved_cents: Cents("What is being paid right now", 0, 0),
    tips_cents: Cents("Tips on top", 0, 0),
    refunded_cents: Cents("What was returned to payers", 0, 0),
    usage: Usage,
    uses_max: nullable(UsesMax),
    partial: Instalments,
    tip: Tip,
    collect: Collect,
    expires_at: Time,
    due_on: DueOn,
    timezone: Timezone,
    provider_id: ProviderId,
    deal_id: nullable(Id("deal")),
    conversation_id: nullable(Id("conversation")),
    language: Language,
    remind: Reminding,
    deliveries: Type.Array(Delivery, { description: "The messages that it was sent with, oldest first" }),
    reminders: Type.Array(Reminder, { description: "Planned and past reminders, in the order of time" }),
    metadata: Metadata,
    on_paid: OnPaid,
    charge: nullable(Charge),
    created_by: Type.String({ description: "The key or the user that created it" }),
    created_at: Time,
    updated_at: Time,
    paid_at: nullable(Type.String({ ...Time, description: "When it was paid in full" })),
    version: Version,
  },
  { ...closed, title: "PaymentLink" },
);
export type LinkShown = Type.Static<typeof Link>;

export const LinkListQuery = Type.Object(
  {
    ...page,
    account_id: Type.Optional(AccountId),
    status: Type.Optional(
      Type.Enum([...LINK_STATUSES], { type: "string", description: "Links with this status", examples: ["active"] }),
    ),
    contact_id: Type.Optional(
      Type.String({ ...Id("contact"), description: "Links of this contact, and of those merged into it" }),
    ),
    deal_id: Type.Optional(Type.String({ ...Id("deal"), description: "Links of this deal" })),
    ...CreatedWithin,
  },
  closed,
);
export type LinkListQuery = Type.Static<typeof LinkListQuery>;

export const LinkList = listOf(Link, "PaymentLinkList");
