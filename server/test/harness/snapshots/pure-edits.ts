import fc from "fast-check";
import type { Live, Spec, Value } from "../../../src/features/accounts/configuring/index.ts";
import type { PureAccount } from "./pure-account.ts";

/** What somebody does in an account. Numbers choose among what is there; what is impossible there does nothing. */
export type Edit = { what: (typeof WHATS)[number]; a: number; b: number; text: string };

const WHATS = [
  "label",
  "group",
  "options",
  "archive",
  "unarchive",
  "make_field",
  "make_board",
  "rename_board",
  "make_default",
  "rename_stage",
  "need",
  "add_stage",
  "drop_stage",
  "move_stage",
  "add_rule",
  "drop_rule",
  "points",
  "use",
] as const;

export const edit: fc.Arbitrary<Edit> = fc.record({
  what: fc.constantFrom(...WHATS),
  a: fc.nat(5),
  b: fc.nat(5),
  text: fc.constantFrom("a", "b", "New", "Offer", "Extra", "Sales", "Care", "Own"),
});
export const edits = fc.array(edit, { maxLength: 6 });

const at = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(list.length, 1)];
const toggled = (list: Value | undefined, text: string): string[] => {
  const set = new Set(list as readonly string[]);
  if (!set.delete(text)) set.add(text);
  return [...set].sort();
};

/** Does an edit in an account, if the account allows it. */
export function doEdit(account: PureAccount, edit: Edit): void {
  const before = account.copy();
  tryEdit(account, edit);
  try {
    account.check();
  } catch {
    account.restore(before);
  }
}

function tryEdit(account: PureAccount, change: Edit): void {
  const { what, a, text } = change;
  const { field = [], board = [], scoring = [] } = account.live();
  const archived = ["field", "board"].flatMap((type) => account.recordsOf(type)).filter((one) => one.archived);
  const archivable = [...field, ...board].filter(({ id, spec }) => spec.is_default !== true && !account.used.has(id));
  const usable = board.flatMap(({ id, parts }) => [id, ...parts]);
  if (what === "make_field") account.make("field", `${"cd"[a % 2]}.${text[0]?.toLowerCase()}`, NEW_FIELD);
  else if (what === "make_board") account.make("board", null, newBoard(text));
  else if (what === "archive") set(at(archivable, a), { archived: true });
  else if (what === "unarchive") set(at(archived, a), { archived: false });
  else if (what === "use") account.used.add(at(usable, a) ?? "");
  else if (what === "label" || what === "group" || what === "options") editField(at(field, a), change);
  else if (what.endsWith("rule") || what === "points") editScoring(at(scoring, 0), change);
  else editBoard(account, change);
}

const NEW_FIELD = { label: "Own", kind: "text", options: [], groups: [] };
const newBoard = (name: string) => ({
  name,
  is_default: false,
  stages: [
    { name: "New", kind: "open", needs: [] },
    { name: "Ready", kind: "done", needs: [] },
  ],
});

function set(record: Live | undefined, change: Partial<Live>): void {
  if (record !== undefined) Object.assign(record, change);
}

function editSpec(record: Live | undefined, change: (spec: Spec) => Spec): void {
  if (record !== undefined) Object.assign(record, { spec: change(record.spec) });
}

function editField(record: Live | undefined, { what, a, b, text }: Edit): void {
  if (what === "label") editSpec(record, (spec) => ({ ...spec, label: text }));
  if (what === "group") editSpec(record, (spec) => ({ ...spec, groups: toggled(spec.groups, text) }));
  if (what === "options")
    editSpec(record, (spec) => {
      const options = (spec.options as string[]).filter((option) => option !== text);
      const had = options.length < (spec.options as string[]).length;
      return { ...spec, options: had && b % 2 === 0 ? options : options.toSpliced(a, 0, text).slice(0, 4) };
    });
}

function editScoring(record: Live | undefined, { what, a, text }: Edit): void {
  editSpec(record, (spec) => {
    const rules = spec.rules as Spec[];
    const next =
      what === "add_rule"
        ? [...rules, { name: text, field: "mail", points: a }].slice(0, 4)
        : what === "drop_rule"
          ? rules.toSpliced(a % Math.max(rules.length, 1), 1)
          : rules.map((rule, index) => (index === a % rules.length ? { ...rule, points: 77 + a } : rule));
    return { rules: next.sort((x, y) => (JSON.stringify(x) < JSON.stringify(y) ? -1 : 1)) };
  });
}

function editBoard(account: PureAccount, { what, a, b, text }: Edit): void {
  const boards = account.live().board ?? [];
  const board = at(boards, a);
  if (board === undefined) return;
  const stages = board.spec.stages as Spec[];
  const place = b % stages.length;
  const save = (list: Spec[], parts: string[]) => set(board, { spec: { ...board.spec, stages: list }, parts });
  const change = (more: Spec) =>
    save(
      stages.map((stage, index) => (index === place ? { ...stage, ...more } : stage)),
      [...board.parts],
    );
  if (what === "rename_board") editSpec(board, (spec) => ({ ...spec, name: text }));
  if (what === "make_default") for (const one of boards) editSpec(one, (spec) => ({ ...spec, is_default: one === board }));
  if (what === "rename_stage") change({ name: text });
  if (what === "need") change({ needs: toggled(stages[place]?.needs, text) });
  if (what === "add_stage" && stages.length < 6) {
    const stage = { name: text, kind: b % 2 === 0 ? "open" : "done", needs: [] };
    save(stages.toSpliced(place, 0, stage), board.parts.toSpliced(place, 0, account.newId()));
  }
  if (what === "drop_stage" && !account.used.has(board.parts[place] ?? ""))
    save(stages.toSpliced(place, 1), board.parts.toSpliced(place, 1));
  if (what === "move_stage")
    save([...stages.slice(1), ...stages.slice(0, 1)], [...board.parts.slice(1), ...board.parts.slice(0, 1)]);
}
