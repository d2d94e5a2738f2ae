import { Button, Popover, Select, TextInput } from "@mantine/core";
import { ListFilter, X } from "lucide-react";
import { useState } from "react";
import type { UrlChange } from "../../../ui/url.ts";
import classes from "../crm.module.css";
import type { CustomField } from "./data.ts";
import { OwnerSelect, usePersonName } from "./people.tsx";

type Url = Readonly<Record<string, string | undefined>>;
type Props = { url: Url; setUrl(change: UrlChange): void; fields: readonly CustomField[]; children?: React.ReactNode };

/** The filters that contacts and leads share, in a popover. The address has them. */
export function Filters({ url, setUrl, fields, children }: Props) {
  const text = (name: string, label: string, type = "text") => (
    <LateText key={name} label={label} type={type} value={url[name] ?? ""} set={(value) => setUrl({ [name]: value })} />
  );
  return (
    <Popover position="bottom-end" width={300} shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="subtle" leftSection={<ListFilter />}>
          Filters
        </Button>
      </Popover.Target>
      <Popover.Dropdown className="t-pop">
        <div className={classes.filters}>
          {children}
          {text("tag", "Tag")}
          <OwnerSelect value={url.owner ?? null} onChange={(owner) => setUrl({ owner: owner ?? undefined })} />
          {text("company", "Company")}
          {text("since", "Created since", "date")}
          {fields.map((field) => {
            const name = `custom.${field.key}`;
            const options = field.type === "boolean" ? ["true", "false"] : field.options;
            if (options.length === 0) return text(name, field.label, field.type === "date" ? "date" : "text");
            return (
              <Select
                key={name}
                label={field.label}
                data={options}
                value={url[name] ?? null}
                clearable
                allowDeselect
                onChange={(value) => setUrl({ [name]: value ?? undefined })}
              />
            );
          })}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

/** A text that filters when one leaves it or presses Enter. */
function LateText({ label, type, value, set }: { label: string; type: string; value: string; set(value: string): void }) {
  const [text, setText] = useState(value);
  return (
    <TextInput
      label={label}
      type={type}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={() => text !== value && set(text)}
      onKeyDown={({ key }) => key === "Enter" && set(text)}
    />
  );
}

export const FILTERS = ["tag", "owner", "company", "since"];

/** The names and values of the filters that the address has. */
export function filtersOf(url: Url, more: readonly string[] = []): [string, string][] {
  return Object.entries(url).flatMap(([name, value]) =>
    value && (FILTERS.includes(name) || more.includes(name) || name.startsWith("custom.")) ? [[name, value]] : [],
  );
}

/** As the API names them. */
export function filterQuery(url: Url): Record<string, string | string[]> {
  const custom = Object.entries(url).filter(([name, value]) => name.startsWith("custom.") && value) as [string, string][];
  return {
    ...(url.q ? { q: url.q } : {}),
    ...(url.tag ? { tag: [url.tag] } : {}),
    ...(url.owner ? { owner_id: url.owner } : {}),
    ...(url.company ? { company: url.company } : {}),
    ...(url.since ? { created_after: new Date(`${url.since}T00:00:00`).toISOString() } : {}),
    ...Object.fromEntries(custom),
  };
}

const NAMES: Record<string, string> = { since: "created since", source: "from", score: "score at least" };

type ChipsProps = { url: Url; setUrl(change: UrlChange): void; fields: readonly CustomField[]; more?: readonly string[] };

/** What the rows are narrowed to; each can be taken away. */
export function FilterChips({ url, setUrl, fields, more }: ChipsProps) {
  const nameOf = usePersonName();
  const chips = filtersOf(url, more);
  if (chips.length === 0) return null;
  const labelOf = (name: string) =>
    fields.find(({ key }) => name === `custom.${key}`)?.label ?? NAMES[name] ?? name.replace(/^custom\./, "");
  return (
    <div className={classes.chips}>
      {chips.map(([name, value]) => (
        <button
          key={name}
          type="button"
          onClick={() => setUrl({ [name]: undefined })}
          aria-label={`Remove filter ${labelOf(name)}`}
        >
          <span className="muted">{labelOf(name)}</span> {name === "owner" ? nameOf(value) : value}
          <X size={12} aria-hidden />
        </button>
      ))}
    </div>
  );
}
