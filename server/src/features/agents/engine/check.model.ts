import type { Fault } from "../../../kernel/errors.ts";
import { placeholdersIn } from "../../../kernel/placeholders.ts";
import { listens } from "./conditions.model.ts";
import { DEPTH_MAX, END, HANDOFF, OPERATORS, own, type Playbook, type Rule, type Slot, type State } from "./model.ts";
import { argumentFault, TOOLS, type Tool } from "./tools.model.ts";
import { phraseWords } from "./words.model.ts";

const FAULTS_MAX = 50;
const PHRASE_MAX = 100;
/** What placeholders can stand for, besides slots, results of tools and variables. */
export const VALUES = [
  "agent.name",
  "account.name",
  "contact.name",
  "contact.first_name",
  "contact.phone",
  "contact.email",
  "contact.company",
] as const;

/** Escapes a name for a JSON pointer. */
const part = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");

/**
 * What is wrong with a playbook whose members have the right types: names that do not exist, states that nothing leads to, and loops in
 * which nobody is asked anything. Pointers are relative to the playbook.
 */
export function playbookFaults(playbook: Playbook): Fault[] {
  const check = createCheck(playbook);
  const { states, slots = {}, interrupts = [], fallback } = playbook;
  check.target("/start", playbook.start, false);
  for (const [name, slot] of Object.entries(slots)) checkSlot(check, `/slots/${part(name)}`, slot);
  for (const [name, state] of Object.entries(states)) checkState(check, `/states/${part(name)}`, state);
  check.rules("/interrupts", interrupts);
  if (fallback !== undefined) {
    check.words("/fallback/say", fallback.say);
    check.target("/fallback/go", fallback.go);
  }
  if (check.faults.length === 0) checkPaths(check, playbook);
  return check.faults.slice(0, FAULTS_MAX);
}

type Check = ReturnType<typeof createCheck>;

function createCheck({ states, slots }: Playbook) {
  const faults: Fault[] = [];
  const refuse = (path: string, code: string, detail: string): undefined => {
    faults.push({ in: "body", pointer: `#${path}`, code, detail });
  };
  const target = (path: string, go: string, ends = true) => {
    if (own(states, go) !== undefined || (ends && (go === HANDOFF || go === END))) return;
    refuse(path, "unknown_state", `${go} is no state${ends ? `, ${HANDOFF} or ${END}` : ""}.`);
  };
  const slotNamed = (path: string, name: string) => {
    if (own(slots, name) === undefined) refuse(path, "unknown_slot", `${name} is no slot.`);
  };
  const placeholders = (path: string, text: string) => {
    for (const name of placeholdersIn(text)) {
      const [of, first = ""] = (name ?? "").split(".");
      const known =
        (VALUES as readonly string[]).includes(name ?? "") ||
        (of === "slot" && own(slots, first) !== undefined) ||
        (of === "result" && own(TOOLS, first) !== undefined) ||
        /^(vars|contact\.custom)\.[a-z][a-z0-9_]{0,39}$/.test(name ?? "");
      if (!known) refuse(path, "unknown_placeholder", `{{${name ?? ""}}} is no placeholder that a playbook knows.`);
    }
  };
  const words = (path: string, say: string | readonly string[]) => {
    if (typeof say === "string") placeholders(path, say);
    else for (const [index, variant] of say.entries()) placeholders(`${path}/${index}`, variant);
  };
  const check = {
    faults,
    refuse,
    target,
    slotNamed,
    placeholders,
    words,
    rules(path: string, rules: readonly Rule[]) {
      for (const [index, { when, say, go }] of rules.entries()) {
        checkCondition(check, `${path}/${index}/when`, when, 1);
        if (say !== undefined) words(`${path}/${index}/say`, say);
        target(`${path}/${index}/go`, go);
      }
    },
  };
  return check;
}

function checkSlot(check: Check, path: string, { type, choices = [], min, max, ask, retry }: Slot): void {
  if (type === "choice" && choices.length === 0) check.refuse(`${path}/choices`, "required", "A choice needs its choices.");
  for (const [index, choice] of choices.entries()) checkPhrase(check, `${path}/choices/${index}`, choice);
  if (min !== undefined && max !== undefined && min > max)
    check.refuse(`${path}/min`, "empty_range", `${min} is greater than ${max}.`);
  check.words(`${path}/ask`, ask);
  if (retry !== undefined) check.words(`${path}/retry`, retry);
}

function checkState(check: Check, path: string, state: State): void {
  if (state.say !== undefined) check.words(`${path}/say`, state.say);
  for (const [index, name] of (state.collect ?? []).entries()) check.slotNamed(`${path}/collect/${index}`, name);
  for (const [index, { tool, args = {} }] of (state.do ?? []).entries()) {
    const known = own(TOOLS, tool);
    if (known === undefined) check.refuse(`${path}/do/${index}/tool`, "unknown_tool", `There is no tool ${tool}.`);
    else checkArguments(check, `${path}/do/${index}/args`, known, args);
  }
  check.rules(`${path}/branch`, state.branch ?? []);
  check.target(`${path}/go`, state.go);
}

/** Arguments with placeholders are known when they are used; names and fixed values now. */
function checkArguments(check: Check, path: string, tool: Tool, args: Record<string, unknown>): void {
  const fixed = Object.entries(args).filter(([, value]) => !JSON.stringify(value).includes("{{"));
  const known = { ...tool, parameters: { ...tool.parameters, required: [] } };
  for (const name of tool.parameters.required)
    if (own(args, name) === undefined) check.refuse(path, "required", `${name} is required.`);
  for (const name of Object.keys(args))
    if (own(tool.parameters.properties, name) === undefined)
      check.refuse(`${path}/${part(name)}`, "unknown_argument", `${name} is unknown.`);
  for (const [name, value] of fixed) {
    const fault = own(tool.parameters.properties, name) === undefined ? null : argumentFault(known, { [name]: value });
    if (fault !== null) check.refuse(`${path}/${part(name)}`, "invalid_argument", fault);
  }
  visitTexts(path, args, check.placeholders);
}

function visitTexts(path: string, value: unknown, visit: (path: string, text: string) => void): void {
  if (typeof value === "string") visit(path, value);
  else if (typeof value === "object" && value !== null)
    for (const [name, inner] of Object.entries(value)) visitTexts(`${path}/${part(name)}`, inner, visit);
}

const FORMS = ["match", "slot", "hours", "all", "any", "not"] as const;

/** A condition comes as its author wrote it, so its form is checked, too. */
function checkCondition(check: Check, path: string, condition: unknown, depth: number): undefined {
  const given = (typeof condition === "object" && condition !== null ? condition : {}) as Record<string, unknown>;
  const [form, ...others] = FORMS.filter((name) => name in given);
  const refuse = (detail: string) => check.refuse(path, "invalid_condition", detail);
  if (form === undefined || others.length > 0) return refuse(`A condition has one of ${FORMS.join(", ")}.`);
  if (depth > DEPTH_MAX) return refuse(`Conditions are nested at most ${DEPTH_MAX} levels deep.`);
  const extra = Object.keys(given).filter((name) => name !== form && !(form === "slot" && ["op", "value"].includes(name)));
  if (extra.length > 0) return refuse(`${extra[0]} is no member of a condition with ${form}.`);
  const value = given[form];
  if (form === "not") return checkCondition(check, `${path}/not`, value, depth + 1);
  if (form === "hours") return value === "open" || value === "closed" ? undefined : refuse("hours is open or closed.");
  if (form === "slot") return checkComparison(check, path, given);
  if (!Array.isArray(value) || value.length === 0 || value.length > 50) return refuse(`${form} is a list of 1 to 50.`);
  for (const [index, item] of value.entries()) {
    if (form === "match") checkPhrase(check, `${path}/match/${index}`, item);
    else checkCondition(check, `${path}/${form}/${index}`, item, depth + 1);
  }
}

function checkPhrase(check: Check, path: string, phrase: unknown): void {
  const fits = typeof phrase === "string" && phrase.length <= PHRASE_MAX && phraseWords(phrase).some((word) => word !== "*");
  if (!fits) check.refuse(path, "invalid_phrase", `A phrase has a word, and at most ${PHRASE_MAX} characters.`);
}

function checkComparison(check: Check, path: string, { slot, op, value }: Record<string, unknown>): undefined {
  check.slotNamed(`${path}/slot`, String(slot));
  if (!(OPERATORS as readonly unknown[]).includes(op))
    return check.refuse(`${path}/op`, "invalid_condition", `op is one of ${OPERATORS.join(" ")}.`);
  const scalar = (one: unknown) => ["string", "number", "boolean"].includes(typeof one);
  const fits = op === "filled" ? value === undefined : op === "in" ? Array.isArray(value) && value.every(scalar) : scalar(value);
  if (!fits) check.refuse(`${path}/value`, "invalid_condition", `The value does not fit ${op}.`);
}

/** Where a state leads. */
const targetsOf = ({ branch = [], go }: State) => [...branch.map((rule) => rule.go), go];

/** Names states that nothing leads to, and loops in which nobody is asked anything. */
function checkPaths(check: Check, { start, states, interrupts = [], fallback }: Playbook): void {
  const reached = new Set<string>();
  const visit = (name: string) => {
    const state = own(states, name);
    if (state === undefined || reached.has(name)) return;
    reached.add(name);
    for (const target of targetsOf(state)) visit(target);
  };
  for (const name of [start, ...interrupts.map(({ go }) => go), ...(fallback === undefined ? [] : [fallback.go])]) visit(name);
  for (const [name, state] of Object.entries(states)) {
    const path = `/states/${part(name)}`;
    if (!reached.has(name)) check.refuse(path, "unreachable_state", `Nothing leads to the state ${name}.`);
    else if (isLoop(states, name, state)) check.refuse(path, "endless_loop", `${name} leads back to itself without a question.`);
  }
}

const asks = (state: State) => listens(state) || (state.collect ?? []).length > 0;

/** Whether a state leads back to itself through states that ask nothing. */
function isLoop(states: Playbook["states"], name: string, state: State): boolean {
  if (asks(state)) return false;
  const seen = new Set<string>();
  const open = targetsOf(state);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === name) return true;
    const through = own(states, next);
    if (through === undefined || seen.has(next) || asks(through)) continue;
    seen.add(next);
    open.push(...targetsOf(through));
  }
  return false;
}
