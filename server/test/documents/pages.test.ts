import { afterEach, expect, test } from "vitest";
import { cleanUp } from "../postgres/processes.ts";
import { type Block, blocksOf, openReader, type Reader } from "./shell-page.ts";

const TIMEOUT_MS = 300_000;
let reader: Reader;

afterEach(async () => {
  await reader.close();
  await cleanUp();
}, TIMEOUT_MS);

/** Runs the blocks one after the other as a reader would, and holds each against what the page shows of it. */
async function follow(blocks: Block[]): Promise<void> {
  for (const block of blocks) {
    const { code, output } = await reader.run(block);
    expect(code, `${block.text}\n${output}`).toBe(0);
    for (const shown of block.shown) expect(output, block.text).toContain(shown);
  }
}

test("the tour can be followed from its first command to its last, and shows what it says", { timeout: TIMEOUT_MS }, async () => {
  reader = await openReader();
  const blocks = blocksOf("docs/tour.md");
  expect(blocks.length).toBeGreaterThan(10);
  await follow(blocks);
});

/** The suite does not run itself, and the bench has a test of its own. */
const NOT_RUN = /\bnpm (test|run)\b|SEED=none/;

test("every command of the README works as it stands", { timeout: TIMEOUT_MS }, async () => {
  reader = await openReader();
  const blocks = blocksOf("README.md").filter(({ text }) => !NOT_RUN.test(text));
  expect(blocks.length).toBeGreaterThan(7);
  await follow(blocks.map((block) => ({ ...block, text: once(block.text) })));
});

/** What goes on until it is stopped is asked to end by itself. */
function once(text: string): string {
  return text.replaceAll(/(events tail .*)$/gm, "$1 --once");
}
