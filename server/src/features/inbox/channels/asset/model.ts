import { type Fault, Refusal } from "../../../../kernel/errors.ts";
import { lowerCase } from "../../../../kernel/lower-case.ts";
import { closed } from "../../../../platform/http/shapes.ts";
import { type TSchema, Type } from "../../../../platform/http/type.ts";
import { compile } from "../../../../platform/http/validation.ts";
import type { Asset, Spec } from "../../../accounts/configuring/index.ts";
import type { ChannelKind } from "../adapter.ts";
import { CHANNELS_MAX, checkHours, PER_MINUTE } from "../model.ts";
import { adapterOf, OFFERED } from "../registry.ts";
import { ChannelCreate } from "../schema.ts";

/** What of a configuration is not an account's own. Numbers, addresses and logins are, and stay where they are. */
export const SHARED = ["title", "greeting", "color", "position", "plus_address", "base_url"] as const;

const { name, hours, timezone, per_minute } = ChannelCreate.properties;
const PORTABLE = OFFERED.filter((kind) => kind !== "simulator");

const Channel = Type.Object(
  {
    kind: Type.Enum([...PORTABLE], { type: "string" }),
    name,
    config: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    hours,
    timezone,
    per_minute,
  },
  closed,
);

/** The rules of channels in snapshots. */
export const channelRules: Omit<Asset, "look" | "read" | "blocked" | "apply"> = {
  type: "channel",
  after: [],
  spec: Channel,
  complete: ({ kind = "", name = "", config = {}, hours = null, timezone = null, per_minute = PER_MINUTE }) => ({
    kind,
    name,
    config,
    hours,
    timezone,
    per_minute,
  }),
  merge: { kind: "fixed", name: "value", config: "value", hours: "value", timezone: "value", per_minute: "value" },
  natural: ({ name }) => lowerCase(String(name)),
  keys: null,
  references: () => [],
  validate: (spec) => [...configFaults(spec), ...faultsOf(() => checkHours(spec.hours as never, spec.timezone as never), "")],
  portable: (spec) =>
    spec.kind === "simulator"
      ? { spec: null, left_out: [`The channel ${spec.name} is a simulator, which is not for other accounts.`] }
      : { spec, left_out: [] },
  builtin: [],
  builtinIds: () => [],
  exclusive: null,
  limit: { max: CHANNELS_MAX, group: () => "", archived: false },
  archived_holds_name: false,
};

const checks = new Map<string, (config: unknown) => void>();

function configFaults({ kind, config }: Spec): Fault[] {
  const known = checks.get(String(kind)) ?? compile(sharedConfig(kind as ChannelKind), "body");
  checks.set(String(kind), known);
  return faultsOf(() => known(config), "/config");
}

/** The shared part of the configuration of a kind; all of it may be missing. */
function sharedConfig(kind: ChannelKind): TSchema {
  const { properties = {} } = adapterOf(kind).config as { properties?: Record<string, TSchema> };
  const shared = SHARED.filter((member) => member in properties);
  return Type.Object(Object.fromEntries(shared.map((member) => [member, Type.Optional(properties[member] as TSchema)])), closed);
}

/** The faults that a check refuses a value with, relative to the spec. */
function faultsOf(check: () => void, place: string): Fault[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof Refusal) || error.explanation.faults === undefined) throw error;
    return error.explanation.faults.map((fault) => ({ ...fault, pointer: fault.pointer.replace("#", place) }));
  }
}
