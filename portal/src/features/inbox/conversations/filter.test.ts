import { expect, test } from "vitest";
import { filterOf } from "./filter.ts";

const of = (url: Record<string, string>) => filterOf("cli_1", url, "usr_me");

test("a view is a filter of the API, and what the address says comes before it", () => {
  expect(of({})).toEqual({ account_id: "cli_1", status: ["open"] });
  expect(of({ view: "all" })).toEqual({ account_id: "cli_1" });
  expect(of({ view: "waiting" })).toEqual({ account_id: "cli_1", status: ["open"], waiting: true });
  expect(of({ view: "mine" })).toEqual({ account_id: "cli_1", status: ["open"], owner_id: "usr_me" });
  expect(of({ view: "mine", owner: "agent", status: "snoozed" })).toEqual({
    account_id: "cli_1",
    status: ["snoozed"],
    owner_kind: ["agent"],
  });
  expect(of({ archived: "true", unread: "false", q: "invoice" })).toEqual({
    account_id: "cli_1",
    archived: true,
    unread: false,
    q: "invoice",
  });
});
