import type { Fault } from "../../../../kernel/errors.ts";
import { lowerCase } from "../../../../kernel/lower-case.ts";
import type { Asset, Spec } from "../../configuring/index.ts";
import {
  FIRST_PIPELINE,
  FIRST_STAGES,
  firstPipelineId,
  firstStageId,
  NO_RULES,
  PIPELINES_MAX,
  probabilityOf,
  type Rules,
  type Stage,
  type StageInput,
  stageFaults,
} from "../model.ts";
import { PipelineSpec as PipelineSchema } from "../schema.ts";

/** A stage as a manifest has it. In an account it has an id instead of the key. */
export type StageSpec = Spec & Omit<Stage, "id"> & { key?: string };
export type PipelineSpec = Spec & { name: string; is_default: boolean; rules: Rules; stages: StageSpec[] };

const CUSTOM = "custom.";
/** Fields of sales, which only the partner's own account has. */
const OF_SALES = ["plan", "mrr_cents"];
const isOfSales = (field: string) => OF_SALES.includes(field);

function complete(spec: Spec): PipelineSpec {
  const { stages, rules, ...given } = spec as Spec & { name: string; rules?: Partial<Rules>; stages: (StageInput & Spec)[] };
  return {
    is_default: false,
    ...given,
    rules: { ...NO_RULES, ...rules },
    stages: stages.map((stage) => ({
      probability: probabilityOf(stages, stage),
      target_days: null,
      ...stage,
      required_fields: (stage.required_fields ?? []).toSorted(),
    })),
  };
}

/** Every required field, with its place. */
function requiredFields(spec: Spec): { pointer: string; field: string }[] {
  return (spec as PipelineSpec).stages.flatMap(({ required_fields }, stage) =>
    required_fields.map((field, index) => ({ pointer: `/stages/${stage}/required_fields/${index}`, field })),
  );
}

/** What the schema cannot say. Stages are those of the version before by their keys, as by their ids in an account. */
function validate(spec: Spec, previous: Spec | null): Fault[] {
  const before = previous === null ? [] : (previous as PipelineSpec).stages;
  const { stages } = spec as PipelineSpec;
  const current = before.map(({ key = "", type }) => ({ id: key, type }));
  const input = stages.map(({ key, ...stage }): StageInput => {
    const known = current.some(({ id }) => id === key);
    return key !== undefined && known ? { ...stage, id: key } : stage;
  });
  const faults = stageFaults(current, input, () => true).map((fault) => ({ ...fault, pointer: fault.pointer.replace("#", "") }));
  for (const [index, { key }] of stages.entries()) {
    if (key === undefined || stages.findIndex((stage) => stage.key === key) === index) continue;
    faults.push({
      in: "body",
      pointer: `/stages/${index}/key`,
      code: "duplicate_key",
      detail: `Two stages have the key ${key}.`,
    });
  }
  for (const { pointer, field } of requiredFields(spec)) {
    if (isOfSales(field))
      faults.push({ in: "body", pointer, code: "only_of_sales", detail: `Only sales of the partner have ${field}.` });
  }
  return faults;
}

export const pipelineRules = {
  type: "pipeline",
  after: ["custom_field"],
  spec: PipelineSchema,
  complete,
  keys: null,
  merge: {
    name: "value",
    is_default: "value",
    rules: "value",
    stages: {
      name: (stage) => lowerCase((stage as StageSpec).name),
      ordered: true,
      parts: true,
      members: { name: "value", type: "fixed", probability: "value", required_fields: "set", target_days: "value" },
    },
  },
  natural: ({ name }) => lowerCase(String(name)),
  references: (spec) =>
    requiredFields(spec)
      .filter(({ field }) => field.startsWith(CUSTOM))
      .map(({ pointer, field }) => ({ pointer, type: "custom_field", key: `deal.${field.slice(CUSTOM.length)}` })),
  validate,
  portable(spec) {
    const { stages, ...rest } = spec as PipelineSpec;
    const left_out = stages.flatMap(({ name, required_fields }) =>
      required_fields
        .filter(isOfSales)
        .map((field) => `The stage ${name} requires ${field}, which only sales of the partner have.`),
    );
    const kept = stages.map((stage) => ({
      ...stage,
      required_fields: stage.required_fields.filter((field) => !isOfSales(field)),
    }));
    return { spec: { ...rest, stages: kept }, left_out };
  },
  builtin: [complete({ ...FIRST_PIPELINE, stages: FIRST_STAGES } as unknown as Spec)],
  builtinIds: (account_id) => [firstPipelineId(account_id), ...FIRST_STAGES.map((_, index) => firstStageId(account_id, index))],
  exclusive: "is_default",
  limit: { max: PIPELINES_MAX, group: () => "", archived: false },
  archived_holds_name: false,
} satisfies Partial<Asset>;
