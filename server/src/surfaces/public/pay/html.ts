/** Markup that is safe to send. Only `html` makes it. */
export type Html = { readonly markup: string };
type Value = Html | string | number | null | false | readonly Html[];

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Markup with values: texts are escaped, markup is taken as it is, null and false are left out. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  const markup = parts.map((part, index) => part + (index < values.length ? rendered(values[index] as Value) : "")).join("");
  return { markup };
}

function rendered(value: Value): string {
  if (value === null || value === false) return "";
  if (typeof value === "string" || typeof value === "number") return escaped(String(value));
  return "markup" in value ? value.markup : value.map(({ markup }) => markup).join("");
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (letter) => ESCAPES[letter] ?? letter);
}
