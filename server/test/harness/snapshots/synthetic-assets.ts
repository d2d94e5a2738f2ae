import type { Asset, Reference, Spec, Value } from "../../../src/features/accounts/configuring/index.ts";
import type { Fault } from "../../../src/kernel/errors.ts";
import { Type } from "../../../src/platform/http/type.ts";

const fault = (pointer: string, code: string, detail: string): Fault => ({ in: "body", pointer, code, detail });
const never = () => Promise.reject(new Error("The pure tests have no database."));
const io = { look: never, read: never, blocked: never, apply: never };
const closed = { additionalProperties: false };
const Text = Type.String({ minLength: 1, maxLength: 40 });
const texts = (value: Value | undefined) => (value ?? []) as readonly string[];
const sorted = (value: Value | undefined) => [...texts(value)].sort();

/** Records with keys of their own, and members of every simple kind. An archived one keeps its key. */
export const FIELD: Asset = {
  ...io,
  type: "field",
  after: [],
  keys: /^[a-z]\.[a-z]$/,
  spec: Type.Object(
    {
      label: Text,
      kind: Type.Optional(Type.Enum(["text", "number"])),
      options: Type.Optional(Type.Array(Text, { maxItems: 4 })),
      groups: Type.Optional(Type.Array(Text)),
    },
    closed,
  ),
  complete: (spec) => ({ kind: "text", options: [], ...spec, groups: sorted(spec.groups) }),
  merge: {
    label: "value",
    kind: "fixed",
    options: { name: String, ordered: true, parts: false, members: {} },
    groups: "set",
  },
  natural: (_, key) => key ?? "",
  references: () => [],
  validate: (spec, previous) =>
    previous === null || previous.kind === spec.kind ? [] : [fault("/kind", "type_stays", "The kind of a field stays.")],
  portable: (spec) => ({ spec, left_out: [] }),
  builtin: [],
  builtinIds: () => [],
  exclusive: null,
  limit: { max: 4, group: (_, key) => key?.split(".")[0] ?? "", archived: true },
  archived_holds_name: true,
};

const stagesOf = (spec: Spec) => spec.stages as readonly Spec[];
const lower = (value: Value | undefined) => String(value).toLowerCase();

/** Records with parts, of which one is the default. */
export const BOARD: Asset = {
  ...io,
  type: "board",
  after: ["field"],
  keys: null,
  spec: Type.Object(
    {
      name: Text,
      is_default: Type.Optional(Type.Boolean()),
      stages: Type.Array(
        Type.Object({ key: Text, name: Text, kind: Type.Enum(["open", "done"]), needs: Type.Optional(Type.Array(Text)) }, closed),
        { maxItems: 6 },
      ),
    },
    closed,
  ),
  complete: (spec) => ({
    is_default: false,
    ...spec,
    stages: stagesOf(spec).map((stage) => ({ ...stage, needs: sorted(stage.needs) })),
  }),
  merge: {
    name: "value",
    is_default: "value",
    stages: {
      name: (item) => lower((item as Spec).name),
      ordered: true,
      parts: true,
      members: { name: "value", kind: "fixed", needs: "set" },
    },
  },
  natural: (spec) => lower(spec.name),
  references: (spec) =>
    stagesOf(spec).flatMap((stage, at) =>
      texts(stage.needs).flatMap((key, n): Reference[] =>
        key.includes(".") ? [{ pointer: `/stages/${at}/needs/${n}`, type: "field", key }] : [],
      ),
    ),
  validate: (spec) => {
    const names = stagesOf(spec).map(({ name }) => lower(name));
    return [
      ...["open", "done"]
        .filter((kind) => !stagesOf(spec).some((stage) => stage.kind === kind))
        .map((kind) => fault("/stages", "stage_missing", `A board needs a stage of kind ${kind}.`)),
      ...names.flatMap((name, at) =>
        names.indexOf(name) < at ? [fault(`/stages/${at}/name`, "duplicate_stage", `Two stages are named ${name}.`)] : [],
      ),
    ];
  },
  portable: (spec) => ({ spec, left_out: [] }),
  builtin: [
    {
      name: "Main",
      is_default: true,
      stages: [
        { key: "todo", name: "To do", kind: "open", needs: [] },
        { key: "done", name: "Done", kind: "done", needs: [] },
      ],
    },
  ],
  builtinIds: () => [],
  exclusive: "is_default",
  limit: { max: 5, group: () => "", archived: false },
  archived_holds_name: false,
};

const rulesOf = (spec: Spec) => spec.rules as readonly Spec[];

/** One record, with a list that has no order. Names of rules may repeat, and what belongs to somebody is not portable. */
export const SCORING: Asset = {
  ...io,
  type: "scoring",
  after: ["field"],
  keys: /^rules$/,
  spec: Type.Object(
    { rules: Type.Array(Type.Object({ name: Text, field: Text, points: Type.Integer() }, closed), { maxItems: 4 }) },
    closed,
  ),
  complete: (spec) => ({ rules: [...rulesOf(spec)].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) }),
  merge: {
    rules: {
      name: (item) => lower((item as Spec).name),
      ordered: false,
      parts: false,
      members: { name: "value", field: "value", points: "value" },
    },
  },
  natural: () => "",
  references: (spec) =>
    rulesOf(spec).flatMap(({ field }, at) =>
      String(field).includes(".") ? [{ pointer: `/rules/${at}/field`, type: "field", key: String(field) }] : [],
    ),
  validate: () => [],
  portable: (spec) => {
    const own = rulesOf(spec).filter(({ field }) => field === "owner");
    return {
      spec: { rules: rulesOf(spec).filter((rule) => !own.includes(rule)) },
      left_out: own.map(({ name }) => `The rule ${name}`),
    };
  },
  builtin: [{ rules: [{ name: "Has mail", field: "mail", points: 10 }] }],
  builtinIds: () => [],
  exclusive: null,
  limit: { max: 1, group: () => "", archived: false },
  archived_holds_name: false,
};

export const SYNTHETIC: readonly Asset[] = [FIELD, BOARD, SCORING];
