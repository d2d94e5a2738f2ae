import { expect, test } from "vitest";
import { BASE, useWorld } from "../harness/world.ts";

const world = useWorld();

test("GET /me answers exactly the four members that the interface names", async () => {
  const partner = await world.newPartner({ company: "Northwind Agency" });
  const key = await world.newKey(partner, { scopes: ["clients:read", "clients:write", "snapshots:deploy"] });
  const { status, body } = await world.call("GET", `${BASE}/me`, { key, headers: { "content-type": "application/json" } });
  expect(status).toBe(200);
  expect(body).toEqual({
    partner_id: partner.partner_id,
    company: "Northwind Agency",
    grade: "gold",
    scopes: ["clients:read", "clients:write", "snapshots:deploy"],
  });
});

test.each([
  ["no header", undefined, "missing_credentials"],
  ["another scheme", "Basic dTpw", "invalid_credentials"],
  ["a key of the wrong form", "Bearer trb_short", "invalid_credentials"],
  ["a key with a wrong checksum", `Bearer trb_${"a".repeat(38)}`, "invalid_credentials"],
])("%s is refused with 401", async (_case, authorization, code) => {
  const { status, body, headers } = await world.call("GET", `${BASE}/me`, {
    headers: authorization === undefined ? {} : { authorization },
  });
  expect([status, body.code]).toEqual([401, code]);
  expect(headers["www-authenticate"]).toBe("Bearer");
});
