import { describe, expect, test } from "vitest";
import { Refusal } from "../../../kernel/errors.ts";
import type { Settings } from "../../../platform/record/context.ts";
import { equal } from "../../accounts/configuring/index.ts";
import { checkedContent, diffValues, EMPTY_CONTENT } from "./model.ts";
import type { VersionContent } from "./versions/schema.ts";

const settings = { egress: "public" } as unknown as Settings;
const { playbook } = EMPTY_CONTENT;
const model = { base_url: "https://A.example", name: "m" };

async function faults(content: object): Promise<string[] | null> {
  try {
    await checkedContent(content as VersionContent, settings);
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [error.code, ...(error.explanation.faults ?? []).map(({ pointer, code }) => `${pointer} ${code}`)];
  }
}

describe("the content of a version", () => {
  test("of a new agent is valid", async () => {
    expect(await checkedContent(EMPTY_CONTENT, settings)).toEqual(EMPTY_CONTENT);
  });

  test("has what its engine needs", async () => {
    expect(await faults({ engine: "playbook" })).toEqual(["validation_failed", "#/playbook playbook_required"]);
    expect(await faults({ engine: "llm" })).toEqual([
      "validation_failed",
      "#/model model_required",
      "#/instructions instructions_required",
    ]);
    expect(await faults({ engine: "hybrid" })).toEqual([
      "validation_failed",
      "#/playbook playbook_required",
      "#/model model_required",
    ]);
    expect(await faults({ engine: "llm", model, instructions: "" })).toBeNull();
    expect(await faults({ engine: "hybrid", model, playbook })).toBeNull();
  });

  test("has policies of tools that there are, and approvals of those that do something", async () => {
    const tools = (policies: object) => faults({ engine: "playbook", playbook, tools: policies });
    expect(await tools({ add_tag: "approve", search_knowledge: "off", end: "off" })).toBeNull();
    expect(await tools({ fly: "off", constructor: "off" })).toEqual([
      "validation_failed",
      "#/tools/fly unknown_tool",
      "#/tools/constructor unknown_tool",
    ]);
    expect(await tools({ search_knowledge: "approve", end: "approve" })).toEqual([
      "validation_failed",
      "#/tools/search_knowledge not_approvable",
      "#/tools/end not_approvable",
    ]);
  });

  test("has addresses in their one form, of what may be called", async () => {
    const content = { engine: "hybrid", playbook, model, targets: { slots: { url: "https://B.example/x" } } } as VersionContent;
    expect(await checkedContent(content, settings)).toMatchObject({
      model: { base_url: "https://a.example/", name: "m" },
      targets: { slots: { url: "https://b.example/x" } },
    });
    expect(await faults({ ...content, model: { ...model, base_url: "http://localhost" } })).toEqual([
      "validation_failed",
      "#/model/base_url url_not_allowed",
    ]);
    expect(await faults({ ...content, targets: { slots: { url: "ftp://b" } } })).toEqual([
      "validation_failed",
      "#/targets/slots/url url_not_allowed",
    ]);
  });

  test("has a playbook that works", async () => {
    expect(await faults({ engine: "playbook", playbook: { start: "nowhere", states: {} } })).toEqual([
      "invalid_playbook",
      "#/playbook/start unknown_state",
    ]);
  });
});

describe("the difference of two values", () => {
  const diff = (from: unknown, to: unknown) => diffValues(from, to, equal as never);

  test("is that of their members, one by one", () => {
    expect(diff({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 4, c: 2 }, a: 1 })).toEqual([{ path: "/b/d", from: 3, to: 4 }]);
    expect(diff({ a: 1 }, { b: 2 })).toEqual([
      { path: "/a", from: 1, to: null },
      { path: "/b", from: null, to: 2 },
    ]);
    expect(diff({ a: { b: 1 } }, { a: { b: 1 } })).toEqual([]);
  });

  test("takes lists as a whole, and names in paths as JSON pointers", () => {
    expect(diff({ a: [1, 2] }, { a: [1, 3] })).toEqual([{ path: "/a", from: [1, 2], to: [1, 3] }]);
    expect(diff({ a: [1] }, { a: { 0: 1 } })).toEqual([{ path: "/a", from: [1], to: { 0: 1 } }]);
    expect(diff({ "a/b~c": 1 }, { "a/b~c": 2 })).toEqual([{ path: "/a~1b~0c", from: 1, to: 2 }]);
    expect(diff(1, undefined)).toEqual([{ path: "", from: 1, to: null }]);
    expect(diff({ a: 1 }, null)).toEqual([{ path: "", from: { a: 1 }, to: null }]);
  });
});
