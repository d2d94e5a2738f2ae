import { describe, expect, test } from "vitest";
import { type Content, type Driver, drive } from "./drive.model.ts";
import { type Answer, NO_MEMORY, type Playbook, type Request } from "./model.ts";
import type { World } from "./overlay.model.ts";

const world: World = {
  contact: { id: "con_1", name: " Ada  Okafor ", email: null, custom: { size: "m" }, tags: [] },
  lead: null,
  deals: [],
  statuses: ["working"],
  stages: ["New"],
};
const uses = (...tools: { tool: string; args?: Record<string, unknown> }[]): Playbook => ({
  start: "a",
  states: { a: { do: tools, say: "Done.", go: "@end" } },
});

/** A turn, with the requests that reached whoever runs it. */
async function run(content: Partial<Content>, rest: Partial<Driver> & { variables?: Record<string, string> } = {}) {
  const reached: [string, Request][] = [];
  const by =
    (name: string, value: unknown) =>
    async (request: Request): Promise<Answer> => {
      reached.push([name, request]);
      return { ok: true, value };
    };
  const { variables, ...driver } = rest;
  const driven = await drive({
    turn: {
      memory: NO_MEMORY,
      text: "Hi",
      now: new Date(0),
      open: true,
      seed: "s",
      names: { agent: "Nora", account: "Harbour" },
      ...(variables === undefined ? {} : { variables }),
    },
    content: { engine: "playbook", ...content },
    world,
    given: () => null,
    search: by("search", []),
    external: by("external", {}),
    model: by("model", { text: "Hello" }),
    ...driver,
  });
  return {
    ...driven,
    reached: reached.map(([name, { tool }]) => `${name} ${tool}`),
    requests: reached.map(([, request]) => request),
  };
}

describe("a turn", () => {
  test("writes to a world that is pretended, and says what it would write", async () => {
    const tag = { tool: "add_tag", args: { tag: "vip" } };
    const { writes, changes, world: after, approvals, reached } = await run({ playbook: uses(tag) });
    expect(writes).toEqual([{ effect: "write", call: 1, ...tag, subject: "con_1" }]);
    expect(changes).toMatchObject([{ kind: "contact.update", after: { tags: ["vip"] } }]);
    expect(after.contact?.tags).toEqual(["vip"]);
    expect([approvals, reached, world.contact?.tags]).toEqual([[], [], []]);
  });

  test("reads its own world, the knowledge and others", async () => {
    const search = { tool: "search_knowledge", args: { query: "x" } };
    const { reached, writes, memory } = await run({
      playbook: uses(search, { tool: "lookup_contact" }, { tool: "http_request", args: { name: "t" } }),
    });
    expect([reached, writes]).toEqual([["search search_knowledge", "external http_request"], []]);
    expect(memory.results.lookup_contact).toMatchObject({ known: true, contact: { id: "con_1" } });
  });

  test("uses no tool that is off", async () => {
    const { ending, writes } = await run({ playbook: uses({ tool: "add_tag", args: { tag: "x" } }), tools: { add_tag: "off" } });
    expect([ending, writes]).toEqual([{ kind: "handoff", reason: "add_tag: The tool add_tag is off." }, []]);
  });

  test("waits for approval of what somebody has to approve", async () => {
    const tag = { tool: "add_tag", args: { tag: "x" } };
    const { approvals, writes, changes, memory } = await run({ playbook: uses(tag), tools: { add_tag: "approve" } });
    expect(approvals).toEqual([{ effect: "write", call: 1, ...tag, subject: "con_1" }]);
    expect(writes).toEqual([]);
    expect(changes).toEqual([{ kind: "approval.request", target: "add_tag", before: null, after: { tag: "x" } }]);
    expect(memory.results.add_tag).toEqual({ pending: true });
    const lookup = await run({ playbook: uses({ tool: "lookup_contact" }), tools: { lookup_contact: "approve" } });
    expect(lookup.approvals).toEqual([]);
  });

  test("takes an answer that is known already", async () => {
    const given = () => ({ ok: false as const, code: "x", detail: "No." });
    const { ending, writes } = await run({ playbook: uses({ tool: "add_tag", args: { tag: "x" } }) }, { given });
    expect([ending, writes]).toEqual([{ kind: "handoff", reason: "add_tag: No." }, []]);
  });

  test("does not write what the world refuses", async () => {
    const { ending, writes } = await run({ playbook: uses({ tool: "move_deal", args: { stage: "New" } }) });
    expect([ending?.kind, writes]).toEqual(["handoff", []]);
  });

  test("without a playbook is for a person", async () => {
    expect((await run({})).ending).toMatchObject({ kind: "handoff" });
  });
});

describe("the placeholders of a playbook", () => {
  const said = async (say: string, rest: Parameters<typeof run>[1] = {}) =>
    (await run({ playbook: { start: "a", states: { a: { say, go: "@end" } } } }, rest)).messages[0];

  test("stand for the agent, the account, the person and variables", async () => {
    expect(await said("{{agent.name}} of {{account.name}}")).toBe("Nora of Harbour");
    expect(await said("{{contact.first_name}}/{{contact.name}}/{{contact.custom.size}}")).toBe("Ada/ Ada  Okafor /m");
    expect(await said("{{contact.email|none}} {{contact.phone|none}} {{vars.day|none}}")).toBe("none none none");
    expect(await said("{{vars.day|none}}", { variables: { day: "Monday" } })).toBe("Monday");
  });

  test("stand for the lead where there is no contact", async () => {
    const lead = { id: "led_1", name: "Eve", status: "new", tags: [] };
    expect(await said("{{contact.name}}", { world: { ...world, contact: null, lead } })).toBe("Eve");
    expect(await said("{{contact.name}}", { world: { ...world, lead } })).toBe("Ada  Okafor");
    expect(await said("{{contact.first_name|you}}", { world: { ...world, contact: null } })).toBe("you");
  });
});

describe("a model", () => {
  const promptOf = (requests: Request[]) => JSON.stringify(requests[0]?.args);

  test("has the tools that are on, and knows the person without ids", async () => {
    const { requests, messages } = await run({
      engine: "llm",
      instructions: "Sell.",
      tools: { add_tag: "off" },
      targets: { slots: {} },
    });
    const { tools, max_tokens } = (requests[0]?.args ?? {}) as { tools: { name: string }[]; max_tokens: number };
    expect(messages).toEqual(["Hello"]);
    expect(max_tokens).toBe(800);
    expect(tools.map(({ name }) => name)).toContain("http_request");
    expect(tools.map(({ name }) => name)).not.toContain("add_tag");
    expect(promptOf(requests)).toContain("Okafor");
    expect(promptOf(requests)).not.toContain("con_1");
    expect(promptOf(requests)).toContain("Sell.");
  });

  test("answers as long as its version says, and may be mocked", async () => {
    const { requests } = await run({ engine: "llm", model: { max_tokens: 50 } });
    expect(requests[0]?.args.max_tokens).toBe(50);
    const mocked = await run(
      { engine: "llm" },
      { given: ({ effect }) => (effect === "model" ? { ok: true, value: { text: "Mock" } } : null) },
    );
    expect([mocked.messages, mocked.reached]).toEqual([["Mock"], []]);
  });

  test("is not asked by a playbook", async () => {
    expect((await run({ playbook: uses() })).reached).toEqual([]);
    expect((await run({ engine: "hybrid", playbook: uses() })).reached).toEqual(["model model"]);
  });
});
