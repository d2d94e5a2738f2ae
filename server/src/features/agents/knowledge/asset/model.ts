import type { Fault } from "../../../../kernel/errors.ts";
import { closed } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import type { Asset } from "../../../accounts/configuring/index.ts";
import { KEY, SOURCES_MAX } from "../model.ts";
import { words } from "../schema.ts";

const { name, language, text, url } = words;
const common = { name, language: Type.Optional(language) };

const KnowledgeSource = Type.Union([
  Type.Object({ kind: Type.Literal("text"), ...common, text, url: Type.Optional(Type.Null()) }, closed),
  Type.Object({ kind: Type.Literal("url"), ...common, url, text: Type.Optional(Type.Null()) }, closed),
]);

/** A page that nobody can be led to by mistake: where it leads to is checked again whenever it is fetched. */
function urlFaults(address: string): Fault[] {
  const { protocol, username, password } = URL.canParse(address)
    ? new URL(address)
    : { protocol: "", username: "", password: "" };
  if (/^https?:$/.test(protocol) && username === "" && password === "") return [];
  return [
    { in: "body", pointer: "/url", code: "url_not_allowed", detail: "url must be an address such as https://example.com/." },
  ];
}

/** The rules of knowledge sources in snapshots. Files are carried as their text. */
export const sourceRules = {
  type: "knowledge_source",
  after: [],
  spec: KnowledgeSource,
  complete: ({ kind = "", name = "", language = "en", text = null, url = null }) => ({ kind, name, language, text, url }),
  keys: new RegExp(KEY),
  merge: { kind: "fixed", name: "value", language: "value", text: "value", url: "value" },
  natural: (_, key) => String(key),
  references: () => [],
  validate: ({ url }) => (url === null ? [] : urlFaults(String(url))),
  portable: (spec) =>
    spec.kind === "text" && spec.text === null
      ? { spec: null, left_out: [`The text of the knowledge source ${spec.name} is too long for a snapshot.`] }
      : { spec, left_out: [] },
  builtin: [],
  builtinIds: () => [],
  exclusive: null,
  limit: { max: SOURCES_MAX, group: () => "", archived: false },
  archived_holds_name: false,
} satisfies Partial<Asset>;
