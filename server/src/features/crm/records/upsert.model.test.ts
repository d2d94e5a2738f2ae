import { describe, expect, test } from "vitest";
import { IMPORT_MODES } from "./import.model.ts";
import { hasIdentity, type Identity, namesOf } from "./upsert.model.ts";

const identity = (fields: Partial<Identity> = {}): Identity => ({ phone: null, email: null, external_id: null, ...fields });
const ADA = identity({ phone: "+1", email: "Ada@b.example", external_id: "x" });

describe("a record matches an identity", () => {
  test.each<[Partial<Identity>, boolean]>([
    [{ phone: "+1" }, true],
    [{ email: "ada@B.example" }, true],
    [{ external_id: "x" }, true],
    [{ external_id: "X" }, false],
    [{ phone: "+2", email: "other@b.example", external_id: "y" }, false],
    [{ phone: "+2", email: "other@b.example", external_id: "x" }, true],
    [{}, false],
  ])("in any field: %j %j", (fields, expected) => {
    expect(hasIdentity(ADA, identity(fields))).toBe(expected);
  });

  test("never by a field that neither has", () => {
    expect(hasIdentity(identity(), identity())).toBe(false);
    expect(hasIdentity(identity(), ADA)).toBe(false);
  });
});

test("fields are named as people say them", () => {
  expect(namesOf(["phone", "external_id"])).toBe("phone and external id");
  expect(namesOf(["a_b_c"])).toBe("a b c");
});

test("an import creates, updates, or does either", () => {
  expect(IMPORT_MODES).toEqual(["create", "upsert", "update"]);
});
