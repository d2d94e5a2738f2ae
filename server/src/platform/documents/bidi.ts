import bidiFactory, { type Bidi } from "bidi-js";

/** Its types describe the module of its ES build, and Node loads the other, whose export is the function itself. */
const bidi = (bidiFactory as unknown as () => Bidi)();

/** Letters that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Marks of direction, which have no shape. */
const MARKS = /[\u061c\u200e\u200f\u2066-\u2069]/g;

/** Consecutive text of one direction, in logical order. */
export type Run = { text: string; rightToLeft: boolean };

/** A part of a longer text, such as a name, that keeps its own direction and leaves that of the rest. */
export function isolate(text: string): string {
  return `\u2068${text}\u2069`;
}

/** The direction of a whole text: that of its first letter. */
export function directionOf(text: string): "ltr" | "rtl" {
  if (!RIGHT_TO_LEFT.test(text)) return "ltr";
  return (bidi.getEmbeddingLevels(text).paragraphs[0]?.level ?? 0) % 2 === 1 ? "rtl" : "ltr";
}

/** The runs of a line from left to right as they are seen, by the Unicode bidirectional algorithm. */
export function visualRuns(line: string, direction: "ltr" | "rtl"): Run[] {
  if (!RIGHT_TO_LEFT.test(line)) return [{ text: line.replaceAll(MARKS, ""), rightToLeft: false }];
  const levels = bidi.getEmbeddingLevels(line, direction);
  const runs: Run[] = [];
  let indices: number[] = [];
  for (const index of bidi.getReorderedIndices(line, levels)) {
    const last = indices.at(-1);
    const sameRun = last !== undefined && levels.levels[last] === levels.levels[index] && Math.abs(last - index) === 1;
    if (last !== undefined && !sameRun) {
      runs.push(runOf(line, indices, levels.levels));
      indices = [];
    }
    indices.push(index);
  }
  runs.push(runOf(line, indices, levels.levels));
  return runs.filter(({ text }) => text !== "");
}

function runOf(line: string, indices: number[], levels: Uint8Array): Run {
  const start = Math.min(...indices);
  const end = Math.max(...indices);
  const rightToLeft = ((levels[start] ?? 0) & 1) === 1;
  const text = line.slice(start, end + 1);
  if (!rightToLeft) return { text: text.replaceAll(MARKS, ""), rightToLeft };
  const mirrored = [...text.replaceAll(MARKS, "")].map((letter) => bidi.getMirroredCharacter(letter) ?? letter);
  // The layout engine reverses text that has a letter of its script; signs alone it would leave as they are.
  if (!RIGHT_TO_LEFT.test(text)) mirrored.reverse();
  return { text: mirrored.join(""), rightToLeft };
}
