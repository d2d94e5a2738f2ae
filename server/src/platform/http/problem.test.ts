import { expect, test } from "vitest";
import { problemOf } from "./problem.ts";

test.each([
  ["a database that is shutting down", "57P01"],
  ["a row that another transaction keeps for too long", "55P03"],
])("%s is answered with 503, to be tried again", (message, code) => {
  const { status, headers, body } = problemOf(Object.assign(new Error(message), { code }), "req_1", "http://localhost");
  expect([status, headers["retry-after"]]).toEqual([503, "2"]);
  expect(JSON.parse(body)).toMatchObject({ status: 503, code: "service_unavailable" });
  expect(body).not.toContain(message);
});
