type DemoManifest = { format: 1; assets: { type: string; key: string; spec: object }[] };

/** A snapshot of the demo programme that is for sale. */
export type DemoOffer = {
  by: "partner" | "sub_partner";
  name: string;
  description: string;
  days_ago: number;
  price_cents: number;
  currency: string;
  /** When the other partner bought it. */
  bought_days_ago?: number;
  manifest: DemoManifest;
  /** A later version, which waits for review. */
  next?: { days_ago: number; changelog: string; manifest: DemoManifest };
};

const tag = (key: string, name: string) => ({ type: "tag", key, spec: { name, description: null } });
const text = (key: string, name: string, body: string) => ({
  type: "message_template",
  key,
  spec: { name, channel: "sms", subject: null, text: body },
});
const DENTAL = [
  tag("recall", "Recall"),
  text("recall", "Recall", "Hello {{contact.name}}, it is time for your check-up. When may we see you?"),
  text("plan", "Treatment plan", "Hello {{contact.name}}, your treatment plan is ready. Do you have questions?"),
];

/** What the demo partners offer to each other: two that are due, one that was free, and one that nobody has bought yet. */
export const DEMO_OFFERS: readonly DemoOffer[] = [
  {
    by: "partner",
    name: "Dental practice",
    description: "Treatment plans and recalls by SMS",
    days_ago: 40,
    price_cents: 19_900,
    currency: "usd",
    bought_days_ago: 3,
    manifest: { format: 1, assets: DENTAL },
    next: {
      days_ago: 2,
      changelog: "A tag for patients who are afraid",
      manifest: { format: 1, assets: [...DENTAL, tag("anxious", "Anxious")] },
    },
  },
  {
    by: "partner",
    name: "Law firm",
    description: "Conflict checks and engagement letters",
    days_ago: 35,
    price_cents: 9_900,
    currency: "usd",
    bought_days_ago: 1,
    manifest: {
      format: 1,
      assets: [
        tag("conflict_checked", "Conflict checked"),
        text("letter", "Engagement letter", "Hello {{contact.name}}, your engagement letter is in the mail."),
      ],
    },
  },
  {
    by: "sub_partner",
    name: "Bicycle workshop",
    description: "A word when the bicycle is ready",
    days_ago: 20,
    price_cents: 0,
    currency: "eur",
    bought_days_ago: 15,
    manifest: {
      format: 1,
      assets: [
        text("ready", "Bicycle ready", "Hello {{contact.name}}, your bicycle is ready."),
        tag("electric", "Electric bicycle"),
      ],
    },
  },
  {
    by: "sub_partner",
    name: "Yoga studio",
    description: "Trial lessons and memberships",
    days_ago: 12,
    price_cents: 4_900,
    currency: "eur",
    manifest: {
      format: 1,
      assets: [
        tag("trial", "Trial lesson"),
        text("trial", "After the trial", "Hello {{contact.name}}, how was your trial lesson?"),
      ],
    },
  },
];
