/** The account that asks its customers for money, from when on, and how it collects it. */
export const DEMO_BILLING = {
  company: "Harbour Dental",
  provider: { kind: "test", name: "Test cards" },
  opened_days_ago: 48,
} as const;

const CARD = "4242424242424242";

/** What happened to a link, and how many days after it was made. */
export type DemoPayment =
  | { day: number; is: "cancel" | "disable" }
  | { day: number; amount_cents: number; card: typeof CARD; tip_cents?: number }
  | { day: number; amount_cents: number; method: "cash" | "bank_transfer" }
  | { day: number; refund_cents: number; reason: string };

type DemoPaymentLink = {
  /** The number of a contact who was there before, or of somebody who is none. */
  contact: number;
  days_ago: number;
  days_open: number;
  fields: object;
  path: readonly DemoPayment[];
};

/** A link in each state: paid with a tip and a refund, expired, paid in two ways, cancelled, disabled, paid in part, and two that wait. */
export const DEMO_PAYMENT_LINKS: readonly DemoPaymentLink[] = [
  {
    contact: 13,
    days_ago: 46,
    days_open: 30,
    fields: { amount_cents: 14_280, description: "Check-up and cleaning", reference: "HD-1041", tip: { percentages: [5, 10] } },
    path: [
      { day: 1, amount_cents: 14_280, tip_cents: 714, card: CARD },
      { day: 4, refund_cents: 2_500, reason: "Charged for an X-ray that was not taken" },
    ],
  },
  {
    contact: 14,
    days_ago: 40,
    days_open: 14,
    fields: { amount_cents: 6_500, description: "Missed appointment", reference: "HD-1044" },
    path: [],
  },
  {
    contact: 16,
    days_ago: 21,
    days_open: 30,
    fields: {
      line_items: [
        { name: "Crown, ceramic", quantity: 1, unit_cents: 89_000, tax_cents: 6_230 },
        { name: "Local anaesthetic", quantity: 2, unit_cents: 1_900 },
      ],
      description: "Treatment of 24 March",
      reference: "HD-1052",
      partial: { min_first_cents: 20_000 },
    },
    path: [
      { day: 2, amount_cents: 50_000, method: "bank_transfer" },
      { day: 9, amount_cents: 49_030, card: CARD },
    ],
  },
  {
    contact: 17,
    days_ago: 15,
    days_open: 30,
    fields: { amount_cents: 24_000, description: "Night guard", reference: "HD-1058" },
    path: [{ day: 1, is: "cancel" }],
  },
  {
    contact: 18,
    days_ago: 11,
    days_open: 60,
    fields: { amount_cents: 5_000, description: "Whitening workshop, per person", usage: "multi", uses_max: 20 },
    path: [
      { day: 1, amount_cents: 5_000, card: CARD },
      { day: 3, is: "disable" },
    ],
  },
  {
    contact: 0,
    days_ago: 8,
    days_open: 60,
    fields: { amount_cents: 120_000, description: "Implant, in instalments", reference: "HD-1063", partial: {} },
    path: [{ day: 1, amount_cents: 40_000, card: CARD }],
  },
  {
    contact: 1,
    days_ago: 2,
    days_open: 30,
    fields: { amount_cents: 9_900, description: "Cleaning", reference: "HD-1070" },
    path: [],
  },
  {
    contact: 2,
    days_ago: 1,
    days_open: 30,
    fields: { amount_cents: 31_500, description: "Root canal, first visit", reference: "HD-1071" },
    path: [],
  },
];
