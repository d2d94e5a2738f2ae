import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../test/harness/refusal.ts";
import { exampleId } from "../../../kernel/ids.ts";
import type { PartnerCaller } from "../../../kernel/principal.ts";
import type { Scope } from "../../../kernel/scopes.ts";
import type { Route } from "../../../platform/http/route.ts";
import { Type } from "../../../platform/http/type.ts";
import { meaningOf, same, toolOf, toolsFor } from "./model.ts";

const route = (rest: object): Route =>
  ({ operation: "x", method: "GET", scope: "contacts:read", partner_wide: false, params: {}, ...rest }) as Route;
const closed = { additionalProperties: false };

const list = route({
  query: Type.Object({ q: Type.Optional(Type.String()), limit: Type.Optional(Type.Integer({ minimum: 1 })) }),
});
const note = (kind: string, scope: Scope) =>
  route({ method: "POST", scope, params: { id: kind }, body: Type.Object({ body: Type.String({ minLength: 2 }) }, closed) });
const [contactNote, leadNote] = [note("contact", "contacts:write"), note("lead", "leads:write")];

const TOOLS = {
  search: toolOf("Search", list, same("q", "limit")),
  get: toolOf("Get", { contact_id: route({ params: { id: "contact" } }) }),
  note: toolOf("Note", { contact_id: contactNote, lead_id: leadNote }, { text: "body" }, {}),
};
const [contact_id, lead_id] = [exampleId("contact"), exampleId("lead")];
const caller = (...scopes: Scope[]) =>
  ({ type: "key", partner_active: true, api_access: true, clients: "all", scopes: new Set(scopes) }) as unknown as PartnerCaller;

describe("the tools of a caller", () => {
  test("are those that it has a scope for", () => {
    const names = (...scopes: Scope[]) => toolsFor(TOOLS, caller(...scopes)).map(({ name }) => name);
    expect(names()).toEqual([]);
    expect(names("contacts:read")).toEqual(["search", "get"]);
    expect(names("leads:write")).toEqual(["note"]);
  });

  test("say what they take, and whether they only read", () => {
    const [search, get, both] = toolsFor(TOOLS, caller("contacts:read", "contacts:write", "leads:write"));
    expect(search).toMatchObject({
      description: "Search",
      inputSchema: {
        type: "object",
        properties: { q: { type: "string" }, limit: { type: "integer" } },
        required: [],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
    });
    expect(get?.inputSchema).toMatchObject({
      properties: { contact_id: { type: "string", maxLength: 100, description: "Id of the contact" } },
      required: ["contact_id"],
    });
    expect(both?.inputSchema.required).toEqual(["text"]);
    expect(Object.keys(both?.inputSchema.properties ?? {})).toEqual(["contact_id", "lead_id", "text"]);
    expect(both?.annotations.readOnlyHint).toBe(false);
  });

  test("that mean several things need the id where only one of them is allowed", () => {
    const [only] = toolsFor(TOOLS, caller("leads:write"));
    expect(Object.keys(only?.inputSchema.properties ?? {})).toEqual(["lead_id", "text"]);
    expect(only?.inputSchema.required).toEqual(["lead_id", "text"]);
  });

  test("may describe their arguments in their own way", () => {
    const own = toolOf("Own", list, { words: "q", other: "gone" }, { words: Type.String({ description: "Words" }) });
    expect(own.properties).toEqual({ words: Type.String({ description: "Words" }), other: {} });
    expect(toolOf("Bare", route({}), same("a"))).toMatchObject({ properties: { a: {} }, required: [] });
  });
});

describe("a call of a tool", () => {
  test("is a query, or a body, with the members that were given", () => {
    expect(meaningOf(TOOLS.search, { q: "ada" })).toEqual({
      route: list,
      input: { params: {}, query: { q: "ada" }, body: { q: "ada" } },
    });
    expect(meaningOf(TOOLS.note, { contact_id, text: "Hello" })).toEqual({
      route: contactNote,
      input: { params: { id: contact_id }, query: {}, body: { body: "Hello" } },
    });
    expect(meaningOf(TOOLS.note, { lead_id, text: "Hello" }).route).toBe(leadNote);
  });

  test("is checked as the operation checks it", () => {
    const refused = (tool: keyof typeof TOOLS, args: object) => refusalOf(() => meaningOf(TOOLS[tool], args as never));
    expect(refused("search", { limit: 0 })).toMatchObject({
      code: "validation_failed",
      faults: [expect.stringContaining("#/limit")],
    });
    expect(refused("search", { other: 1 })).toMatchObject({
      code: "validation_failed",
      faults: [expect.stringContaining("#/other")],
    });
    expect(refused("get", {})).toMatchObject({ code: "validation_failed", faults: [expect.stringContaining("#/contact_id")] });
    expect(refused("note", { contact_id, text: "x" })).toMatchObject({ code: "validation_failed" });
  });

  test("names one thing, which could be there", () => {
    const refused = (args: object) => refusalOf(() => meaningOf(TOOLS.note, args as never));
    expect(refused({ text: "Hello" })?.message).toContain("contact_id, lead_id");
    expect(refused({ contact_id, lead_id, text: "Hello" })?.code).toBe("validation_failed");
    expect(refused({ contact_id: lead_id, text: "Hello" })?.code).toBe("not_found");
    expect(refusalOf(() => meaningOf(TOOLS.get, { contact_id: "x" }))?.code).toBe("not_found");
  });
});
