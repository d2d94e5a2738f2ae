import { PLACEHOLDER, readPlaceholder } from "../../../kernel/placeholders.ts";
import { type Memory, own, type Turn } from "./model.ts";

type Known = Pick<Turn, "values"> & { memory: Pick<Memory, "slots" | "results"> };

/** What a placeholder stands for; undefined where nothing is known. */
function meaningOf(name: string, { values, memory }: Known): unknown {
  const [of, first = "", ...rest] = name.split(".");
  if (of === "slot") return own(memory.slots, first);
  if (of !== "result") return own(values, name) ?? undefined;
  const memberOf = (value: unknown, member: string) => (isObject(value) ? own(value, member) : undefined);
  return rest.reduce<unknown>(memberOf, own(memory.results, first));
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const shown = (value: unknown) => (value === undefined || value === null ? "" : String(value));

/** A text with its placeholders filled in; what is unknown is its default, else nothing. */
export function fillText(text: string, known: Known): string {
  return text.replaceAll(PLACEHOLDER, (whole, inner?: string) => {
    if (inner === undefined) return whole;
    const { name, otherwise } = readPlaceholder(inner);
    return shown(meaningOf(name, known)) || (otherwise ?? "");
  });
}

/** Arguments with their placeholders filled in. An argument that is one placeholder keeps the type of its value. */
export function fillArguments(value: unknown, known: Known): unknown {
  if (Array.isArray(value)) return value.map((item) => fillArguments(item, known));
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value)
        .map(([name, inner]) => [name, fillArguments(inner, known)])
        .filter(([, inner]) => inner !== undefined),
    );
  if (typeof value !== "string") return value;
  const only = /^\{\{([^{}|]*)\}\}$/.exec(value)?.[1];
  return only === undefined ? fillText(value, known) : meaningOf(only.trim(), known);
}
