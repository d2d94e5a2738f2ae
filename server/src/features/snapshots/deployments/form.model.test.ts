import { expect, test } from "vitest";
import { filled, formOf, newBlank } from "./form.model.ts";

test("a form is filled with the ids of each account, and keys, texts and numbers stay", () => {
  const entries = {
    "pipeline/a": { id: newBlank(0), base: 3, parts: { "~#1": "#1", new: newBlank(1), "#2": "" }, made: true },
    "tag/b": { id: "#0", base: 2, parts: {}, name: 'a "#0"', list: ["#12", "x#1"] },
  };
  const form = formOf(entries);
  const here = (position: string) => `here_${position.slice(1)}`;
  expect(JSON.parse(filled(form, ["ppl_1", "stg_1"], here))).toEqual({
    "pipeline/a": { id: "ppl_1", base: 3, parts: { "~#1": "here_1", new: "stg_1", "#2": "" }, made: true },
    "tag/b": { id: "here_0", base: 2, parts: {}, name: 'a "#0"', list: ["here_12", "x#1"] },
  });
  expect(JSON.parse(filled(form, ["ppl_2", "stg_2"], here))["pipeline/a"].id).toBe("ppl_2");
  expect(filled(formOf({}), [], here)).toBe("{}");
});
