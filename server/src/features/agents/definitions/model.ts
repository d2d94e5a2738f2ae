import { fail, within } from "../../../kernel/errors.ts";
import type { Settings } from "../../../platform/record/context.ts";
import { endpointUrl } from "../../outbox/webhooks/index.ts";
import { type Playbook, playbookFaults, TOOLS } from "../engine/index.ts";
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

/** The content of a version, checked, with its addresses in their one form. */
export async function checkedContent(content: VersionContent, settings: Settings): Promise<VersionContent> {
  const unknown = Object.keys(content.tools ?? {}).filter((name) => !Object.hasOwn(TOOLS, name));
  if (unknown.length > 0) {
    const faults = unknown.map((name) => ({
      in: "body" as const,
      pointer: `#/tools/${name}`,
      code: "unknown_tool",
      detail: `There is no tool ${name}.`,
    }));
    fail("validation_failed", { faults });
  }
  const targets = await within("targets", async () =>
    Object.fromEntries(
      Object.entries(content.targets ?? {}).map(([name, { url }]) => [name, { url: endpointUrl(url, settings, `${name}/url`) }]),
    ),
  );
  const faults = playbookFaults(content.playbook as Playbook).map((fault) => ({
    ...fault,
    pointer: fault.pointer.replace("#", "#/playbook"),
  }));
  if (faults.length > 0) fail("invalid_playbook", { faults });
  return content.targets === undefined ? content : { ...content, targets };
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
