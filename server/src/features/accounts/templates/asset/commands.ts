import { lowerCase } from "../../../../kernel/lower-case.ts";
import { closed } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import { type Asset, rowsOf, type Spec } from "../../configuring/index.ts";
import { customKeysOf, faultsOf, TEMPLATES_MAX } from "../model.ts";
import { ProviderTemplate, words } from "../schema.ts";
import { templateRows } from "./queries.ts";

const Template = Type.Object(
  {
    name: words.name,
    channel: Type.Optional(words.channel),
    subject: Type.Optional(words.subject),
    text: words.text,
    provider_template: Type.Optional(ProviderTemplate),
  },
  closed,
);
type Template = Required<Type.Static<typeof Template>>;

/** The templates of an account. One that is removed is archived. */
export const messageTemplateAsset: Asset = {
  type: "message_template",
  after: ["custom_field"],
  spec: Template,
  complete: ({ name = "", channel = "any", subject = null, text = "", provider_template = null }) => ({
    name,
    channel,
    subject,
    text,
    provider_template,
  }),
  merge: { name: "value", channel: "value", subject: "value", text: "value", provider_template: "value" },
  natural: ({ name }) => lowerCase(String(name)),
  keys: null,
  references: (spec) =>
    customKeysOf(spec as Template).map(({ member, key }) => ({
      pointer: `/${member}`,
      type: "custom_field",
      key: `contact.${key}`,
    })),
  validate: (spec: Spec) => faultsOf(spec as Template, null).map((fault) => ({ ...fault, pointer: fault.pointer.slice(1) })),
  portable: (spec) => ({ spec, left_out: [] }),
  builtin: [],
  builtinIds: () => [],
  exclusive: null,
  limit: { max: TEMPLATES_MAX, group: () => "", archived: false },
  archived_holds_name: false,
  ...rowsOf(templateRows, "message_template"),
};
