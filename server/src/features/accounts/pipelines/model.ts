import { type Fault, fail } from "../../../kernel/errors.ts";
import { PREFIXES } from "../../../kernel/ids.ts";
import { lowerCase } from "../../../kernel/lower-case.ts";
import type { Account } from "../custom-fields/index.ts";

export const STAGE_TYPES = ["open", "won", "lost"] as const;
export type StageType = (typeof STAGE_TYPES)[number];

export type Stage = {
  id: string;
  name: string;
  type: StageType;
  probability: number;
  required_fields: string[];
  target_days: number | null;
};

/** Which moves a pipeline allows. */
export type Rules = { no_skip: boolean; no_way_back: boolean; require_lost_reason: boolean };
export const NO_RULES: Rules = { no_skip: false, no_way_back: false, require_lost_reason: false };

/** A pipeline as the API shows it, with its stages in order and its JSON. */
export type Pipeline = {
  id: string;
  account_id: string;
  name: string;
  is_default: boolean;
  rules: Rules;
  stages: Stage[];
  archived: boolean;
  version: number;
  json: string;
};

/** What a caller may change of a pipeline besides its stages: the columns of the update. */
export const PIPELINE_FIELDS = ["name", "is_default", "rules", "archived"] as const satisfies (keyof Pipeline)[];

export const STAGES_MAX = 50;
export const PIPELINES_MAX = 100;

/** The fields of a deal that a stage can require, besides `custom.<key>`. */
export const REQUIRABLE = [
  "amount_cents",
  "expected_close_on",
  "contact_id",
  "owner_id",
  "company",
  "company_domain",
  "contact",
  "plan",
  "mrr_cents",
  "notes",
  "tags",
] as const;

/** The pipeline of a new account, and the default stages of any other. */
export const FIRST_PIPELINE = { name: "Sales", is_default: true, rules: NO_RULES };
export const FIRST_STAGES: StageInput[] = [
  { name: "New", type: "open", probability: 10 },
  { name: "Qualified", type: "open", probability: 25 },
  { name: "Proposal", type: "open", probability: 50 },
  { name: "Negotiation", type: "open", probability: 75 },
  { name: "Won", type: "won" },
  { name: "Lost", type: "lost" },
];

/**
 * The id of an account's first pipeline. It is made from the account's, so that a list of pipelines is in the order of the accounts,
 * whenever they were first used.
 */
export function firstPipelineId(account_id: string): string {
  return `${PREFIXES.pipeline}_${account_id.slice(PREFIXES.client.length + 1)}`;
}

/** The ids of its stages, which are known before they are created, too. */
export function firstStageId(account_id: string, index: number): string {
  return `${PREFIXES.stage}_${account_id.slice(PREFIXES.client.length + 1, -1)}${index}`;
}

export type StageInput = Partial<Stage> & Pick<Stage, "name" | "type">;

const CLOSED_PROBABILITY: Partial<Record<StageType, number>> = { won: 100, lost: 0 };

/** The default probabilities of open stages rise in equal steps. */
export function probabilityOf(stages: readonly StageInput[], stage: StageInput): number {
  const open = stages.filter(({ type }) => type === "open");
  return CLOSED_PROBABILITY[stage.type] ?? Math.round((100 * (open.indexOf(stage) + 1)) / (open.length + 1));
}

/** The stages after a change, in the order of the input: one with an id keeps its settings, one without is new. */
export function stagesAfter(current: readonly Stage[], input: readonly StageInput[], makeId: () => string): Stage[] {
  return input.map((stage) => ({
    probability: probabilityOf(input, stage),
    required_fields: [],
    target_days: null,
    ...current.find(({ id }) => id === stage.id),
    ...stage,
    id: stage.id ?? makeId(),
  }));
}

/** Refuses an invalid list of stages, with all its faults. */
export function validateStages(current: readonly Stage[], input: readonly StageInput[], fields: Account["fields"]): void {
  const known = new Set(fields.map(({ key }) => `custom.${key}`));
  const faults = stageFaults(current, input, (field) => known.has(field));
  if (faults.length > 0) fail("validation_failed", { detail: faults[0]?.detail ?? "", faults: faults.slice(0, 50) });
}

type Identified = Pick<Stage, "id" | "type">;

/** The faults of a list of stages, by pointers into what has it. */
export function stageFaults(
  current: readonly Identified[],
  input: readonly StageInput[],
  isField: (custom: string) => boolean,
): Fault[] {
  const faults: Fault[] = [];
  const refuse = (pointer: string, code: string, detail: string) => faults.push({ in: "body", pointer, code, detail });
  for (const type of STAGE_TYPES) {
    if (!input.some((stage) => stage.type === type))
      refuse("#/stages", "stage_missing", `A pipeline needs at least one ${type} stage.`);
  }
  const names = input.map(({ name }) => lowerCase(name));
  const ids = input.map(({ id }) => id);
  for (const [index, { id, name, type, probability, required_fields = [] }] of input.entries()) {
    const at = `#/stages/${index}`;
    const existing = current.find((stage) => stage.id === id);
    if (names.indexOf(lowerCase(name)) < index) refuse(`${at}/name`, "duplicate_stage", `Two stages have the name ${name}.`);
    if (id !== undefined && ids.indexOf(id) < index) refuse(`${at}/id`, "duplicate_stage", `Two stages have the id ${id}.`);
    if (id !== undefined && existing === undefined)
      refuse(`${at}/id`, "unknown_stage", `The stage ${id} was not found in this pipeline.`);
    if (existing !== undefined && existing.type !== type)
      refuse(`${at}/type`, "type_stays", `The type of ${name} cannot change from ${existing.type}. Add another stage instead.`);
    const fixed = CLOSED_PROBABILITY[type];
    if (fixed !== undefined && (probability ?? fixed) !== fixed)
      refuse(`${at}/probability`, "fixed_by_type", `The probability of a ${type} stage is ${fixed}.`);
    for (const field of required_fields) {
      if (field.startsWith("custom.") && !isField(field))
        refuse(`${at}/required_fields`, "unknown_custom_field", `${field} is not a custom field of this account's deals.`);
    }
  }
  return faults;
}

/** The stage of a pipeline with an id or a name, ignoring the case of the name. */
export function stageNamed(pipeline: Pipeline, id_or_name: string): Stage | undefined {
  return pipeline.stages.find(({ id, name }) => id === id_or_name || lowerCase(name) === lowerCase(id_or_name));
}
