import { State, type Tone } from "../../ui/state.tsx";
import type { Deployment, DeploymentDetail, Install, PlanStep, Policy, Snapshot, SnapshotStatus } from "./data.ts";

export const plural = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;

/** In the order in which they are told. */
const TYPES: Record<string, readonly [string, string]> = {
  pipeline: ["pipeline", "pipelines"],
  custom_field: ["custom field", "custom fields"],
  lead_scoring: ["lead scoring", "lead scoring"],
  channel: ["channel", "channels"],
  agent: ["agent", "agents"],
  knowledge_source: ["knowledge source", "knowledge sources"],
  message_template: ["message template", "message templates"],
  tag: ["tag", "tags"],
  saved_view: ["saved view", "saved views"],
};

export const typeName = (type: string, many = false): string => TYPES[type]?.[many ? 1 : 0] ?? type.replaceAll("_", " ");

/** How much there is of each type, in words: "2 pipelines". What there is none of is left out. */
export function typeCounts(counts: Readonly<Record<string, number>>): (readonly [type: string, text: string])[] {
  return Object.keys({ ...TYPES, ...counts }).flatMap((type) => {
    const count = counts[type] ?? 0;
    if (count === 0) return [];
    return [[type, type === "lead_scoring" ? typeName(type) : `${count} ${typeName(type, count !== 1)}`] as const];
  });
}

const listed = new Intl.ListFormat("en-GB");

/** "2 pipelines, 4 custom fields and 1 tag". */
export const countsText = (counts: Readonly<Record<string, number>>) =>
  listed.format(typeCounts(counts).map(([, text]) => text)) || "nothing yet";

const STATUS: Record<SnapshotStatus, Tone> = { draft: "wait", published: "live", deprecated: "ended", archived: "ended" };

export function SnapshotState({ snapshot: { status } }: { snapshot: Pick<Snapshot, "status"> }) {
  return <State tone={STATUS[status]}>{status}</State>;
}

const DEPLOYED: Record<Deployment["status"], Tone> = {
  queued: "wait",
  succeeded: "live",
  partial: "wait",
  unchanged: "ended",
  skipped: "ended",
  failed: "bad",
  cancelled: "ended",
  planned: "ended",
  rolled_back: "ended",
};

export function DeploymentState({ status }: Pick<Deployment, "status">) {
  return <State tone={DEPLOYED[status]}>{status.replaceAll("_", " ")}</State>;
}

/** Whether the client has changed what the snapshot brought. */
export function Drift({ install: { drift, differences } }: { install: Pick<Install, "drift" | "differences"> }) {
  if (drift === "none") return <State tone="live">as deployed</State>;
  const of = (kind: "modified" | "missing") => differences.filter((one) => one.drift === kind).length;
  const parts = [
    of("modified") > 0 ? `${of("modified")} changed here` : "",
    of("missing") > 0 ? `${of("missing")} removed here` : "",
  ].filter(Boolean);
  return <State tone="wait">{parts.join(", ") || drift}</State>;
}

export const POLICIES: readonly { value: Policy; label: string; note: string }[] = [
  { value: "merge", label: "Merge", note: "What the client changed stays; everything else is updated." },
  { value: "skip", label: "Skip what was changed", note: "Whatever the client has touched is left as a whole." },
  { value: "overwrite", label: "Overwrite", note: "The snapshot wins, also over what the client changed." },
  { value: "fail", label: "Stop at a conflict", note: "Nothing is written unless all of it can be." },
];

export const ACTIONS: Record<PlanStep["action"], string> = {
  create: "add",
  update: "change",
  remove: "remove",
  revive: "bring back",
  adopt: "take over",
  keep: "leave",
};

type Changes = NonNullable<DeploymentDetail["counts"]>;

/** "2 added, 1 changed" of a plan. */
export function changesText({ create, update, remove }: Pick<Changes, "create" | "update" | "remove">): string {
  const parts = [create && `${create} added`, update && `${update} changed`, remove && `${remove} removed`];
  return parts.filter(Boolean).join(", ") || "Nothing changes";
}

/** "/stages/offer/name" as people read it. */
export const pathText = (path: string) => path.replace(/^\//, "").replaceAll("/", " › ").replaceAll("_", " ") || "whole";

/** A value of a manifest in a line. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (value === "") return "empty";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(valueText).join(", ");
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "object") return String(value);
  const { name, label, text } = value as Record<string, unknown>;
  return String(name ?? label ?? text ?? JSON.stringify(value));
}
