/** Two braces that no others close are a placeholder, too: one without a name. */
export const PLACEHOLDER = /\{\{([^{}]*)\}\}|\{\{/g;

/** What stands between the braces: a name, and a default after a bar. */
export function readPlaceholder(inner: string): { name: string; otherwise: string | null } {
  const bar = inner.indexOf("|");
  if (bar === -1) return { name: inner.trim(), otherwise: null };
  return { name: inner.slice(0, bar).trim(), otherwise: inner.slice(bar + 1).trim() };
}

/** The names of the placeholders of a text; null for one that does not end. */
export function placeholdersIn(text: string): (string | null)[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, inner]) => (inner === undefined ? null : readPlaceholder(inner).name));
}
