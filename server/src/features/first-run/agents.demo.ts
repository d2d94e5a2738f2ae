import type { VersionContent } from "../agents/definitions/index.ts";
import type { Playbook } from "../agents/engine/index.ts";
import type { TestCreate } from "../agents/suites/index.ts";

const MINUTE = 1 / 24 / 60;

/** The chat beside the booking form of a demo client, and since when an agent answers there. */
export const DEMO_CHAT = {
  company: "Harbour Dental",
  channel: { kind: "webchat", name: "Booking page", config: { title: "Harbour Dental", greeting: "How can we help?" } },
  opened_days_ago: 13,
} as const;

export const DEMO_KNOWLEDGE = {
  name: "Practice guide",
  key: "practice-guide",
  text: `# Opening hours

We are open from Monday to Friday, 8:30 to 17:00. On the first Saturday of the month we open from 9:00 to 13:00.

# Prices

A check-up with cleaning costs 95 USD. Whitening costs 320 USD and takes an hour. An implant costs from 1,900 USD; the first consultation is free.

# Insurance

We take Delta Dental, Cigna and Aetna. Please bring your insurance card to the first visit.

# How to find us

We are at 12 Harbour Street, two minutes from the ferry. Parking behind the house is free for patients.`,
};

/** Asks what somebody needs and where to write to, answers questions in between, and tells the team about those who want more. */
const QUALIFY_PATIENTS: Playbook = {
  start: "hello",
  slots: {
    treatment: {
      type: "choice",
      choices: ["check-up", "whitening", "implant"],
      ask: "What can we do for you: a check-up, whitening or an implant?",
    },
    name: { type: "text", max: 100, ask: "What is your name?" },
    email: { type: "email", ask: "Where can we write to you?", retry: "An address such as ada@example.com, please." },
  },
  interrupts: [
    { when: { match: ["human", "real person", "emergency"] }, say: "One moment, I am getting a colleague.", go: "@handoff" },
  ],
  states: {
    hello: {
      say: "Hi, I am {{agent.name}} of {{account.name}}. Ask me about prices, opening hours and insurance.",
      collect: ["treatment", "name", "email"],
      go: "save",
    },
    save: {
      do: [
        {
          tool: "update_lead",
          args: { name: "{{slot.name}}", email: "{{slot.email}}", notes: "Wants: {{slot.treatment}}" },
        },
      ],
      branch: [{ when: { slot: "treatment", op: "in", value: ["whitening", "implant"] }, go: "good" }],
      go: "later",
    },
    good: {
      do: [
        { tool: "update_lead", args: { status: "qualified" } },
        { tool: "add_tag", args: { tag: "hot" } },
      ],
      say: "Thank you, {{slot.name}}. A colleague will write to you today to find a time.",
      go: "@handoff",
    },
    later: { say: "Thank you, {{slot.name}}! We will send free times to {{slot.email}}.", go: "@end" },
  },
  fallback: { faq: { min_score: 0.2 }, say: "I did not get that.", max: 2, go: "@handoff" },
};

const content: VersionContent = {
  engine: "playbook",
  playbook: QUALIFY_PATIENTS as NonNullable<VersionContent["playbook"]>,
  knowledge: [DEMO_KNOWLEDGE.key],
};
export const DEMO_AGENT = { name: "Mila", description: "Qualifies people who write beside the booking form", content };

/** What has to stay true of it, whatever is changed. */
export const DEMO_TESTS: readonly TestCreate[] = [
  {
    name: "Hands somebody who wants more to a person",
    request: {
      messages: [{ text: "Hello" }, { text: "whitening" }, { text: "Ada Byrne" }, { text: "ada@example.com" }],
      assert: [
        { type: "handed_off", value: true },
        { type: "tool_called", tool: "add_tag", args: { tag: "hot" } },
      ],
    },
  },
  {
    name: "Thanks somebody who wants a check-up",
    request: {
      mode: "simulate",
      persona: { answers: { treatment: "check-up" } },
      assert: [
        { type: "handed_off", value: false },
        { type: "text_matches", phrase: "thank you" },
      ],
    },
  },
];

/** What visitors have written, a minute apart, and what the team answered in the end. */
export const DEMO_CHATS: readonly { days_ago: number; texts: readonly string[]; answer?: string }[] = [
  {
    days_ago: 4.3,
    texts: ["Hello", "Where can I park?", "whitening", "Ines Duarte", "ines.duarte@example.com"],
    answer: "Hello Ines, Dr Hale has time on Thursday at 15:00. Shall I put you down?",
  },
  { days_ago: 2.6, texts: ["Hi, do you take Cigna?", "check-up", "Omar Haddad", "omar@example.com"] },
];

export const DEMO_CHAT_STEP = MINUTE;
