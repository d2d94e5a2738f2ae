import { createAgent, publishVersion } from "../agents/definitions/index.ts";
import { QUALIFY_LEADS } from "../agents/engine/index.ts";
import { createTest } from "../agents/suites/index.ts";
import type { Step } from "./demo.ts";
import { DEMO_INBOX } from "./inbox.demo.ts";

const TESTS = [
  {
    name: "Hands a rich lead to a person",
    request: {
      messages: [{ text: "Hi" }, { text: "ads" }, { text: "900" }, { text: "ada@harbour.example" }],
      assert: [
        { type: "handed_off" as const, value: true },
        { type: "tool_called" as const, tool: "add_tag", args: { tag: "hot" } },
      ],
    },
  },
  {
    name: "Thanks everybody else",
    request: {
      mode: "simulate" as const,
      persona: { answers: { budget: "100" } },
      assert: [{ type: "text_matches" as const, phrase: "thank you" }],
    },
  },
];

/** An agent of a demo client with its tests. It is on no channel, so it answers nobody. */
export function agentSteps(clients: ReadonlyMap<string, string>): Step[] {
  const { company, opened_days_ago } = DEMO_INBOX;
  return [
    {
      days_ago: opened_days_ago,
      async act(ctx) {
        const account_id = clients.get(company) ?? "";
        const content = { engine: "playbook" as const, playbook: QUALIFY_LEADS };
        const { id } = await createAgent(ctx, { account_id, name: "Nora", description: "Qualifies new leads", content });
        await publishVersion(ctx, id, { version: 1 });
        for (const one of TESTS) await createTest(ctx, id, one);
      },
    },
  ];
}
