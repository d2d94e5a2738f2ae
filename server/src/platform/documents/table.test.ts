import { expect, test } from "vitest";
import { bytesOf, pagesOf } from "../../../test/harness/pdf.ts";
import { openPaper, STYLES } from "./paper.ts";
import { drawTable, type TableColumn } from "./table.ts";

const COLUMNS: TableColumn<{ name: string; amount: string }>[] = [
  { title: "Name", align: "left", cell: ({ name }) => [{ text: name, style: STYLES.body, lines: 4 }] },
  { title: "Amount", width: 60, align: "right", cell: ({ amount }) => [{ text: amount, style: STYLES.body, shrink: true }] },
];

async function* documentOf(rows: { name: string; amount: string }[]) {
  const paper = await openPaper({ title: "Test", author: "Test", created_at: new Date(0), footer: "Footer" });
  yield* drawTable(paper, COLUMNS, rows);
  yield paper.end();
}

test("a table has its header and the footer on every page, and no row is split between two", async () => {
  const rows = Array.from({ length: 60 }, (_, row) => ({
    name: `#${row}-first ${"word ".repeat(40)} #${row}-last`,
    amount: `${row}.00`,
  }));
  const pages = await pagesOf(await bytesOf(documentOf(rows)));
  expect(pages.length).toBeGreaterThan(3);
  for (const page of pages) {
    expect(page).toContain("Name Amount");
    expect(page).toContain("Footer");
  }
  for (const row of rows.keys()) {
    const page = pages.filter((text) => text.includes(`#${row}-first`) || text.includes(`#${row}-last`));
    expect(page, `row ${row}`).toHaveLength(1);
  }
});

test("a table without rows is its header on one page", async () => {
  const [page, ...others] = await pagesOf(await bytesOf(documentOf([])));
  expect(page).toContain("Name Amount");
  expect(page).toMatch(/^Page 1 of ?1 /);
  expect(others).toEqual([]);
});
