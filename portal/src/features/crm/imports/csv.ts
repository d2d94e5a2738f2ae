/** The first rows of a file, enough to see what its columns are. */
export type Sample = { columns: string[]; rows: string[][] };

const HEAD_BYTES = 256 * 1024;
const ROWS = 4;
const DELIMITERS = [",", ";", "\t"];

/** Cells row by row, with quotes as RFC 4180 has them; stops after `rows_max` rows. */
export function parseRows(text: string, delimiter: string, rows_max: number): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let quoted = false;
  const endRow = () => {
    row.push(cell);
    if (row.some((one) => one !== "")) rows.push(row);
    row = [];
    cell = "";
  };
  for (let at = 0; at < text.length && rows.length < rows_max; at += 1) {
    const char = text.charAt(at);
    if (quoted) {
      if (char !== '"') cell += char;
      else if (text.charAt(at + 1) === '"') {
        cell += '"';
        at += 1;
      } else quoted = false;
    } else if (char === '"' && cell === "") quoted = true;
    else if (char === delimiter) {
      row.push(cell);
      cell = "";
    } else if (char === "\n" || char === "\r") {
      if (char === "\r" && text.charAt(at + 1) === "\n") at += 1;
      endRow();
    } else cell += char;
  }
  if (rows.length < rows_max && (cell !== "" || row.length > 0)) endRow();
  return rows;
}

/** The columns and a few rows: of the delimiters, the one that makes the most columns. */
export function sampleOf(text: string): Sample {
  const plain = text.replace(/^\uFEFF/, "");
  const all = DELIMITERS.map((delimiter) => parseRows(plain, delimiter, ROWS + 1));
  const [best = []] = all.toSorted((a, b) => (b[0]?.length ?? 0) - (a[0]?.length ?? 0));
  const [columns = [], ...rows] = best;
  return { columns: columns.map((name) => name.trim()), rows };
}

export const readSample = async (file: File) => sampleOf(await file.slice(0, HEAD_BYTES).text());

const normalise = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

type Field = { name: string; synonyms: readonly string[] };

/** The field that each column is taken for by its name, as the service does it. */
export function detect(columns: readonly string[], fields: readonly Field[]): Record<string, string | null> {
  const byName = new Map<string, string>();
  for (const { name, synonyms } of fields) for (const one of [...synonyms, name]) byName.set(normalise(one), name);
  const used = new Set<string>();
  return Object.fromEntries(
    columns.map((column) => {
      const field = byName.get(normalise(column)) ?? null;
      const free = field !== null && !used.has(field);
      if (free) used.add(field);
      return [column, free ? field : null];
    }),
  );
}
