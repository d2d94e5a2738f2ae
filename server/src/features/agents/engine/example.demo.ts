import type { Playbook } from "./model.ts";

/** A playbook that qualifies leads: the one of docs/agents.md and of the demo. */
export const QUALIFY_LEADS: Playbook = {
  start: "hello",
  slots: {
    need: { type: "choice", choices: ["website", "ads"], ask: "Website or ads?" },
    budget: { type: "number", min: 0, ask: "Monthly budget in EUR?", retry: "A number, such as 500." },
    email: { type: "email", ask: "Where can we write to you?" },
  },
  interrupts: [{ when: { match: ["human", "real person"] }, go: "@handoff" }],
  states: {
    hello: { say: ["Hi, I am {{agent.name}}."], collect: ["need", "budget", "email"], go: "save" },
    save: {
      do: [{ tool: "update_lead", args: { email: "{{slot.email}}", notes: "{{slot.need}}, {{slot.budget}} EUR" } }],
      branch: [{ when: { slot: "budget", op: ">=", value: 500 }, go: "good" }],
      go: "later",
    },
    good: {
      do: [
        { tool: "update_lead", args: { status: "qualified" } },
        { tool: "add_tag", args: { tag: "hot" } },
      ],
      say: "A colleague will call you.",
      go: "@handoff",
    },
    later: { say: "Thank you! We will write to {{slot.email}}.", go: "@end" },
  },
  fallback: { faq: { min_score: 0.2 }, say: "I did not get that.", max: 2, go: "@handoff" },
};
