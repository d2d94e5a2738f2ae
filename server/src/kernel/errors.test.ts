import { describe, expect, test } from "vitest";
import { ERRORS, type ErrorCode, fail, notFound, Refusal, within } from "./errors.ts";

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

describe("the faults of a refusal", () => {
  const faults = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      in: "body" as const,
      pointer: `#/${index}`,
      code: "x",
      detail: `Fault ${index}.`,
    }));

  test("are its detail, up to three of them", () => {
    const message = (count: number) => new Refusal("validation_failed", { faults: faults(count) });
    expect(message(1).explanation.detail).toBe("Fault 0.");
    expect(message(3).message).toBe("Fault 0. Fault 1. Fault 2.");
    expect(message(5).message).toBe("Fault 0. Fault 1. Fault 2. 2 more: see errors.");
    expect(message(0).explanation).not.toHaveProperty("detail");
  });

  test("of a part point into its member, those of a query do not", async () => {
    const query = { in: "query" as const, pointer: "#/q", code: "x", detail: "No." };
    const part = () => within("config", async () => fail("validation_failed", { faults: [...faults(1), query] }));
    await expect(part()).rejects.toMatchObject({
      code: "validation_failed",
      explanation: { faults: [{ pointer: "#/config/0" }, { pointer: "#/q" }] },
    });
    expect(await within("config", async () => 7)).toBe(7);
  });

  test("of a part without any, and other errors, stay as they are", async () => {
    const refusal = new Refusal("deal_won");
    await expect(within("config", () => Promise.reject(refusal))).rejects.toBe(refusal);
    const error = new Error("other");
    await expect(within("config", () => Promise.reject(error))).rejects.toBe(error);
  });
});

test("a path without an id says so", () => {
  expect(thrownBy(() => notFound(" ")).message).toBe("The path has no id.");
  expect(thrownBy(() => notFound("x", " Look elsewhere.")).message).toBe("x was not found. Look elsewhere.");
});
