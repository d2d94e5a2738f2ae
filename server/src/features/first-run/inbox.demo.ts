const OFFICE = [{ from: "08:00", to: "18:00" }];

/**
 * The channels that its people write to. Only the simulator and the web chat, which reach nobody, are active; the others are paused, and
 * their providers have names that exist nowhere.
 */
export const DEMO_CHANNELS = {
  email: {
    kind: "email",
    name: "Front desk",
    status: "paused",
    config: {
      from: "hello@harbour-dental.example",
      name: "Harbour Dental",
      smtp: { host: "smtp.harbour-dental.example", port: 587, user: "hello@harbour-dental.example" },
    },
    secrets: { smtp_password: "demo-password" },
  },
  sms: {
    kind: "sms",
    name: "Mobile number",
    status: "paused",
    config: { account_sid: `AC${"0".repeat(32)}`, from: "+15550100001", base_url: "https://sms.example" },
    secrets: { auth_token: "demo-auth-token" },
  },
  whatsapp: {
    kind: "whatsapp",
    name: "WhatsApp",
    status: "paused",
    config: { phone_number_id: "100000000000001", base_url: "https://whatsapp.example" },
    secrets: { token: "demo-token", app_secret: "demo-app-secret", verify_token: "demo-verify-token" },
  },
  webchat: {
    kind: "webchat",
    name: "Website chat",
    config: { origins: [], title: "Harbour Dental", greeting: "Hello! How can we help?", color: "#0b7285" },
    hours: { mon: OFFICE, tue: OFFICE, wed: OFFICE, thu: OFFICE, fri: OFFICE },
    timezone: "America/New_York",
  },
  simulator: { kind: "simulator", name: "Text messages", config: { from: "+15550100000" } },
} as const;
type DemoChannel = keyof typeof DEMO_CHANNELS;

/** The account whose inbox has something in it. The simulator is its newest channel. */
export const DEMO_INBOX = { company: "Harbour Dental", opened_days_ago: 12 } as const;

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

/** With a contact, by its number, who was there before, or with a visitor of the web page. */
export type DemoConversation = { channel: DemoChannel; subject?: string; turns: readonly DemoTurn[] } & (
  | { contact: number }
  | { visitor: string }
);

/** Conversations on every kind of channel: of those with the simulator one is answered, one has ended, one sleeps, two wait. */
export const DEMO_CONVERSATIONS: readonly DemoConversation[] = [
  {
    channel: "simulator",
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
    channel: "simulator",
    contact: 1,
    turns: [
      { days_ago: 6, by: "person", text: "Do you open on Saturdays?" },
      { days_ago: 6 - 20 * MINUTE, by: "team", text: "On the first Saturday of the month, from 9 to 13." },
      { days_ago: 6 - 32 * MINUTE, by: "person", text: "Thank you!" },
      { days_ago: 5.9, is: "closed" },
    ],
  },
  {
    channel: "simulator",
    contact: 2,
    turns: [
      { days_ago: 2, by: "person", text: "Can you send me an offer for whitening? I am away until the weekend." },
      { days_ago: 2 - 15 * MINUTE, by: "team", text: "We will have it ready for you when you are back." },
      { days_ago: 2 - 17 * MINUTE, is: "snoozed", for_days: 4 },
    ],
  },
  { channel: "simulator", contact: 3, turns: [{ days_ago: 58 * MINUTE, by: "person", text: "Do you take Delta Dental?" }] },
  {
    channel: "simulator",
    contact: 4,
    turns: [
      { days_ago: 14 * MINUTE, by: "person", text: "Is an appointment free this week?" },
      { days_ago: 12 * MINUTE, by: "person", text: "Afternoons are best for me." },
    ],
  },
  {
    channel: "email",
    contact: 5,
    subject: "Invoice 2026-118",
    turns: [
      {
        days_ago: 3,
        by: "person",
        text: "Hello,\n\ncould you send me invoice 2026-118 once more? My insurance asks for it.\n\nThank you",
      },
      {
        days_ago: 3 - 2 * HOUR,
        by: "team",
        text: "Hello,\n\nit is on its way to you. Please tell us if the insurance needs anything else.",
      },
      { days_ago: 3 - 2.1 * HOUR, is: "closed" },
    ],
  },
  {
    channel: "sms",
    contact: 6,
    turns: [
      { days_ago: 4 * HOUR, by: "person", text: "Running 10 minutes late, sorry!" },
      { days_ago: 3.9 * HOUR, by: "team", text: "No problem, see you soon." },
    ],
  },
  {
    channel: "whatsapp",
    contact: 8,
    turns: [
      { days_ago: 5 * HOUR, by: "person", text: "Hi! Do I have to fast before the sedation on Thursday?" },
      {
        days_ago: 4.8 * HOUR,
        by: "team",
        text: "Yes, please nothing to eat for six hours before. Water is fine until two hours before.",
      },
      { days_ago: 4.7 * HOUR, by: "person", text: "Got it, thanks 👍" },
      { days_ago: 4.6 * HOUR, by: "team", text: "You are welcome. Until Thursday!" },
    ],
  },
  {
    channel: "webchat",
    visitor: "Robin Page",
    turns: [
      { days_ago: 1.5 * HOUR, by: "person", text: "Are you taking new patients?" },
      { days_ago: 1.4 * HOUR, by: "team", text: "We are. Would you like an appointment for a first check-up?" },
      { days_ago: 35 * MINUTE, by: "person", text: "Yes, next week if possible." },
    ],
  },
];
