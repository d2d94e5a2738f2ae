import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const LIMIT_KB = 30;

test(`the chat is one script of at most ${LIMIT_KB} KB`, () => {
  const script = join(import.meta.dirname, "../dist/widget.js");
  expect(readFileSync(`${script}.gz`).length / 1024).toBeLessThan(LIMIT_KB);
  expect(readFileSync(script, "utf8")).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(/);
});
