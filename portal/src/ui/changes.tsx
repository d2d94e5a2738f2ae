import classes from "./changes.module.css";
import { Section } from "./section.tsx";

/** A value of a change as people read it: "—" for nothing. */
function shown(value: unknown): string {
  if (value === null || value === undefined || value === "") return "—";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(shown).join(", ");
  if (typeof value === "object") return JSON.stringify(value);
  return String(value);
}

type Change = { field: string; from: string; to: string } | { field: string; redacted: true };

/** What an audit entry says of the fields that changed. */
type Fields = Record<string, "redacted" | { from?: unknown; to?: unknown }>;

export function changesOf(changes: Fields | null): readonly Change[] {
  return Object.entries(changes ?? {}).map(([field, change]) =>
    change === "redacted" ? { field, redacted: true } : { field, from: shown(change.from), to: shown(change.to) },
  );
}

/** Which fields were changed, from what to what. */
export function Changes({ changes }: { changes: Fields | null }) {
  const rows = changesOf(changes);
  if (rows.length === 0) return null;
  return (
    <Section title="Changes">
      <dl className={classes.changes}>
        {rows.map((change) => (
          <div key={change.field}>
            <dt>{change.field}</dt>
            {"redacted" in change ? (
              <dd className="muted">changed; personal data stays out of the log</dd>
            ) : (
              <dd>
                {change.from !== "—" && <del>{change.from}</del>} <ins>{change.to}</ins>
              </dd>
            )}
          </div>
        ))}
      </dl>
    </Section>
  );
}
