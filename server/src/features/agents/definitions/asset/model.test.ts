import { expect, test } from "vitest";
import { agentRules } from "./model.ts";

const { complete, natural, references, validate, portable } = agentRules;
const playbook = (say: string) => ({ start: "a", states: { a: { say, go: "@end" } } });
const agent = (content: object | null) => ({ name: "Nora", content }) as never;

test("a spec has all its members, and a name in any case", () => {
  expect(complete({ name: "Nora" })).toEqual({
    name: "Nora",
    description: null,
    mode: "autopilot",
    limits: { turns_per_session: 50 },
    content: null,
  });
  expect(natural({ name: "NORA" })).toBe("nora");
});

test("an agent refers to its knowledge, and to the custom fields that its words name", () => {
  const content = {
    knowledge: ["prices", "hours"],
    playbook: playbook("{{contact.custom.size}} {{ contact.custom.size|m }} {{contact.custom.age_2}}"),
  };
  expect(references(agent(content))).toEqual([
    { pointer: "/content/playbook", type: "custom_field", key: "contact.size" },
    { pointer: "/content/playbook", type: "custom_field", key: "contact.age_2" },
    { pointer: "/content/knowledge/0", type: "knowledge_source", key: "prices" },
    { pointer: "/content/knowledge/1", type: "knowledge_source", key: "hours" },
  ]);
  expect(references(agent({}))).toEqual([]);
  expect(references(agent(null))).toEqual([]);
});

test("a playbook that does not work and tools that there are not are refused", () => {
  const faults = (content: object | null) => validate(agent(content)).map(({ pointer, code }) => `${pointer} ${code}`);
  expect(faults({ playbook: playbook("Hi"), tools: { add_tag: "off" } })).toEqual([]);
  expect(faults({ playbook: { start: "x", states: {} }, tools: { fly: "off", constructor: "off" } })).toEqual([
    "/content/playbook/start unknown_state",
    "/content/tools/fly unknown_tool",
    "/content/tools/constructor unknown_tool",
  ]);
  expect(faults({})).toEqual([]);
});

test("an agent without a published version stays where it is", () => {
  expect(portable(agent({}))).toEqual({ spec: agent({}), left_out: [] });
  expect(portable(agent(null))).toEqual({ spec: null, left_out: ["No version of the agent Nora was published."] });
});
