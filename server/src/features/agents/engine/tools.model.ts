import type { ToolSchema } from "./chat.model.ts";
import { type Effect, own } from "./model.ts";

type Parameter = {
  type: "string" | "integer" | "object";
  description: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  enum?: readonly string[];
};

/** The schema of the arguments of a tool, as JSON Schema, of which only this much is used. */
export type Parameters = {
  type: "object";
  properties: Readonly<Record<string, Parameter>>;
  required: readonly string[];
  additionalProperties: false;
};

export type Tool = { effect: Effect; description: string; parameters: Parameters };

const text = (description: string, maxLength = 200): Parameter => ({ type: "string", description, minLength: 1, maxLength });
const person = {
  name: text("Name"),
  phone: text("Phone number in E.164 format", 40),
  email: text("E-mail address", 254),
  company: text("Company"),
  notes: text("Notes, which replace those there are", 10_000),
  custom: { type: "object", description: "Custom fields by key" },
} as const satisfies Record<string, Parameter>;
const amount = { type: "integer", description: "Amount in minor units", minimum: 0, maximum: 1e12 } as const;

function tool(
  effect: Effect,
  description: string,
  properties: Record<string, Parameter>,
  required: readonly string[] = [],
): Tool {
  return { effect, description, parameters: { type: "object", properties, required, additionalProperties: false } };
}

/** What an agent can do. Everything is about the person of its conversation, and that person's deals. */
export const TOOLS: Readonly<Record<string, Tool>> = {
  search_knowledge: tool(
    "read",
    "Search the knowledge of the agent",
    {
      query: text("What to look for", 500),
      limit: { type: "integer", description: "How many at most", minimum: 1, maximum: 10 },
    },
    ["query"],
  ),
  lookup_contact: tool("read", "Look up the person, and whether a phone or an e-mail address is theirs", {
    phone: person.phone,
    email: person.email,
  }),
  update_contact: tool("write", "Change the contact", person),
  update_lead: tool("write", "Change the lead, on the way of its statuses; a contact without a lead gets one", {
    ...person,
    status: { type: "string", description: "Status", enum: ["working", "qualified", "disqualified"] },
    reason: text("Why it is disqualified", 500),
  }),
  create_lead: tool("write", "Make a lead of the contact", person),
  add_tag: tool("write", "Add a tag to the person", { tag: text("Tag", 50) }, ["tag"]),
  add_note: tool("write", "Add a note to the person", { text: text("Note", 10_000) }, ["text"]),
  create_deal: tool(
    "write",
    "Create a deal with the person",
    { name: text("Name"), amount_cents: amount, stage: text("Stage") },
    ["name"],
  ),
  move_deal: tool("write", "Move the person's newest open deal", { stage: text("Stage") }, ["stage"]),
  create_payment_link: tool(
    "write",
    "Ask the person for money: the answer has the address where it is paid",
    {
      amount_cents: { ...amount, minimum: 1, maximum: 1e11 },
      description: text("What it is for; the payer sees it", 500),
    },
    ["amount_cents", "description"],
  ),
  schedule_follow_up: tool(
    "write",
    "Write again later, unless the person writes first",
    {
      minutes: { type: "integer", description: "After how many minutes", minimum: 1, maximum: 43_200 },
      text: text("What to write", 2_000),
    },
    ["minutes", "text"],
  ),
  handoff: tool("write", "Hand the conversation to a person", { reason: text("Why", 500) }),
  end: tool("write", "End the session", { outcome: text("What came of it", 100) }),
  http_request: tool(
    "external",
    "Call a target of the agent",
    { name: text("Name of the target", 40), body: { type: "object", description: "JSON body" } },
    ["name"],
  ),
};

/** What is wrong with the arguments of a tool; null where nothing is. */
export function argumentFault({ parameters }: Tool, args: Readonly<Record<string, unknown>>): string | null {
  for (const name of parameters.required) if (own(args, name) === undefined) return `${name} is required.`;
  for (const [name, value] of Object.entries(args)) {
    const parameter = own(parameters.properties, name);
    if (parameter === undefined) return `${name} is unknown.`;
    const fault = valueFault(parameter, value);
    if (fault !== null) return `${name} ${fault}`;
  }
  return null;
}

function valueFault(parameter: Parameter, value: unknown): string | null {
  const { type, minLength = 0, maxLength = Infinity, minimum = -Infinity, maximum = Infinity } = parameter;
  if (type === "object")
    return typeof value === "object" && value !== null && !Array.isArray(value) ? null : "must be an object.";
  if (type === "integer") {
    const fits = Number.isInteger(value) && minimum <= Number(value) && Number(value) <= maximum;
    return fits ? null : `must be a whole number from ${minimum} to ${maximum}.`;
  }
  if (typeof value !== "string" || value.trim().length < minLength || value.length > maxLength)
    return `must be a text of ${minLength} to ${maxLength} characters.`;
  const { enum: values } = parameter;
  return values === undefined || values.includes(value) ? null : `must be one of ${values.join(", ")}.`;
}

/** Whether somebody can decide on the use of a tool before it happens: it does something, and is not the agent's own end. */
export function isApprovable(name: string): boolean {
  const effect = own(TOOLS, name)?.effect;
  return effect === "external" || (effect === "write" && name !== "handoff" && name !== "end");
}

/** What a model is told of the tools that it has. */
export function toolSchemas(policies: Readonly<Record<string, string>>, targets: readonly string[]): ToolSchema[] {
  return Object.entries(TOOLS)
    .filter(([name]) => own(policies, name) !== "off" && (name !== "http_request" || targets.length > 0))
    .map(([name, { description, parameters }]) => ({
      name,
      description: name === "http_request" ? `${description}: ${targets.join(", ")}` : description,
      parameters,
    }));
}
