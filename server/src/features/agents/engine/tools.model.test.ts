import { describe, expect, test } from "vitest";
import { argumentFault, isApprovable, TOOLS, type Tool, toolSchemas } from "./tools.model.ts";

const fault = (name: string, args: Record<string, unknown>) => argumentFault(TOOLS[name] as Tool, args);

describe("the arguments of a tool", () => {
  test.each<[string, Record<string, unknown>, string | null]>([
    ["add_tag", { tag: "vip" }, null],
    ["add_tag", {}, "tag is required."],
    ["add_tag", { tag: undefined }, "tag is required."],
    ["add_tag", { tag: "vip", other: 1 }, "other is unknown."],
    ["add_tag", { tag: "x".repeat(50) }, null],
    ["add_tag", { tag: "x".repeat(51) }, "tag must be a text of 1 to 50 characters."],
    ["add_tag", { tag: " " }, "tag must be a text of 1 to 50 characters."],
    ["add_tag", { tag: "x" }, null],
    ["add_tag", { tag: 7 }, "tag must be a text of 1 to 50 characters."],
    ["update_lead", {}, null],
    ["update_lead", { status: "qualified" }, null],
    ["update_lead", { status: "won" }, "status must be one of working, qualified, disqualified."],
    ["update_contact", { custom: { size: "m" } }, null],
    ["update_contact", { custom: [] }, "custom must be an object."],
    ["update_contact", { custom: null }, "custom must be an object."],
    ["update_contact", { custom: "x" }, "custom must be an object."],
    ["create_payment_link", { amount_cents: 1, description: "x" }, null],
    ["create_payment_link", { amount_cents: 0, description: "x" }, "amount_cents must be a whole number from 1 to 100000000000."],
    ["create_payment_link", { amount_cents: 1e11, description: "x" }, null],
    [
      "create_payment_link",
      { amount_cents: 1e11 + 1, description: "x" },
      "amount_cents must be a whole number from 1 to 100000000000.",
    ],
    [
      "create_payment_link",
      { amount_cents: 1.5, description: "x" },
      "amount_cents must be a whole number from 1 to 100000000000.",
    ],
    [
      "create_payment_link",
      { amount_cents: "5", description: "x" },
      "amount_cents must be a whole number from 1 to 100000000000.",
    ],
    ["create_payment_link", { amount_cents: 5 }, "description is required."],
    ["create_deal", { name: "x", amount_cents: 0 }, null],
    ["create_deal", { amount_cents: 0 }, "name is required."],
    ["search_knowledge", { query: "x", limit: 10 }, null],
    ["search_knowledge", { query: "x", limit: 11 }, "limit must be a whole number from 1 to 10."],
    ["search_knowledge", { limit: 1 }, "query is required."],
    ["move_deal", {}, "stage is required."],
    ["add_note", {}, "text is required."],
    ["schedule_follow_up", { text: "x" }, "minutes is required."],
    ["schedule_follow_up", { minutes: 1 }, "text is required."],
    ["schedule_follow_up", { minutes: 43_201, text: "x" }, "minutes must be a whole number from 1 to 43200."],
    ["http_request", {}, "name is required."],
    ["lookup_contact", { phone: "x".repeat(41) }, "phone must be a text of 1 to 40 characters."],
    ["add_tag", { tag: "x", constructor: 1 }, "constructor is unknown."],
  ])("%s %j: %s", (name, args, expected) => {
    expect(fault(name, args)).toBe(expected);
  });
});

test("tools read, write or ask others", () => {
  const of = (effect: string) => Object.entries(TOOLS).flatMap(([name, tool]) => (tool.effect === effect ? [name] : []));
  expect(of("read")).toEqual(["search_knowledge", "lookup_contact"]);
  expect(of("external")).toEqual(["http_request"]);
  expect(of("write")).toHaveLength(Object.keys(TOOLS).length - 3);
});

test("what does something can be approved first, but for the agent's own end", () => {
  const approvable = Object.keys(TOOLS).filter(isApprovable);
  expect(Object.keys(TOOLS).filter((name) => !approvable.includes(name))).toEqual([
    "search_knowledge",
    "lookup_contact",
    "handoff",
    "end",
  ]);
  expect(isApprovable("fly")).toBe(false);
});

test("a model is told of the tools that are on, and of targets where there are any", () => {
  const names = (policies: Record<string, string>, targets: string[] = []) =>
    toolSchemas(policies, targets).map(({ name }) => name);
  expect(names({})).toEqual(Object.keys(TOOLS).filter((name) => name !== "http_request"));
  expect(names({ add_tag: "off", add_note: "approve" }, ["slots"])).toEqual(
    Object.keys(TOOLS).filter((name) => name !== "add_tag"),
  );
  const [http] = toolSchemas({}, ["slots", "prices"]).filter(({ name }) => name === "http_request");
  expect(http?.description).toBe("Call a target of the agent: slots, prices");
  expect(toolSchemas({}, [])[0]).toEqual({
    name: "search_knowledge",
    description: "Search the knowledge of the agent",
    parameters: {
      type: "object",
      properties: {
        query: { type: "string", description: "What to look for", minLength: 1, maxLength: 500 },
        limit: { type: "integer", description: "How many at most", minimum: 1, maximum: 10 },
      },
      required: ["query"],
      additionalProperties: false,
    },
  });
});
