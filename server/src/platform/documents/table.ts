import { setImmediate } from "node:timers/promises";
import { type Align, drawLines, drawRule, type Frame, heightOf, type Measured, measure, type Paragraph } from "./blocks.ts";
import { INK, type Paper, STYLES } from "./paper.ts";

const PADDING = 4;
const GUTTER = 8;

export type TableColumn<Row> = {
  title: string;
  /** In points; one column without a width takes what is left. */
  width?: number;
  align: Align;
  cell(row: Row): Paragraph[];
};

type Placed<Row> = TableColumn<Row> & { frame: Frame };

/**
 * Draws a table over as many pages as it needs, with its header on each, and yields the bytes of each finished page. Between pages others
 * get their turn, and only the page in work is in memory. A row is never split.
 */
export async function* drawTable<Row>(
  paper: Paper,
  columns: TableColumn<Row>[],
  rows: AsyncIterable<Row> | Iterable<Row>,
): AsyncGenerator<Buffer> {
  const placed = placeColumns(paper, columns);
  drawHeader(paper, placed);
  for await (const row of rows) {
    const cells = placed.map(({ cell, frame }) => cell(row).map((paragraph) => measure(paper, paragraph, frame.width)));
    const height = Math.max(...cells.map(cellHeight)) + 2 * PADDING;
    if (height > paper.room()) {
      paper.addPage();
      drawHeader(paper, placed);
      const bytes = paper.take();
      if (bytes !== null) yield bytes;
      await setImmediate();
    }
    drawRow(paper, placed, cells, height);
  }
}

/** Columns beside each other, with a gutter between them. */
function placeColumns<Row>(paper: Paper, columns: TableColumn<Row>[]): Placed<Row>[] {
  const gutters = GUTTER * (columns.length - 1);
  const fixed = columns.reduce((sum, { width = 0 }) => sum + width, 0);
  let left = paper.left;
  return columns.map((column) => {
    const width = column.width ?? paper.width - fixed - gutters;
    const frame = { left, width };
    left += width + GUTTER;
    return { ...column, frame };
  });
}

function drawHeader<Row>(paper: Paper, columns: Placed<Row>[]): void {
  const titles = columns.map(({ title, frame }) =>
    measure(paper, { text: title, style: STYLES.label, shrink: true }, frame.width),
  );
  for (const [index, title] of titles.entries()) {
    const { frame, align } = columns[index] as Placed<Row>;
    drawLines(paper, title, frame, align, paper.y);
  }
  paper.y += Math.max(...titles.map(heightOf)) + PADDING;
  drawRule(paper, { left: paper.left, width: paper.width }, paper.y, INK, 0.75);
}

function cellHeight(cell: Measured[]): number {
  return cell.reduce((sum, measured) => sum + heightOf(measured), 0);
}

function drawRow<Row>(paper: Paper, columns: Placed<Row>[], cells: Measured[][], height: number): void {
  for (const [index, { frame, align }] of columns.entries()) {
    let y = paper.y + PADDING;
    for (const measured of cells[index] ?? []) y = drawLines(paper, measured, frame, align, y);
  }
  paper.y += height;
  drawRule(paper, { left: paper.left, width: paper.width }, paper.y);
}
