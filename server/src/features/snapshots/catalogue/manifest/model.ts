import { type Fault, fail, Refusal } from "../../../../kernel/errors.ts";
import { Type } from "../../../../platform/http/type.ts";
import { compile } from "../../../../platform/http/validation.ts";
import { type Asset, canonicalText, type ManifestAsset } from "../../../accounts/configuring/index.ts";
import { faultsAmong, type Placed } from "./faults.model.ts";

/** The content of a version: every member of every spec is there, assets are in the order of types and keys. */
export type Manifest = { format: 1; assets: ManifestAsset[] };

const FORMAT = 1;
const ASSETS_MAX = 500;
const BYTES_MAX = 1_048_576;
const FAULTS_MAX = 50;
const KEY = "^[a-z][a-z0-9_.-]{0,63}$";

const Envelope = Type.Object(
  {
    format: Type.Integer(),
    assets: Type.Array(
      Type.Object(
        {
          type: Type.String(),
          key: Type.String({
            pattern: KEY,
            description: "1 to 64 characters of a-z, 0-9, _ . and -, of which the first is a letter",
          }),
          spec: Type.Object({}),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
const checkEnvelope = compile(Envelope, "body");

/** A manifest as it was sent, in its canonical form. Refuses an invalid one with all its faults. */
export function parseManifest(assets: readonly Asset[], input: unknown, previous: Manifest | null): Manifest {
  refuse(faultsOf(() => checkEnvelope(input), "#/manifest"));
  const sent = input as Manifest;
  if (sent.format !== FORMAT) refuse([faultAt("#/manifest/format", "unsupported_format", `The format must be ${FORMAT}.`)]);
  if (sent.assets.length > ASSETS_MAX)
    refuse([faultAt("#/manifest/assets", "too_many_assets", `A manifest has at most ${ASSETS_MAX} assets.`)]);
  const placed = sent.assets.map((one, index): Placed | Fault[] => place(assets, one, `#/manifest/assets/${index}`));
  const valid = placed.filter((one): one is Placed => !Array.isArray(one));
  refuse([...placed.flatMap((one) => (Array.isArray(one) ? one : [])), ...faultsAmong(valid, sent.assets, previous)]);
  const rank = ({ type }: ManifestAsset) => assets.findIndex((asset) => asset.type === type);
  const ordered = valid
    .map(({ type, key, spec }) => ({ type, key, spec }))
    .sort((a, b) => rank(a) - rank(b) || (a.key < b.key ? -1 : 1));
  const manifest: Manifest = { format: FORMAT, assets: ordered };
  if (Buffer.byteLength(canonicalText(manifest)) > BYTES_MAX)
    fail("payload_too_large", {
      detail: `A manifest has at most ${BYTES_MAX} bytes in its canonical form.`,
      meta: { limit_bytes: BYTES_MAX },
    });
  return manifest;
}

/** An asset with all its members, or what is wrong with it by itself. */
function place(assets: readonly Asset[], { type, key, spec }: ManifestAsset, pointer: string): Placed | Fault[] {
  const asset = assets.find((one) => one.type === type);
  if (asset === undefined) {
    const known = assets.map((one) => one.type).join(", ");
    return [faultAt(`${pointer}/type`, "unknown_type", `${type} is not a type of asset. The types are ${known}.`)];
  }
  const badKey = asset.keys !== null && !asset.keys.test(key);
  const faults = [
    ...(badKey ? [faultAt(`${pointer}/key`, "pattern", `${key} is not a key for assets of type ${type}.`)] : []),
    ...faultsOf(() => checkOf(asset)(spec), `${pointer}/spec`),
  ];
  return faults.length > 0 ? faults : { asset, pointer, type, key, spec: asset.complete(spec) };
}

const checks = new WeakMap<Asset, (spec: unknown) => void>();

function checkOf(asset: Asset): (spec: unknown) => void {
  const check = checks.get(asset) ?? compile(asset.spec, "body");
  checks.set(asset, check);
  return check;
}

const faultAt = (pointer: string, code: string, detail: string): Fault => ({ in: "body", pointer, code, detail });

/** The faults that a check refuses a value with, as faults of the place where the value is. */
function faultsOf(check: () => void, pointer: string): Fault[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof Refusal) || error.explanation.faults === undefined) throw error;
    return error.explanation.faults.map((fault) => ({ ...fault, pointer: fault.pointer.replace("#", pointer) }));
  }
}

function refuse(faults: readonly Fault[]): void {
  if (faults.length > 0) fail("validation_failed", { faults: faults.slice(0, FAULTS_MAX) });
}
