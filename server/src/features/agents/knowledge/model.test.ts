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

describe("the passages of a text", () => {
  const texts = (text: string) => passagesOf(text).map(({ text: passage }) => passage);

  test("have headings of every level, without their marks", () => {
    const text = "# A ##\n\n### C  \none\n\n## B # 1\ntwo\n\n####### no\n#no\nx # no";
    expect(passagesOf(text)).toEqual([
      { heading: "A › C", text: "one" },
      { heading: "A › B # 1", text: "two\n\n####### no\n#no\nx # no" },
    ]);
    expect(passagesOf(`# ${"x".repeat(300)}\ny`)[0]?.heading).toHaveLength(200);
  });

  test("keep lines of a paragraph, and paragraphs apart", () => {
    expect(texts("  one  \n  two  \n \nthree")).toEqual(["one\n  two\n\nthree"]);
  });

  test("are filled up to 1,200 characters", () => {
    const [a, b] = ["a".repeat(600), "b".repeat(598)];
    expect(texts(`${a}\n\n${b}`)).toEqual([`${a}\n\n${b}`]);
    expect(texts(`${a}\n\n${b}b`)).toEqual([a, `${b}b`]);
    expect(texts("x".repeat(1_200))).toEqual(["x".repeat(1_200)]);
  });

  test("are cut after a sentence beyond the half, else after a word, else anywhere", () => {
    const word = (count: number, letter = "w") => letter.repeat(count);
    for (const end of [".", "?", "!"])
      expect(texts(`${word(700)}${end} ${word(300)} ${word(300)}`)[0]).toBe(`${word(700)}${end}`);
    expect(texts(`${word(700)}\n${word(300)} ${word(300)}`)[0]).toBe(word(700));
    expect(texts(`${word(100)}. ${word(900)} ${word(300)}`)[0]).toBe(`${word(100)}. ${word(900)}`);
    expect(texts(word(1_201))).toEqual([word(1_200), "w"]);
    expect(texts(`${word(1_199)}👍`)).toEqual([`${word(1_199)}\ufffd`, "\ufffd"]);
  });
});

describe("a quote", () => {
  const long = "Nobody knows what this is about. ".repeat(16).trim();

  test("is the whole of a short passage", () => {
    const short = "x".repeat(500);
    expect(quoteOf(short, "?")).toBe(short);
    expect(quoteOf(`${"x".repeat(499)}👍`, "?")).toBe(`${"x".repeat(499)}\ufffd`);
  });

  test("begins with the first sentence that has most of the words, in any case and form", () => {
    const text = `${long} The Öpening hours are long! ${long}`;
    const quote = quoteOf(text, "OPENINGS on hours?");
    expect(quote.startsWith("The Öpening hours are long! Nobody")).toBe(true);
    expect(quote.length).toBeLessThanOrEqual(500);
    expect(quote.endsWith("about.")).toBe(true);
  });

  test("takes what comes before where nothing comes after", () => {
    const quote = quoteOf(`${long} We open at nine.`, "When do you open?");
    expect(quote.endsWith("about. We open at nine.")).toBe(true);
    expect(quote.startsWith("Nobody knows")).toBe(true);
    expect(quote.length).toBeGreaterThan(450);
    expect(quote.length).toBeLessThanOrEqual(500);
  });

  test("is cut where a sentence is too long", () => {
    expect(quoteOf(`${"open ".repeat(200)}.`, "open")).toHaveLength(500);
  });
});

test("a key has at most 56 characters, and begins with a letter", () => {
  expect(keyOf("x".repeat(80), new Set())).toBe("x".repeat(56));
  expect(keyOf(`${"x".repeat(55)} y`, new Set())).toBe("x".repeat(55));
  expect(keyOf("2026 a", new Set())).toBe("source-2026-a");
  expect(keyOf("2".repeat(80), new Set())).toBe(`source-${"2".repeat(49)}`);
  expect(keyOf("a", new Set(["a", "a-2"]))).toBe("a-3");
});
