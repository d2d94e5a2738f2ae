import { describe, expect, test } from "vitest";
import { ALL_TEXTS, languageOf, textsOf } from "./texts.model.ts";

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

describe.each(Object.entries(ALL_TEXTS))("the texts in %s", (_, texts) => {
  test.each(Object.entries(ALL_TEXTS.en))("%s has the same placeholders as in English", (name, english) => {
    expect(placeholders(texts[name as keyof typeof texts])).toEqual(placeholders(english));
  });
});

test.each([
  ["de", "fr", "de"],
  ["xx", "fr-CA,en;q=0.8", "fr"],
  [undefined, "ja, pt-BR;q=0.7, es;q=0.9", "es"],
  [undefined, undefined, "en"],
  [["de"], "", "en"],
])("asked for %j with Accept-Language %j, the page is in %s", (asked, accepted, language) => {
  expect(languageOf(asked, accepted)).toBe(language);
});

test("a text says what it is given", () => {
  expect(textsOf("en")("pay", { amount: "$5.00" })).toBe("Pay $5.00");
});
