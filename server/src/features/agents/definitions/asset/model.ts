import type { Fault } from "../../../../kernel/errors.ts";
import { lowerCase } from "../../../../kernel/lower-case.ts";
import { closed } from "../../../../platform/http/shapes.ts";
import { type TSchema, Type } from "../../../../platform/http/type.ts";
import type { Asset, Reference, Spec } from "../../../accounts/configuring/index.ts";
import { type Playbook, playbookFaults, TOOLS } from "../../engine/index.ts";
import { AGENTS_MAX, DEFAULT_LIMITS } from "../model.ts";
import { AgentCreate } from "../schema.ts";
import { VersionContent } from "../versions/schema.ts";

/** What of a version is an account's own: whom it calls, and the model that it asks. */
export const OWN = ["targets", "model"] as const;

const { name, description, mode, limits } = AgentCreate.properties;
const shared = Object.entries<TSchema>(VersionContent.properties).filter(([member]) => !OWN.some((own) => own === member));

const Agent = Type.Object({ name, description, mode, limits, content: Type.Object(Object.fromEntries(shared), closed) }, closed);

type Content = Partial<Pick<VersionContent, "playbook" | "tools" | "knowledge">>;
const contentOf = ({ content }: Spec) => (content ?? {}) as unknown as Content;

/** The rules of agents in snapshots: the published version of each. */
export const agentRules = {
  type: "agent",
  after: ["custom_field", "pipeline", "knowledge_source"],
  spec: Agent,
  complete: ({ name = "", description = null, mode = "autopilot", limits = DEFAULT_LIMITS, content = null }) => ({
    name,
    description,
    mode,
    limits,
    content,
  }),
  keys: null,
  merge: { name: "value", description: "value", mode: "value", limits: "value", content: "value" },
  natural: ({ name }) => lowerCase(String(name)),
  references,
  validate: faultsOf,
  portable: (spec) =>
    spec.content === null
      ? { spec: null, left_out: [`No version of the agent ${spec.name} was published.`] }
      : { spec, left_out: [] },
  builtin: [],
  builtinIds: () => [],
  exclusive: null,
  limit: { max: AGENTS_MAX, group: () => "", archived: false },
  archived_holds_name: false,
} satisfies Partial<Asset>;

const CUSTOM = /\{\{\s*contact\.custom\.([a-z][a-z0-9_]*)/g;

/** The sources that it looks things up in, and the custom fields that its words name. */
function references(spec: Spec): Reference[] {
  const { knowledge = [], playbook } = contentOf(spec);
  const fields = new Set([...(JSON.stringify(playbook) ?? "").matchAll(CUSTOM)].map(([, key]) => key));
  return [
    ...[...fields].map((key) => ({ pointer: "/content/playbook", type: "custom_field", key: `contact.${key}` })),
    ...knowledge.map((key, index) => ({ pointer: `/content/knowledge/${index}`, type: "knowledge_source", key })),
  ];
}

function faultsOf(spec: Spec): Fault[] {
  const { playbook, tools = {} } = contentOf(spec);
  const faults = playbook === undefined ? [] : playbookFaults(playbook as Playbook);
  const unknown = Object.keys(tools).filter((tool) => !Object.hasOwn(TOOLS, tool));
  return [
    ...faults.map((fault) => ({ ...fault, pointer: fault.pointer.replace("#", "/content/playbook") })),
    ...unknown.map((tool): Fault => {
      const pointer = `/content/tools/${tool}`;
      return { in: "body", pointer, code: "unknown_tool", detail: `There is no tool ${tool}.` };
    }),
  ];
}
