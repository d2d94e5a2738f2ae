import { type Fault, fail, within } from "../../../kernel/errors.ts";
import type { Settings } from "../../../platform/record/context.ts";
import { endpointUrl } from "../../outbox/webhooks/index.ts";
import { isApprovable, type Playbook, playbookFaults, TOOLS } from "../engine/index.ts";
import type { VersionContent } from "./versions/schema.ts";

export const AGENT_STATUSES = ["draft", "active", "paused", "archived"] as const;
export type AgentStatus = (typeof AGENT_STATUSES)[number];
export const MODES = ["off", "suggest", "autopilot"] as const;

/** How many agents in use an account has, and how many versions an agent. */
export const AGENTS_MAX = 50;
export const VERSIONS_MAX = 10_000;

export const DEFAULT_LIMITS = { turns_per_session: 50 } as const;

/** What an agent does before its author says anything else: it hands every conversation to a person. */
export const EMPTY_CONTENT: VersionContent = {
  engine: "playbook",
  playbook: { start: "hello", states: { hello: { go: "@handoff" } } },
};

/** What each engine cannot do without. */
const NEEDS = {
  playbook: ["playbook"],
  llm: ["model", "instructions"],
  hybrid: ["playbook", "model"],
} as const satisfies Record<VersionContent["engine"], (keyof VersionContent)[]>;

const fault = (pointer: string, code: string, detail: string): Fault => ({ in: "body", pointer, code, detail });

/** The content of a version, checked, with its addresses in their one form. */
export async function checkedContent(content: VersionContent, settings: Settings): Promise<VersionContent> {
  const { engine, playbook, model, targets } = content;
  const faults = [
    ...NEEDS[engine]
      .filter((member) => content[member] === undefined)
      .map((member) => fault(`#/${member}`, `${member}_required`, `The engine ${engine} needs ${member}.`)),
    ...Object.entries(content.tools ?? {}).flatMap(([name, policy]) => policyFaults(name, policy)),
  ];
  if (faults.length > 0) fail("validation_failed", { faults });
  const checked = { ...content };
  if (targets !== undefined) checked.targets = await within("targets", async () => checkedTargets(targets, settings));
  if (model !== undefined)
    checked.model = await within("model", async () => ({
      ...model,
      base_url: endpointUrl(model.base_url, settings, "base_url"),
    }));
  const broken = playbook === undefined ? [] : playbookFaults(playbook as Playbook);
  if (broken.length === 0) return checked;
  fail("invalid_playbook", { faults: broken.map((one) => ({ ...one, pointer: one.pointer.replace("#", "#/playbook") })) });
}

function policyFaults(name: string, policy: string): Fault[] {
  if (!Object.hasOwn(TOOLS, name)) return [fault(`#/tools/${name}`, "unknown_tool", `There is no tool ${name}.`)];
  if (policy !== "approve" || isApprovable(name)) return [];
  return [fault(`#/tools/${name}`, "not_approvable", `${name} changes nothing that could be approved.`)];
}

type Targets = NonNullable<VersionContent["targets"]>;

function checkedTargets(targets: Targets, settings: Settings): Targets {
  const urls = Object.entries(targets).map(([name, { url }]) => [name, { url: endpointUrl(url, settings, `${name}/url`) }]);
  return Object.fromEntries(urls);
}

export type DiffChange = { path: string; from: unknown; to: unknown };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What differs between two values: members of objects one by one, lists as a whole. */
export function diffValues(from: unknown, to: unknown, equal: (a: never, b: never) => boolean, path = ""): DiffChange[] {
  if (equal(from as never, to as never)) return [];
  if (!isObject(from) || !isObject(to)) return [{ path, from: from ?? null, to: to ?? null }];
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return names.flatMap((name) =>
    diffValues(from[name], to[name], equal, `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`),
  );
}
