import { Button, Checkbox } from "@mantine/core";
import { useSession } from "../../api/session.ts";
import type { Scope } from "./data.ts";
import classes from "./keys.module.css";
import { PRESETS, rowsOf, wordsOf } from "./model.ts";

type Props = { value: readonly Scope[]; onChange(value: Scope[]): void; error?: React.ReactNode };

/** What a key may do: one row per resource, read beside write. */
export function ScopeGrid({ value, onChange, error }: Props) {
  const own = useSession().scopes as readonly Scope[];
  // A key that somebody else made may have more than this person: those stay.
  const all = [...own, ...value.filter((scope) => !own.includes(scope))];
  const set = (scopes: readonly Scope[], on: boolean) =>
    onChange(all.filter((scope) => (scopes.includes(scope) ? on : value.includes(scope))));
  const cell = (scope: Scope | undefined, name: string) =>
    scope === undefined ? (
      <span />
    ) : (
      <Checkbox
        aria-label={name}
        checked={value.includes(scope)}
        onChange={({ currentTarget }) => set([scope], currentTarget.checked)}
      />
    );
  return (
    <fieldset className={classes.grid}>
      <legend>
        Scopes <span className="muted">{value.length} chosen</span>
      </legend>
      <div className={classes.presets}>
        {PRESETS.map(({ name, wants }) => (
          <Button key={name} variant="default" size="xs" onClick={() => onChange(own.filter(wants))}>
            {name}
          </Button>
        ))}
      </div>
      {error && (
        <p className={classes.error} role="alert">
          {error}
        </p>
      )}
      <div className={classes.row} data-head>
        <span />
        {(["read", "write"] as const).map((act) => {
          const column = all.filter((scope) => scope.endsWith(`:${act}`));
          const on = column.filter((scope) => value.includes(scope)).length;
          return (
            <Checkbox
              key={act}
              label={act === "read" ? "Read" : "Write"}
              checked={on > 0 && on === column.length}
              indeterminate={on > 0 && on < column.length}
              onChange={() => set(column, on < column.length)}
            />
          );
        })}
        <span />
      </div>
      {rowsOf(all).map(({ resource, read, write, others }) => (
        <div key={resource} className={classes.row} role="group" aria-label={wordsOf(resource)}>
          <span className="cut">{wordsOf(resource)}</span>
          {cell(read, `${wordsOf(resource)}, read`)}
          {cell(write, `${wordsOf(resource)}, write`)}
          <span className={classes.others}>
            {others.map((scope) => (
              <Checkbox
                key={scope}
                label={wordsOf(scope.split(":")[1] ?? "")}
                checked={value.includes(scope)}
                onChange={({ currentTarget }) => set([scope], currentTarget.checked)}
              />
            ))}
          </span>
        </div>
      ))}
    </fieldset>
  );
}
