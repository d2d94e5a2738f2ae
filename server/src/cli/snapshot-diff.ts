import type { Output } from "./shell/output.ts";
import { cell } from "./shell/table.ts";

export type DiffStep = {
  type: string;
  key: string;
  action: "create" | "update" | "remove";
  fields: { path: string; from: unknown; to: unknown }[];
};

const MARKS = { create: ["+", "green"], update: ["~", "yellow"], remove: ["-", "red"] } as const;

/** Differences as lines: a line for each asset, and below it a line for each value that was and is. */
export function diffLines(steps: readonly DiffStep[], paint: Output["paint"]): string[] {
  return steps.flatMap(({ type, key, action, fields }) => {
    const [mark, style] = MARKS[action];
    const changed = action === "update" ? fields : [];
    return [
      paint(style, `${mark} ${type}/${key}`),
      ...changed.flatMap(({ path, from, to }) => [
        `    ${cell(path)}`,
        ...(from === null ? [] : [paint("red", `      - ${cell(JSON.stringify(from))}`)]),
        ...(to === null ? [] : [paint("green", `      + ${cell(JSON.stringify(to))}`)]),
      ]),
    ];
  });
}
