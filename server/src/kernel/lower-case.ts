/** The one letter whose lower case JavaScript writes as two characters. */
const DOTTED = "İ";

/**
 * Lower case as the database has it (`lower()` in its locale, C.UTF-8): each letter by itself. What it takes for the same name is then the
 * same here, too. JavaScript's own writes a last Σ as ς, and İ as two characters.
 */
export function lowerCase(text: string): string {
  return Array.from(text, (letter) => (letter === DOTTED ? "i" : letter.toLowerCase())).join("");
}
