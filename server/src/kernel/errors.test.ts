import { describe, expect, test } from "vitest";
import { ERRORS, type ErrorCode, fail, notFound, Refusal } from "./errors.ts";

test.each(Object.entries(ERRORS))("%s has a status of errors, a title and a remedy", (code, [status, title, remedy]) => {
  expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(600);
  expect(title).toMatch(/^[A-Z].*\.$/);
  expect(remedy).toMatch(/^[A-Z]/);
});

function thrownBy(call: () => never): Refusal {
  try {
    return call();
  } catch (error) {
    return error as Refusal;
  }
}

describe("a refusal", () => {
  test("is an error with a code, its explanation and its cause", () => {
    const cause = new Error("the disk");
    const explanation = { detail: "Not today.", meta: { day: 2 }, cause };
    const refusal = thrownBy(() => fail("deal_won", explanation));
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal).toMatchObject({ name: "Refusal", code: "deal_won", message: "Not today.", explanation, cause });
  });

  test("says the title of its code where there is nothing more to say", () => {
    const code: ErrorCode = "phone_required";
    expect(thrownBy(() => fail(code))).toMatchObject({ message: ERRORS[code][1], explanation: {} });
  });
});

test("an id that is not found is quoted up to 64 characters, in valid Unicode", () => {
  expect(thrownBy(() => notFound("con_1"))).toMatchObject({ code: "not_found", message: "con_1 was not found." });
  expect(thrownBy(() => notFound("x".repeat(65))).message).toBe(`${"x".repeat(64)} was not found.`);
  expect(thrownBy(() => notFound(`${"x".repeat(63)}😀`)).message.isWellFormed()).toBe(true);
});
