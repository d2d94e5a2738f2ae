import { lowerCase } from "../../../../kernel/lower-case.ts";
import { closed } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import { type Asset, rowsOf } from "../../configuring/index.ts";
import { TAGS_MAX } from "../model.ts";
import { Description, Name } from "../schema.ts";
import { tagRows } from "./queries.ts";

/** The tags that an account offers. One that is removed stays on the records that have it. */
export const tagAsset: Asset = {
  type: "tag",
  after: [],
  spec: Type.Object({ name: Name, description: Type.Optional(Description) }, closed),
  complete: ({ name = "", description = null }) => ({ name, description }),
  merge: { name: "value", description: "value" },
  natural: ({ name }) => lowerCase(String(name)),
  keys: null,
  references: () => [],
  validate: () => [],
  portable: (spec) => ({ spec, left_out: [] }),
  builtin: [],
  builtinIds: () => [],
  exclusive: null,
  limit: { max: TAGS_MAX, group: () => "", archived: false },
  archived_holds_name: false,
  ...rowsOf(tagRows, "tag"),
};
