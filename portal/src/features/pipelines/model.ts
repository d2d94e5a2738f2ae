import type { Pipeline, PipelinePatch, Stage, StageInput, StageType } from "./data.ts";

/** A stage as the editor has it; one without an id is new. */
export type DraftStage = {
  key: string;
  id?: string;
  name: string;
  type: StageType;
  probability: number | string;
  target_days: number | string;
  required_fields: string[];
};
export type Draft = { name: string; rules: Pipeline["rules"]; stages: DraftStage[] };

export const draftOf = ({ name, rules, stages }: Pipeline): Draft => ({
  name,
  rules,
  stages: stages.map((stage) => ({ ...stage, key: stage.id, target_days: stage.target_days ?? "" })),
});

export function newStage(type: StageType): DraftStage {
  const probability = type === "won" ? 100 : type === "lost" ? 0 : 50;
  return { key: crypto.randomUUID(), name: "", type, probability, target_days: "", required_fields: [] };
}

const inputOf = ({ key: _, probability, target_days, ...stage }: DraftStage): StageInput => ({
  ...stage,
  name: stage.name.trim(),
  ...(probability === "" ? {} : { probability: Number(probability) }),
  target_days: target_days === "" ? null : Number(target_days),
});

/** What differs from the pipeline as it is. */
export function patchOf(pipeline: Pipeline, { name, rules, stages }: Draft): PipelinePatch {
  const before = draftOf(pipeline);
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  return {
    ...(name === before.name ? {} : { name: name.trim() }),
    ...(same(rules, before.rules) ? {} : { rules }),
    ...(same(stages.map(inputOf), before.stages.map(inputOf)) ? {} : { stages: stages.map(inputOf) }),
  };
}

export type Change = { key: string; text: string; tone?: "wait" };
type Use = readonly { stage_id: string; deals: number }[];

const many = (count: number, noun: string) => `${count === 0 ? "no" : count} ${noun}${count === 1 ? "" : "s"}`;

/** What saving would do, in words, with the deals that it concerns. */
export function changesOf(pipeline: Pipeline, draft: Draft, use: Use): Change[] {
  const dealsIn = (id: string | undefined) => use.find(({ stage_id }) => stage_id === id)?.deals ?? 0;
  const changes: Change[] = [];
  if (draft.name !== pipeline.name) changes.push({ key: "name", text: `${pipeline.name} is called ${draft.name}.` });
  for (const stage of draft.stages) {
    const before = pipeline.stages.find(({ id }) => id === stage.id);
    if (before === undefined) changes.push({ key: stage.key, text: `${stage.name || "A stage"} is new, and empty.` });
    else changes.push(...changesOfStage(before, stage, dealsIn(stage.id)));
  }
  for (const stage of removedStages(pipeline, draft)) {
    const deals = dealsIn(stage.id);
    changes.push({
      key: `gone ${stage.id}`,
      text: `${stage.name} is archived, with ${many(deals, "deal")} in it.`,
      tone: "wait",
    });
  }
  const order = (stages: readonly { id?: string }[]) =>
    stages
      .flatMap(({ id }) => id ?? [])
      .filter((id) => kept(draft, id))
      .join();
  if (order(pipeline.stages) !== order(draft.stages)) {
    changes.push({ key: "order", text: "The stages have another order. No deal moves." });
  }
  return [...changes, ...changesOfRules(pipeline, draft)];
}

const kept = ({ stages }: Draft, id: string) => stages.some((stage) => stage.id === id);

export const removedStages = ({ stages }: Pipeline, draft: Draft): Stage[] => stages.filter(({ id }) => !kept(draft, id));

function changesOfStage(before: Stage, after: DraftStage, deals: number): Change[] {
  const changes: Change[] = [];
  const add = (what: string, text: string) => changes.push({ key: `${before.id} ${what}`, text });
  if (after.name !== before.name) add("name", `${before.name} is called ${after.name}, with its ${many(deals, "deal")}.`);
  if (String(before.target_days ?? "") !== String(after.target_days))
    add(
      "target",
      after.target_days === "" ? `${after.name} has no target.` : `${after.name} should take at most ${after.target_days} days.`,
    );
  if (Number(after.probability) !== before.probability)
    add(
      "probability",
      `${many(deals, "deal")} in ${after.name} count with ${after.probability}% instead of ${before.probability}%.`,
    );
  const added = after.required_fields.filter((field) => !before.required_fields.includes(field));
  if (added.length > 0)
    add("asks", `${after.name} asks for ${fieldNames(added)}. The ${many(deals, "deal")} already there stay.`);
  const dropped = before.required_fields.filter((field) => !after.required_fields.includes(field));
  if (dropped.length > 0) add("asks no more", `${after.name} no longer asks for ${fieldNames(dropped)}.`);
  return changes;
}

export const RULES = [
  ["no_skip", "No stage is skipped", "Deals move forward one open stage at a time, and are won from the last one"],
  ["no_way_back", "No way back", "Deals neither return to a previous stage nor reopen"],
  ["require_lost_reason", "A loss has a reason", "A deal needs a reason to be lost"],
] as const;

function changesOfRules({ rules }: Pipeline, draft: Draft): Change[] {
  return RULES.filter(([rule]) => rules[rule] !== draft.rules[rule]).map(([rule, name]) => ({
    key: rule,
    text: `“${name}” ${draft.rules[rule] ? "holds for moves from now on" : "no longer holds"}.`,
  }));
}

/** Fields that a stage can ask for, as people say them. */
const REQUIRABLE: Readonly<Record<string, string>> = {
  amount_cents: "amount",
  expected_close_on: "closing date",
  contact_id: "contact of the CRM",
  owner_id: "owner",
  company: "company",
  company_domain: "domain",
  contact: "contact person",
  plan: "plan",
  mrr_cents: "monthly revenue",
  notes: "notes",
  tags: "tags",
};

/** The choices of a stage: the fields above, and the custom ones of the account by their keys. */
export const requirable = (custom: readonly string[]) => [
  ...Object.entries(REQUIRABLE).map(([value, label]) => ({ value, label })),
  ...custom.map((key) => ({ value: key, label: key })),
];

const fieldNames = (fields: readonly string[]) => fields.map((field) => REQUIRABLE[field] ?? field).join(", ");
