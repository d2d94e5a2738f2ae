import type { Unit } from "./places.ts";
import type { Coverage } from "./setting.ts";

/** Files that take longer are left out: they would take most of the time of a run. */
const SLOW_MS = 25_000;
/** A name that is one of its own, so that whoever mentions it in another file means this. */
const OWN_NAME = /^(?=.*[A-Z]).{7,}$/;

/** The test files that call a unit: those named after its feature first, then the fast ones. */
export function testsOf(unit: Unit, units: readonly Unit[], coverage: readonly Coverage[]): string[] {
  const wanted = functionsThatReach(unit, units);
  const words = wordsOf(unit.file.replace("server/src/features/", ""));
  const likeness = ({ file }: Coverage) => [...wordsOf(file.split("/").at(-1) ?? "")].filter((word) => words.has(word)).length;
  return coverage
    .filter(({ ms, calls }) => {
      const calls_it = (file: string, names: ReadonlySet<string>) => calls[file]?.some((name) => names.has(lastPart(name)));
      return ms < SLOW_MS && [...wanted].some(([file, names]) => calls_it(file, names));
    })
    .toSorted((a, b) => likeness(b) - likeness(a) || a.ms - b.ms)
    .map(({ file }) => file);
}

const lastPart = (name: string) => name.split(".").at(-1) ?? name;
const wordsOf = (path: string) =>
  new Set(path.split(/[^a-z]+/).flatMap((word) => (word.length > 3 ? [word.replace(/s$/, "")] : [])));

/** By file: the functions of a unit or, of a constant, those that use it, directly or through other constants. */
function functionsThatReach(unit: Unit, units: readonly Unit[]): Map<string, Set<string>> {
  const reached = new Set([unit]);
  for (const one of reached) {
    if (one.is_function) continue;
    for (const other of units) {
      const uses = (name: string) => other.words.has(name) && (other.file === one.file || OWN_NAME.test(name));
      if (one.names.some(uses)) reached.add(other);
    }
  }
  const functions = new Map<string, Set<string>>();
  for (const { file, functions: names } of reached) functions.set(file, new Set([...(functions.get(file) ?? []), ...names]));
  return functions;
}
