import { expect, test } from "vitest";
import { RECORDS } from "../../../kernel/changes.ts";
import { IMPORT_MODES } from "../records/index.ts";
import { importableOf } from "./importables.model.ts";

test.each(RECORDS)("a %s is imported by fields that are there, each named once", (resource) => {
  const { resource: own, fields, required } = importableOf(resource);
  expect(own).toBe(resource);
  const names = fields.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const mode of IMPORT_MODES) for (const group of required[mode]) expect(names).toEqual(expect.arrayContaining([...group]));
});
