type Asset = { type: string; key: string; spec: object };

const stage = (key: string, name: string, type: "open" | "won" | "lost", target_days: number | null = null) => ({
  key,
  name,
  type,
  target_days,
});

const REMINDER = "Hello {{contact.name}}, we look forward to our consultation tomorrow. Reply C if another day suits you better.";

/** The first version: how a first consultation is asked for, booked and held. */
const FIRST: readonly Asset[] = [
  {
    type: "custom_field",
    key: "deal.matter",
    spec: { label: "Matter", type: "select", options: ["New matter", "Second opinion", "Review"] },
  },
  { type: "tag", key: "consultation", spec: { name: "consultation", description: "Asked for a first consultation" } },
  {
    type: "message_template",
    key: "reminder",
    spec: { name: "Consultation reminder", channel: "sms", text: REMINDER },
  },
  {
    type: "pipeline",
    key: "consultations",
    spec: {
      name: "Consultations",
      stages: [
        stage("asked", "Asked", "open", 2),
        stage("booked", "Booked", "open", 14),
        stage("engaged", "Engaged", "won"),
        stage("declined", "Declined", "lost"),
      ],
    },
  },
];

/** Adds what a client is asked beforehand. */
const SECOND: readonly Asset[] = [
  ...FIRST,
  { type: "custom_field", key: "lead.budget", spec: { label: "Budget", type: "number" } },
  {
    type: "message_template",
    key: "questions",
    spec: {
      name: "Questions beforehand",
      channel: "email",
      subject: "Three questions before we meet",
      text: "Dear {{contact.name}},\n\nwhat is it about, by when do you need it, and what may it cost?",
    },
  },
];

/** Follows up on every consultation, and scores leads by their budget. */
const THIRD: readonly Asset[] = [
  ...SECOND.filter(({ type }) => type !== "pipeline"),
  {
    type: "pipeline",
    key: "consultations",
    spec: {
      name: "Consultations",
      stages: [
        stage("asked", "Asked", "open", 1),
        stage("booked", "Booked", "open", 14),
        stage("followed_up", "Followed up", "open", 7),
        stage("engaged", "Engaged", "won"),
        stage("declined", "Declined", "lost"),
      ],
    },
  },
  {
    type: "lead_scoring",
    key: "rules",
    spec: {
      rules: [
        { name: "Can be called", field: "phone", op: "exists", points: 15 },
        { name: "Large budget", field: "custom.budget", op: "gt", value: 5_000, points: 30 },
      ],
    },
  },
];

export const DEMO_SNAPSHOT = {
  name: "Consultations",
  description: "From the first question to an engagement, for those who sell their advice",
  versions: [
    { days_ago: 34, changelog: null, assets: FIRST },
    { days_ago: 20, changelog: "Questions beforehand, and the budget", assets: SECOND },
    { days_ago: 6, changelog: "Follow up on every consultation; leads are scored by their budget", assets: THIRD },
  ],
} as const;

/** Who got the second version, and when. One of them stays behind. */
export const DEMO_DEPLOYED = [
  { company: "Morrow Legal", version: 2, days_ago: 19 },
  { company: "Stone & Sons Roofing", version: 2, days_ago: 18 },
] as const;

/**
 * The third version is rolled out twice. The first rollout halts at its canary, because that client has a template of its own by the same
 * name; once it has another name, the second one reaches everybody.
 */
export const DEMO_ROLLOUTS = {
  version: 3,
  companies: ["Morrow Legal", "Quill Bookkeeping"],
  canary: "Quill Bookkeeping",
  halted_days_ago: 5.8,
  completed_days_ago: 5.5,
  obstacle: {
    days_ago: 9,
    template: { name: "Consultation reminder", channel: "sms", text: "Hello {{contact.name}}, see you tomorrow." },
    renamed: { days_ago: 5.6, name: "Short reminder" },
  },
} as const;

/** What the staff of a client changed afterwards. */
export const DEMO_DRIFT = {
  company: "Quill Bookkeeping",
  days_ago: 3,
  stage: { key: "booked", name: "In the calendar" },
  field: { key: "deal.matter", label: "Kind of books" },
} as const;
