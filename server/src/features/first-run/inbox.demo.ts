/** The account whose inbox has something in it, and the channel that its people write to. */
export const DEMO_INBOX = {
  company: "Harbour Dental",
  channel: { kind: "simulator", name: "Text messages", config: { from: "+15550100000" } },
  opened_days_ago: 12,
} as const;

const HOUR = 1 / 24;
const MINUTE = HOUR / 60;

/** What was said and done in a conversation, and how many days ago. */
export type DemoTurn = { days_ago: number } & (
  | { by: "person"; text: string }
  | { by: "team"; text: string }
  | { note: string }
  | { is: "closed" }
  | { is: "snoozed"; for_days: number }
  | { tags: string[]; priority: "normal" | "high" }
);

/** Conversations with demo contacts, by the number of the contact, who was there before: one is answered, one has ended, one sleeps, two wait. */
export const DEMO_CONVERSATIONS: readonly { contact: number; turns: readonly DemoTurn[] }[] = [
  {
    contact: 0,
    turns: [
      { days_ago: 1.2, by: "person", text: "Hi, I lost a filling this morning. Not urgent, but it is sharp." },
      {
        days_ago: 1.2 - 9 * MINUTE,
        by: "team",
        text: "Sorry to hear that. Avoid chewing on that side. Dr Hale has Friday 10:00 or Monday 8:30, which suits you?",
      },
      { days_ago: 1.2 - 25 * MINUTE, by: "person", text: "Friday please" },
      {
        days_ago: 1.2 - 31 * MINUTE,
        by: "team",
        text: "Booked for Friday at 10:00 with Dr Hale. You will get a reminder the day before.",
      },
      { days_ago: 3 * HOUR, note: "The daughter is on the recall list: offer both slots together." },
      { days_ago: 2.9 * HOUR, tags: ["vip"], priority: "high" },
      { days_ago: 2.5 * HOUR, by: "person", text: "Could my daughter come along for a check-up?" },
      { days_ago: 2.2 * HOUR, by: "team", text: "Gladly, right after you at 10:30. I have put her down." },
    ],
  },
  {
    contact: 1,
    turns: [
      { days_ago: 6, by: "person", text: "Do you open on Saturdays?" },
      { days_ago: 6 - 20 * MINUTE, by: "team", text: "On the first Saturday of the month, from 9 to 13." },
      { days_ago: 6 - 32 * MINUTE, by: "person", text: "Thank you!" },
      { days_ago: 5.9, is: "closed" },
    ],
  },
  {
    contact: 2,
    turns: [
      { days_ago: 2, by: "person", text: "Can you send me an offer for whitening? I am away until the weekend." },
      { days_ago: 2 - 15 * MINUTE, by: "team", text: "We will have it ready for you when you are back." },
      { days_ago: 2 - 17 * MINUTE, is: "snoozed", for_days: 4 },
    ],
  },
  { contact: 3, turns: [{ days_ago: 58 * MINUTE, by: "person", text: "Do you take Delta Dental?" }] },
  {
    contact: 4,
    turns: [
      { days_ago: 14 * MINUTE, by: "person", text: "Is an appointment free this week?" },
      { days_ago: 12 * MINUTE, by: "person", text: "Afternoons are best for me." },
    ],
  },
];
