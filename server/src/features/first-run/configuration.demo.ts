/** The tags that the demo clients offer for their records. */
export const DEMO_TAGS = [
  { name: "vip", description: "Answers within an hour" },
  { name: "newsletter", description: "Asked for the monthly letter" },
  { name: "hot", description: "Wants to decide this month" },
  { name: "trial", description: "Tries the product, no contract yet" },
  { name: "referral", description: "Sent by another customer" },
];

/** The messages that they send again and again. */
export const DEMO_TEMPLATES = [
  {
    name: "Welcome",
    channel: "email",
    subject: "Welcome, {{contact.name}}",
    text: "Dear {{contact.name}},\n\nthank you for your interest. Reply to this message whenever a question comes up.",
  },
  {
    name: "Appointment reminder",
    channel: "sms",
    text: "Hello {{contact.name}}, we look forward to your appointment tomorrow. Reply C if another day suits you better.",
  },
  {
    name: "Out of office",
    channel: "any",
    text: "Thank you for your message. We are back at 9 tomorrow and answer you first thing.",
  },
] as const;
