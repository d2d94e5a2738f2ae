import { INK, type Paper, RULE, STYLES } from "./paper.ts";
import type { Style } from "./pen.ts";
import { cleanText, drawLine, widthOf, wrapLines } from "./text.ts";

export type Align = "left" | "right";

/** Where a block stands: its left edge and its width. */
export type Frame = { left: number; width: number };

/** A text in its style, and how many lines it may take before it is cut. An amount is never cut: it gets smaller. */
export type Paragraph = { text: string; style: Style; lines?: number; shrink?: boolean };

/** A paragraph broken into lines, and the size that decides where they stand, also where its letters got smaller. */
export type Measured = { lines: string[]; style: Style; size: number };

/** The height of a line, and how far below its top its letters stand. */
const LEADING = 1.35;
const ASCENT = 1.02;

/** Breaks a paragraph into the lines of a width, for its height before it is drawn. */
export function measure(paper: Paper, { text, style, lines = 1, shrink = false }: Paragraph, width: number): Measured {
  paper.pen.use(style);
  const clean = cleanText(text);
  const { size } = style;
  if (clean === "") return { lines: [], style, size };
  if (!shrink) return { lines: wrapLines(paper.pen, clean, width, lines), style, size };
  const excess = widthOf(paper.pen, clean) / width;
  return { lines: [clean], style: excess > 1 ? { ...style, size: size / excess } : style, size };
}

export function heightOf({ lines, size }: Measured): number {
  return lines.length * size * LEADING;
}

/** Draws lines from a top, and returns their bottom. */
export function drawLines(paper: Paper, { lines, style, size }: Measured, frame: Frame, align: Align, top: number): number {
  paper.pen.use(style);
  let y = top;
  for (const line of lines) {
    const left = align === "left" ? frame.left : frame.left + frame.width - widthOf(paper.pen, line);
    drawLine(paper.pen, line, left, y + size * ASCENT);
    y += size * LEADING;
  }
  return y;
}

/** Paragraphs below each other from a top; returns their bottom. */
export function drawParagraphs(paper: Paper, paragraphs: Paragraph[], frame: Frame, align: Align, top: number): number {
  return paragraphs.reduce((y, paragraph) => drawLines(paper, measure(paper, paragraph, frame.width), frame, align, y), top);
}

/** A line across a frame. */
export function drawRule(paper: Paper, { left, width }: Frame, y: number, colour: string = RULE, weight = 0.5): void {
  paper.document
    .moveTo(left, y)
    .lineTo(left + width, y)
    .lineWidth(weight)
    .strokeColor(colour)
    .stroke();
}

export type Fact = { label: string; value: string; style?: Style };

/** Labels with their values beside them, below each other; returns the bottom. */
export function drawFacts(paper: Paper, facts: Fact[], frame: Frame, label_width: number, top: number): number {
  const values = { left: frame.left + label_width, width: frame.width - label_width };
  return facts.reduce((y, { label, value, style = STYLES.body }) => {
    // Both stand on the same baseline, though a label is smaller.
    const drop = (style.size - STYLES.label.size) * ASCENT;
    drawParagraphs(paper, [{ text: label, style: STYLES.label }], frame, "left", y + drop);
    return drawParagraphs(paper, [{ text: value, style, lines: 3 }], values, "left", y) + 2;
  }, top);
}

/** Amounts that are added up: each with its label, and the sum under a line. Returns the bottom. */
export function drawSums(paper: Paper, amounts: Fact[], sum: Fact, frame: Frame, top: number): number {
  const row = (fact: Fact, y: number) => {
    const style = fact.style ?? STYLES.body;
    drawParagraphs(paper, [{ text: fact.label, style: { ...style, colour: INK } }], frame, "left", y);
    const amount = { left: frame.left + frame.width * 0.4, width: frame.width * 0.6 };
    return drawParagraphs(paper, [{ text: fact.value, style, shrink: true }], amount, "right", y) + 3;
  };
  const bottom = amounts.reduce((y, fact) => row(fact, y), top) + 2;
  drawRule(paper, frame, bottom, INK, 0.75);
  return row(sum, bottom + 6);
}
