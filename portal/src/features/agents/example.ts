import type { Content } from "./data.ts";

/** A playbook to begin with: it asks three questions, and hands good leads to a person. */
export const EXAMPLE: Content = {
  engine: "playbook",
  playbook: {
    start: "hello",
    slots: {
      need: { type: "choice", choices: ["website", "ads"], ask: "Is it about a website or about ads?" },
      budget: { type: "number", min: 0, ask: "What is your monthly budget?", retry: "A number, such as 500." },
      email: { type: "email", ask: "Where can we write to you?" },
    },
    interrupts: [{ when: { match: ["human", "real person"] }, say: "One moment, please.", go: "@handoff" }],
    states: {
      hello: { say: ["Hi, I am {{agent.name}} of {{account.name}}."], collect: ["need", "budget", "email"], go: "save" },
      save: {
        do: [{ tool: "update_lead", args: { email: "{{slot.email}}", notes: "{{slot.need}}, {{slot.budget}} a month" } }],
        branch: [{ when: { slot: "budget", op: ">=", value: 500 }, go: "good" }],
        go: "later",
      },
      good: {
        do: [
          { tool: "update_lead", args: { status: "qualified" } },
          { tool: "add_tag", args: { tag: "hot" } },
        ],
        say: "Thank you! A colleague will be with you soon.",
        go: "@handoff",
      },
      later: { say: "Thank you! We will write to {{slot.email}}.", go: "@end" },
    },
    fallback: { say: "I did not get that.", max: 2, go: "@handoff" },
  },
};
