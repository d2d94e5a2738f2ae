import { Select } from "@mantine/core";
import type { Sample } from "./csv.ts";
import type { ImportFields, Mapping, Mode } from "./data.ts";
import classes from "./imports.module.css";

/** The groups of fields of which the file has no column. */
export function missingOf({ required }: ImportFields, mode: Mode, mapping: Mapping): string[][] {
  const mapped = new Set(Object.values(mapping));
  return required[mode].filter((group) => !group.some((field) => mapped.has(field)));
}

const labelOf = (field: string) => field.replace(/^custom\./, "").replaceAll("_", " ");

type Props = {
  sample: Sample;
  fields: readonly { name: string }[];
  mapping: Mapping;
  map(column: string, field: string | null): void;
};

/** Each column with what stands in it, and the field it is taken for. */
export function MappingTable({ sample, fields, mapping, map }: Props) {
  const used = new Set(Object.values(mapping));
  const data = [
    { group: "Fields", items: fields.filter(({ name }) => !name.startsWith("custom.")) },
    { group: "Custom fields", items: fields.filter(({ name }) => name.startsWith("custom.")) },
  ].filter(({ items }) => items.length > 0);
  return (
    <table className={classes.mapping} aria-label="Columns">
      <thead>
        <tr>
          <th scope="col">Column</th>
          <th scope="col">Holds</th>
          <th scope="col">Becomes</th>
        </tr>
      </thead>
      <tbody>
        {sample.columns.map((column, index) => (
          <tr key={column}>
            <td>{column}</td>
            <td className="muted">
              {sample.rows
                .map((row) => row[index])
                .filter(Boolean)
                .slice(0, 3)
                .join(" · ")}
            </td>
            <td>
              <Select
                aria-label={`Field of ${column}`}
                placeholder="Not imported"
                data={data.map(({ group, items }) => ({
                  group,
                  items: items.map(({ name }) => ({
                    value: name,
                    label: labelOf(name),
                    disabled: used.has(name) && mapping[column] !== name,
                  })),
                }))}
                value={mapping[column] ?? null}
                clearable
                allowDeselect
                searchable
                onChange={(field) => map(column, field)}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
