import { describe, expect, test } from "vitest";
import { ASSETS, assetOf } from "./assets.model.ts";

type Schema = { properties?: object; anyOf?: Schema[] };

/** The members of a spec, whichever form of it. */
const membersOf = ({ properties = {}, anyOf = [] }: Schema): string[] => [
  ...Object.keys(properties),
  ...anyOf.flatMap(membersOf),
];

test("no type refers to one after it", () => {
  const types = ASSETS.map(({ type }) => type);
  expect(new Set(types).size).toBe(types.length);
  for (const [index, { after }] of ASSETS.entries()) for (const other of after) expect(types.slice(0, index)).toContain(other);
});

test("an asset is known by its type", () => {
  for (const asset of ASSETS) expect(assetOf(asset.type)).toBe(asset);
  expect(() => assetOf("constructor")).toThrow("constructor");
});

describe.each(ASSETS.map((asset) => [asset.type, asset] as const))("%s", (_, asset) => {
  test("merges every member of its spec, and no other", () => {
    expect(Object.keys(asset.merge).sort()).toEqual([...new Set(membersOf(asset.spec as unknown as Schema))].sort());
  });

  test("has room for some records in a group, and ids for what is built in", () => {
    expect(asset.limit.max).toBeGreaterThan(0);
    expect(asset.limit.group({ name: "x" }, "deal.x")).toEqual(expect.any(String));
    expect(asset.builtin.length === 0 || asset.builtinIds("cli_1").length > 0).toBe(true);
  });
});
