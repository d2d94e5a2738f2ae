/** Nothing that long is a typo. */
const TYPED_MAX = 60;

/** A suggestion for a typo, as ` Did you mean x?`, or an empty text. */
export function didYouMean(typed: string, known: readonly string[]): string {
  if (typed === "" || typed.length > TYPED_MAX) return "";
  const near = known
    .map((candidate) => ({ candidate, distance: distanceWithin(typosOf(candidate), typed.toLowerCase(), candidate) }))
    .filter(({ candidate, distance }) => distance <= typosOf(candidate) || candidate.startsWith(typed))
    .sort((a, b) => a.distance - b.distance)[0];
  return near === undefined ? "" : ` Did you mean ${near.candidate}?`;
}

/** How many typos a word may have: one in three letters. */
const typosOf = (word: string) => Math.max(1, Math.floor(word.length / 3));

/** The edit distance, or more than `most` where the lengths alone differ by more. */
function distanceWithin(most: number, from: string, to: string): number {
  return Math.abs(from.length - to.length) > most ? most + 1 : editDistance(from, to);
}

/** Edit distance with insertions, deletions, substitutions and transpositions (optimal string alignment). */
function editDistance(from: string, to: string): number {
  const rows = Array.from({ length: from.length + 1 }, (_, row) =>
    Array.from({ length: to.length + 1 }, (_, column) => (row === 0 ? column : column === 0 ? row : 0)),
  );
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= from.length; row += 1) {
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const best = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + (same ? 0 : 1));
      (rows[row] ?? [])[column] = swapped ? Math.min(best, at(row - 2, column - 2) + 1) : best;
    }
  }
  return at(from.length, to.length);
}
