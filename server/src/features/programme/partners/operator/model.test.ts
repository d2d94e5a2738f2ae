import { describe, expect, test } from "vitest";
import type { Refusal } from "../../../../kernel/errors.ts";
import { validateParent } from "./model.ts";

function faultOf(...given: Parameters<typeof validateParent>): string | null {
  try {
    validateParent(...given);
    return null;
  } catch (error) {
    return (error as Refusal).explanation.faults?.[0]?.code ?? null;
  }
}

describe("a partner's parent", () => {
  test("is never the partner itself, nor one that stands below it", () => {
    expect(faultOf("a", "a", [], 0)).toBe("cycle");
    expect(faultOf("a", "b", ["a"], 1)).toBe("cycle");
    expect(faultOf("a", "c", ["b", "a"], 2)).toBe("cycle");
  });

  test("leaves at most three partners above any other", () => {
    expect(faultOf(null, "c", ["b", "a"], 0)).toBeNull();
    expect(faultOf(null, "d", ["c", "b", "a"], 0)).toBe("too_deep");
    expect(faultOf("x", "b", ["a"], 1)).toBeNull();
    expect(faultOf("x", "b", ["a"], 2)).toBe("too_deep");
  });
});
