import { lowerCase } from "../../../../kernel/lower-case.ts";
import { closed } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import { type Asset, rowsOf } from "../../configuring/index.ts";
import { SHARED_MAX } from "../model.ts";
import { ViewCreate } from "../schema.ts";
import { fieldsOf, portableView } from "./model.ts";
import { viewRows } from "./queries.ts";

const { page, name, query } = ViewCreate.properties;

/** The views that are shared in an account. One that a snapshot brought has no user: owners and administrators may change it. */
export const savedViewAsset: Asset = {
  type: "saved_view",
  after: ["custom_field"],
  spec: Type.Object({ page, name, query }, closed),
  complete: ({ page = "", name = "", query = "" }) => ({ page, name, query }),
  merge: { page: "fixed", name: "value", query: "value" },
  natural: ({ page, name }) => `${page} ${lowerCase(String(name))}`,
  keys: null,
  references: fieldsOf,
  validate: () => [],
  portable: portableView,
  builtin: [],
  builtinIds: () => [],
  exclusive: null,
  limit: { max: SHARED_MAX, group: () => "", archived: false },
  archived_holds_name: false,
  ...rowsOf(viewRows, "view"),
};
