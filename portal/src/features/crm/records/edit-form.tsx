import { Button } from "@mantine/core";
import { ApiError } from "@tributary/sdk";
import { useState } from "react";
import { Blocker } from "../../../ui/answer.tsx";
import { type ApiForm, useApiForm } from "../../../ui/form.tsx";
import classes from "../crm.module.css";

type Values = Record<string, unknown>;
/** What somebody else changed while the form was open. */
export type Theirs = { path: string; was: unknown; now: unknown; kept: boolean };

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
const isNested = (value: unknown): value is Values => typeof value === "object" && value !== null && !Array.isArray(value);

/** Every value by its path: "name", "custom.size". */
function flat(values: Values, before = ""): [string, unknown][] {
  return Object.entries(values).flatMap(([key, value]) =>
    isNested(value) ? flat(value, `${before}${key}.`) : [[before + key, value] as [string, unknown]],
  );
}

type Options<Row, Form extends Values, Body extends object> = {
  record: Row;
  valuesOf(record: Row): Form;
  bodyOf(values: Form): Body;
  /** The record as it is now. */
  read(): Promise<Row>;
  /** Saves what is different from `before`; with its version. */
  save(before: Row, body: Partial<Body>): Promise<unknown>;
};

/**
 * The form of a record. Only what was changed is sent, and only if nobody else wrote meanwhile: otherwise what is typed stays, what
 * they changed elsewhere is taken over, and both are shown.
 */
export function useEditForm<Row, Form extends Values, Body extends object>(options: Options<Row, Form, Body>) {
  const { record, valuesOf, bodyOf, read, save } = options;
  const [base, setBase] = useState(record);
  const [theirs, setTheirs] = useState<readonly Theirs[]>([]);
  const api: ApiForm<Form> = useApiForm<Form>({
    initial: valuesOf(record),
    async send(values) {
      const before = bodyOf(valuesOf(base)) as Values;
      const body = Object.fromEntries(Object.entries(bodyOf(values)).filter(([name, value]) => !same(value, before[name])));
      try {
        await save(base, body as Partial<Body>);
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 412)) throw error;
        await meet(values);
      }
    },
  });
  const meet = async (values: Form) => {
    const now = await read();
    const was = Object.fromEntries(flat(valuesOf(base)));
    const mine = Object.fromEntries(flat(values));
    const changes = flat(valuesOf(now)).filter(([path, value]) => !same(value, was[path]));
    for (const [path, value] of changes) if (same(mine[path], was[path])) api.form.setFieldValue(path, value as never);
    setTheirs(changes.map(([path, value]) => ({ path, was: was[path], now: value, kept: !same(mine[path], was[path]) })));
    setBase(now);
  };
  const take = ({ path, now }: Theirs) => {
    api.form.setFieldValue(path, now as never);
    setTheirs(theirs.map((one) => (one.path === path ? { ...one, kept: false } : one)));
  };
  return { ...api, base, theirs, take };
}

const shown = (value: unknown) => (Array.isArray(value) ? value.join(", ") : String(value ?? "")) || "nothing";

/** What somebody else changed: already in the form, or against what is typed there. */
export function Changed({ theirs, take }: { theirs: readonly Theirs[]; take(change: Theirs): void }) {
  if (theirs.length === 0) return null;
  return (
    <Blocker title="Somebody else changed this meanwhile">
      Nothing is saved yet. Look at it, and save again.
      <ul className={classes.theirs}>
        {theirs.map((change) => (
          <li key={change.path}>
            <span>
              <b>{change.path.replace(/^custom\./, "").replaceAll("_", " ")}</b>: {shown(change.was)} → {shown(change.now)}
            </span>
            {change.kept ? (
              <Button size="xs" variant="default" onClick={() => take(change)}>
                Take theirs
              </Button>
            ) : (
              <span className="muted">taken over</span>
            )}
          </li>
        ))}
      </ul>
    </Blocker>
  );
}
