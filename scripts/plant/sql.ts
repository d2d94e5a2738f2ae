import type { Change } from "./places.ts";

type Rule = { kind: string; pattern: RegExp; by: string | ((match: RegExpMatchArray) => string) };

const BOUNDS: Record<string, string> = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };
const EXTREMES: Record<string, string> = { least: "greatest", greatest: "least", min: "max", max: "min" };

/** Small mistakes in a piece of SQL. */
const RULES: Rule[] = [
  { kind: "sql-bound", pattern: / (<=|>=|<|>) /g, by: ([, sign = ""]) => ` ${BOUNDS[sign]} ` },
  { kind: "sql-null", pattern: /\bis not null\b/g, by: "is null" },
  { kind: "sql-null", pattern: /\bis null\b/g, by: "is not null" },
  { kind: "sql-descending", pattern: / desc\b/g, by: "" },
  { kind: "sql-order", pattern: / order by [\w.]+(?=[\s`"])/g, by: "" },
  { kind: "sql-lock", pattern: / for (no key update|update|key share|share)( of \w+)?( skip locked| nowait)?/g, by: "" },
  { kind: "sql-skip-locked", pattern: / skip locked/g, by: "" },
  { kind: "sql-distinct", pattern: /\bdistinct (?!on|from)/g, by: "" },
  { kind: "sql-left-join", pattern: /\bleft join\b/g, by: "join" },
  { kind: "sql-version", pattern: /version \+ 1\b/g, by: "version" },
  { kind: "sql-sign", pattern: / ([+-]) (?=[\w$(])/g, by: ([, sign]) => (sign === "+" ? " - " : " + ") },
  { kind: "sql-extreme", pattern: /\b(least|greatest|min|max)\(/g, by: ([, name = ""]) => `${EXTREMES[name]}(` },
  { kind: "sql-not", pattern: /\bnot (?!null|exists|in\b|distinct)/g, by: "" },
  { kind: "sql-exists", pattern: /\bnot exists\b/g, by: "exists" },
  { kind: "sql-set", pattern: /, \w+ = [^,\n`()]+(?=[,\n])/g, by: "" },
  { kind: "sql-coalesce", pattern: /coalesce\(([\w.$]+), [^()]+?\)/g, by: ([, value = ""]) => value },
  { kind: "sql-unequal", pattern: /<> (?='\w+')/g, by: "= " },
  { kind: "sql-in", pattern: / in \('\w+', /g, by: " in (" },
];

const IS_SQL = /\b(select|insert into|update|delete from|where|from|order by|and|returning|values)\b/;

export const looksLikeSql = (text: string): boolean => IS_SQL.test(text);

/** The changes of a piece of SQL; their places count from its begin. */
export function sqlChanges(piece: string): Change[] {
  const changes = RULES.flatMap(({ kind, pattern, by }) =>
    [...piece.matchAll(pattern)].map((match) => ({
      kind,
      start: match.index,
      end: match.index + match[0].length,
      by: typeof by === "string" ? by : by(match),
    })),
  );
  return [...changes, ...lostConditions(piece)];
}

const ENDS_CONDITION =
  /^\s(and|or|order|group|limit|for|returning|on|union|window|having|left|join|cross|from|where|then|else|end)\b/;

/** Each `and` with its condition, as far as that stands in this piece. */
function lostConditions(piece: string): Change[] {
  return [...piece.matchAll(/\s+and (?=\S)/g)].flatMap((match) => {
    if (/between\s+\S+$/.test(piece.slice(0, match.index))) return [];
    let depth = 0;
    let end = match.index + match[0].length;
    for (; end < piece.length; end += 1) {
      if (piece.startsWith("${", end)) return [];
      if (piece[end] === "(") depth += 1;
      else if (piece[end] === ")") depth -= 1;
      if (depth < 0 || (depth === 0 && (piece[end] === "," || ENDS_CONDITION.test(piece.slice(end, end + 12))))) break;
    }
    return depth > 0 ? [] : [{ kind: "sql-and", start: match.index, end, by: "" }];
  });
}
