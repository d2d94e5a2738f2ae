import type { Fault } from "../../../../kernel/errors.ts";
import type { Asset, Spec } from "../../configuring/index.ts";
import { type CustomField, FIELDS_MAX, optionsFault } from "../model.ts";
import { CustomFieldSpec, SPEC_KEY } from "../schema.ts";

/** A field as a manifest has it. */
export type FieldSpec = Spec & Pick<CustomField, "type" | "options" | "required"> & { label: string };

const at = (pointer: string, code: string, detail: string): Fault => ({ in: "body", pointer, code, detail });

/** Custom fields by the kind of record that has them and their key, such as deal.budget. */
export const customFieldRules = {
  type: "custom_field",
  after: [],
  spec: CustomFieldSpec,
  complete: (spec) => ({ options: [], required: false, ...spec }),
  keys: SPEC_KEY,
  merge: {
    label: "value",
    type: "fixed",
    options: { name: String, ordered: true, parts: false, members: {} },
    required: "value",
  },
  natural: (_, key) => String(key),
  references: () => [],
  validate(spec, previous) {
    const { type, options } = spec as FieldSpec;
    const fault = optionsFault(type, options);
    return [
      ...(fault === null ? [] : [at("/options", fault.code, fault.detail)]),
      ...(previous === null || previous.type === type
        ? []
        : [at("/type", "type_stays", `The type of a custom field cannot change from ${previous.type} to ${type}.`)]),
    ];
  },
  portable: (spec) => ({ spec, left_out: [] }),
  builtin: [],
  builtinIds: () => [],
  exclusive: null,
  limit: { max: FIELDS_MAX, group: (_, key) => String(key).split(".")[0] ?? "", archived: true },
  archived_holds_name: true,
} satisfies Partial<Asset>;
