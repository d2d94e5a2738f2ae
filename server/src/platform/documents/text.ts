import { directionOf, visualRuns } from "./bidi.ts";
import type { Pen } from "./pen.ts";

/** No text on a page is longer: a name that is would fill it. */
const LETTERS_MAX = 1_000;
const ELLIPSIS = "…";
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** A text that can be drawn on one line: no control characters, no overrides of direction, nothing invisible, composed letters. */
export function cleanText(text: string): string {
  return text
    .slice(0, LETTERS_MAX)
    .normalize("NFC")
    .replaceAll(/[\u00ad\u200b\u202a-\u202e\ufeff]/g, "")
    .replaceAll(/[\s\p{Cc}\p{Cs}]+/gu, " ")
    .trim();
}

/** The width of a line in the style in use. */
export function widthOf(pen: Pen, line: string): number {
  return visualRuns(line, directionOf(line)).reduce((sum, run) => sum + pen.widthOf(run), 0);
}

/** Draws a line at its baseline, in the style in use. */
export function drawLine(pen: Pen, line: string, left: number, baseline: number): void {
  let x = left;
  for (const run of visualRuns(line, directionOf(line))) {
    pen.draw(run, x, baseline);
    x += pen.widthOf(run);
  }
}

/** The text itself, or as much of it as fits, with an ellipsis. */
export function fitLine(pen: Pen, text: string, width: number): string {
  if (widthOf(pen, text) <= width) return text;
  const fitting = prefixWithin(pen, text, width, ELLIPSIS);
  return `${fitting.trimEnd()}${ELLIPSIS}`;
}

/** Breaks a text at spaces, and a word that is too long anywhere. What does not fit into the last line is cut. */
export function wrapLines(pen: Pen, text: string, width: number, lines_max: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (lines.length < lines_max - 1 && widthOf(pen, rest) > width) {
    const line = firstLine(pen, rest, width);
    lines.push(line.trimEnd());
    rest = rest.slice(line.length).trimStart();
  }
  return [...lines, fitLine(pen, rest, width)];
}

function firstLine(pen: Pen, text: string, width: number): string {
  const fitting = prefixWithin(pen, text, width, "");
  if (text[fitting.length] === " ") return fitting;
  const space = fitting.lastIndexOf(" ");
  return space > 0 ? fitting.slice(0, space) : fitting;
}

/** The longest beginning of a text that fits together with a suffix, and at least one letter. */
function prefixWithin(pen: Pen, text: string, width: number, suffix: string): string {
  const ends = [...graphemes.segment(text)].map(({ index, segment }) => index + segment.length);
  let low = 0;
  let high = ends.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (widthOf(pen, text.slice(0, ends[middle]) + suffix) <= width) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, ends[low]);
}
