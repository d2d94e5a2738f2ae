import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../../test/harness/refusal.ts";
import { manifest } from "../../../../../test/harness/snapshots/pure-manifests.ts";
import { SYNTHETIC } from "../../../../../test/harness/snapshots/synthetic-assets.ts";
import { type Asset, canonicalText, equal, hashOf, type Value } from "../../../accounts/configuring/index.ts";
import { diffManifests } from "./diff.model.ts";
import { type Manifest, parseManifest } from "./model.ts";

const stage = (key: string, kind: string, more: object = {}) => ({ key, name: key, kind, ...more });
const board = (key: string, spec: object = {}) => ({
  type: "board",
  key,
  spec: { name: key, stages: [stage("new", "open"), stage("done", "done")], ...spec },
});
const field = (key: string, spec: object = {}) => ({ type: "field", key, spec: { label: key, ...spec } });
const of = (...assets: unknown[]) => ({ format: 1, assets });
const parse = (input: unknown, previous: Manifest | null = null, assets = SYNTHETIC) => parseManifest(assets, input, previous);
const faultsOf = (input: unknown, previous: Manifest | null = null, assets = SYNTHETIC) =>
  refusalOf(() => parse(input, previous, assets))?.faults ?? [];

describe("a manifest", () => {
  test("has all its members, and assets in the order of types and keys", () => {
    const { assets } = parse(of(board("b", { name: "B" }), board("a"), field("c.b", { groups: ["z", "a"] })));
    expect(assets.map(({ type, key }) => `${type}/${key}`)).toEqual(["field/c.b", "board/a", "board/b"]);
    expect(assets[0]?.spec).toEqual({ label: "c.b", kind: "text", options: [], groups: ["a", "z"] });
    expect(parse(parse({ format: 1, assets }))).toEqual({ format: 1, assets });
  });

  test("has the same text however it is sent", () => {
    fc.assert(
      fc.property(manifest(), fc.func(fc.integer()), ({ assets }, rank) => {
        const shuffled = assets.map(({ spec, key, type }) => ({
          spec: Object.fromEntries(Object.entries(spec).reverse()),
          key,
          type,
        }));
        shuffled.sort((a, b) => rank(a.key) - rank(b.key));
        expect(canonicalText(parse(of(...shuffled)))).toBe(canonicalText(parse(of(...assets))));
      }),
    );
  });

  test.each<[string, unknown, string[]]>([
    ["is an object", [], ["#/manifest type"]],
    ["has a format", { assets: [] }, ["#/manifest/format required"]],
    ["has format 1", { format: 2, assets: [] }, ["#/manifest/format unsupported_format"]],
    ["has known types", of({ type: "robot", key: "a", spec: {} }), ["#/manifest/assets/0/type unknown_type"]],
    ["has keys of one form", of(board("A b")), ["#/manifest/assets/0/key pattern"]],
    ["has keys of the form of their type", of(field("size")), ["#/manifest/assets/0/key pattern"]],
    [
      "has specs by the schemas",
      of(field("c.a"), board("a", { stages: [{ key: "x" }] })),
      ["#/manifest/assets/1/spec/stages/0/name required", "#/manifest/assets/1/spec/stages/0/kind required"],
    ],
    ["has each key once", of(field("c.a"), field("c.a")), ["#/manifest/assets/1/key duplicate_key"]],
    ["has each name once", of(board("a"), board("b", { name: "A" })), ["#/manifest/assets/1/spec duplicate_name"]],
    [
      "has one default",
      of(board("a", { is_default: true }), board("b", { is_default: true })),
      ["#/manifest/assets/1/spec/is_default two_defaults"],
    ],
    [
      "obeys the rules of its types",
      of(board("a", { stages: [stage("new", "open")] })),
      ["#/manifest/assets/0/spec/stages stage_missing"],
    ],
    [
      "refers to what it has",
      of(board("a", { stages: [stage("new", "open", { needs: ["c.a"] }), stage("x", "done")] })),
      ["#/manifest/assets/0/spec/stages/0/needs/0 dangling_reference"],
    ],
    [
      "tells all its faults",
      of(field("c.a", { label: 1 }), { type: "robot", key: "a", spec: {} }, board("x"), board("x")),
      ["#/manifest/assets/0/spec/label type", "#/manifest/assets/1/type unknown_type", "#/manifest/assets/3/key duplicate_key"],
    ],
  ])("%s", (_, input, faults) => {
    expect(faultsOf(input)).toEqual(faults);
  });

  test("keeps what can never change from the version before", () => {
    const previous = parse(of(field("c.a", { kind: "text" })));
    expect(faultsOf(of(field("c.a", { kind: "number" })), previous)).toEqual(["#/manifest/assets/0/spec/kind type_stays"]);
    expect(faultsOf(of(field("c.b", { kind: "number" })), previous)).toEqual([]);
  });

  test("has no references in a circle", () => {
    const linked: Asset = {
      ...(SYNTHETIC[0] as Asset),
      keys: null,
      references: ({ label }) => [{ pointer: "/label", type: "field", key: String(label) }],
    };
    const links = (...pairs: [string, string][]) =>
      faultsOf(of(...pairs.map(([key, label]) => field(key, { label }))), null, [linked]);
    expect(links(["a", "b"], ["b", "c"], ["c", "a"])).toEqual([0, 1, 2].map((at) => `#/manifest/assets/${at}/spec/label cycle`));
    expect(links(["a", "b"], ["b", "b"])).toEqual(["#/manifest/assets/1/spec/label cycle"]);
  });

  test("has limits: 500 assets, one mebibyte, fifty faults at a time", () => {
    const many = (count: number, spec: object = {}) => of(...Array.from({ length: count }, (_, n) => board(`b${n}`, spec)));
    expect(faultsOf(many(501))).toEqual(["#/manifest/assets too_many_assets"]);
    expect(faultsOf(many(60, { name: 1 }))).toHaveLength(50);
    const long = Array.from({ length: 70 }, (_, n) => `${n}`.padStart(40, "x"));
    const large = Array.from({ length: 400 }, (_, n) =>
      field(`${"abcdefghijklmnopqrst"[n % 20]}.${"abcdefghijklmnopqrst"[Math.floor(n / 20)]}`, { groups: long }),
    );
    expect(refusalOf(() => parse(of(...large)))).toMatchObject({ code: "payload_too_large", meta: { limit_bytes: 1_048_576 } });
    expect(parse(of(...large.slice(0, 100))).assets).toHaveLength(100);
  });
});

describe("the canonical text", () => {
  test("is that of RFC 8785", () => {
    const value = {
      "\u20ac": "Euro Sign",
      "\r": 1e21,
      "\ud83d\ude00": -0,
      "1": [1e-7, true, null],
      "\ufb33": 4.5,
      "\u0080": "\u000f\n",
    };
    expect(canonicalText(value)).toBe(
      '{"\\r":1e+21,"1":[1e-7,true,null],"\u0080":"\\u000f\\n","\u20ac":"Euro Sign","\ud83d\ude00":0,"\ufb33":4.5}',
    );
    expect(hashOf("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  });

  test("is JSON, and the same for equal values only", () => {
    const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Value>;
    fc.assert(
      fc.property(json, json, (a, b) => {
        expect(JSON.parse(canonicalText(a))).toEqual(JSON.parse(JSON.stringify(a)));
        expect(equal(a, JSON.parse(canonicalText(a)))).toBe(true);
        expect(equal(a, b)).toBe(canonicalText(a) === canonicalText(b));
      }),
    );
  });
});

describe("a difference", () => {
  const diff = (from: unknown[], to: unknown[]) => diffManifests(parse(of(...from)), parse(of(...to)), SYNTHETIC);

  test("names what comes, goes and changes", () => {
    expect(diff([board("a"), board("b")], [board("b", { name: "Other" }), field("c.a")])).toEqual([
      { type: "field", key: "c.a", name: "c.a", action: "create", fields: [] },
      { type: "board", key: "b", name: "Other", action: "update", fields: [{ path: "/name", from: "b", to: "Other" }] },
      { type: "board", key: "a", name: "a", action: "remove", fields: [] },
    ]);
  });

  test("compares lists item by item, and their order", () => {
    const [a, b, c, z] = [stage("a", "open"), stage("b", "open"), stage("c", "open"), stage("z", "done")];
    const [{ fields = [] } = {}] = diff(
      [board("x", { stages: [a, b, z] })],
      [board("x", { stages: [{ ...b, name: "B2" }, a, c].concat(z) })],
    );
    expect(fields).toEqual([
      { path: "/stages/b/name", from: "b", to: "B2" },
      { path: "/stages/c", from: null, to: { ...c, needs: [] } },
      { path: "/stages/~order", from: ["a", "b", "z"], to: ["b", "a", "z"] },
    ]);
  });

  test("is empty between equal manifests alone", () => {
    fc.assert(
      fc.property(manifest(), manifest(), (a, b) => {
        const [from, to] = [parse(of(...a.assets)), parse(of(...b.assets))];
        expect(diffManifests(from, to, SYNTHETIC).length === 0).toBe(canonicalText(from) === canonicalText(to));
        expect(diffManifests(from, from, SYNTHETIC)).toEqual([]);
      }),
    );
  });
});
