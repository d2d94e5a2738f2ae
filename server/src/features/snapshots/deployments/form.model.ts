/** JSON that accounts share but for their ids: the text around the blanks, and what is to stand in each. */
export type Form = { texts: readonly string[]; blanks: readonly string[] };

/** A blank is a string of its own: a position in the account (`#3`), or the ordinal of an id that a plan has made (`+3`). */
const BLANK = /(?<=")([#+]\d+)(?="(?!:))/;

export const newBlank = (ordinal: number) => `+${ordinal}`;

export function formOf(value: object): Form {
  const pieces = JSON.stringify(value).split(BLANK);
  return {
    texts: pieces.filter((_, index) => index % 2 === 0),
    blanks: pieces.filter((_, index) => index % 2 === 1),
  };
}

/** The JSON of one account. */
export function filled({ texts, blanks }: Form, made: readonly string[], idAt: (position: string) => string): string {
  let text = texts[0] ?? "";
  for (const [index, blank] of blanks.entries()) {
    text += blank.startsWith("+") ? made[Number(blank.slice(1))] : idAt(blank);
    text += texts[index + 1];
  }
  return text;
}
