import { describe, expect, test } from "vitest";
import { keyOf, passagesOf, quoteOf } from "./model.ts";

describe("passagesOf", () => {
  test("begins a passage at each heading, under the headings above it", () => {
    const text = "Welcome.\n\n# Prices\n\nCleaning: 80.\nWhitening: 300.\n\n## Children\n\nHalf of it.\n\n# Hours\n9 to 17";
    expect(passagesOf(text)).toEqual([
      { heading: "", text: "Welcome." },
      { heading: "Prices", text: "Cleaning: 80.\nWhitening: 300." },
      { heading: "Prices › Children", text: "Half of it." },
      { heading: "Hours", text: "9 to 17" },
    ]);
  });

  test("fills passages with paragraphs, and cuts long ones at the ends of sentences, else of words", () => {
    const sentence = `${"word ".repeat(30).trim()}. `;
    const passages = passagesOf([sentence.repeat(4), sentence.repeat(30), "x".repeat(3_000)].join("\n\n"));
    expect(Math.max(...passages.map(({ text }) => text.length))).toBeLessThanOrEqual(1_200);
    expect(passages.slice(0, 4).every(({ text }) => text.endsWith("."))).toBe(true);
    const words = (text: string) => text.replaceAll(/\s+/g, "");
    expect(passages.map(({ text }) => words(text)).join("")).toBe(words(sentence.repeat(34)) + "x".repeat(3_000));
    expect(passagesOf("# Only a heading")).toEqual([]);
  });
});

test("quoteOf takes the sentences that fit the question, up to 500 characters", () => {
  const filler = "Nothing of this matters to anybody at all. ".repeat(15);
  const text = `${filler}We open on Saturdays from 9 to 13. Please ring the bell.`;
  const quote = quoteOf(text, "Are you open on saturday?");
  expect(quote).toContain("We open on Saturdays from 9 to 13. Please ring the bell.");
  expect(quote.length).toBeLessThanOrEqual(500);
  expect(quoteOf("Short.", "anything")).toBe("Short.");
});

test("keyOf makes a key of any name, and another one where that is taken", () => {
  expect(keyOf("Öffnungszeiten & Preise", new Set())).toBe("offnungszeiten-preise");
  expect(keyOf("2026", new Set())).toBe("source-2026");
  expect(keyOf("日本", new Set(["source"]))).toBe("source-2");
});
