import { Button, Popover, Select, TextInput } from "@mantine/core";
import { ListFilter } from "lucide-react";
import classes from "./filters.module.css";
import { Pair } from "./form.tsx";
import { useUrl } from "./url.ts";

/** Filters that are needed now and then: behind one button, which says how many are set. `names` are those of the address. */
export function Filters({ names, children }: { names: readonly string[]; children: React.ReactNode }) {
  const [url, setUrl] = useUrl();
  const count = names.filter((name) => url[name]).length;
  return (
    <Popover
      position="bottom-end"
      width={320}
      shadow="md"
      trapFocus
      classNames={{ dropdown: `t-pop ${classes.pop}` }}
      middlewares={{ flip: true, shift: { crossAxis: true, padding: 8 }, size: { padding: 8 } }}
    >
      <Popover.Target>
        <Button data-filters variant={count > 0 ? "default" : "subtle"} leftSection={<ListFilter />}>
          {count > 0 ? `Filters, ${count}` : "Filters"}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <div className={classes.filters} tabIndex={-1} data-autofocus>
          {children}
          <Button
            variant="default"
            disabled={count === 0}
            onClick={() => setUrl(Object.fromEntries(names.map((name) => [name, undefined])))}
          >
            Clear
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

type ChoiceProps = {
  /** Its name in the address. */
  name: string;
  label: string;
  data: readonly (string | { value: string; label: string })[];
  /** For a choice among many, which the API finds as one types: the text, and what changes it. */
  search?: readonly [string, (text: string) => void];
};

/** More than can be seen at once. */
const LONG = 12;

/** A filter that is one of some values, or any. */
export function Choice({ name, label, data, search }: ChoiceProps) {
  const [url, setUrl] = useUrl();
  return (
    <Select
      label={label}
      placeholder="Any"
      clearable
      searchable={data.length > LONG}
      comboboxProps={{ withinPortal: false }}
      data={[...data]}
      value={url[name] ?? null}
      onChange={(value) => setUrl({ [name]: value ?? undefined })}
      {...(search && {
        searchable: true,
        filter: ({ options }) => options,
        searchValue: search[0],
        onSearchChange: search[1],
      })}
    />
  );
}

/** The first and the last day: `from` and `to` of the address, of which `daysWithin` makes the parameters of the API. */
export function FromTo() {
  const [url, setUrl] = useUrl();
  const field = (name: "from" | "to", label: string) => (
    <TextInput
      type="date"
      label={label}
      value={url[name] ?? ""}
      onChange={({ currentTarget }) => setUrl({ [name]: currentTarget.value })}
    />
  );
  return (
    <Pair>
      {field("from", "From")}
      {field("to", "To, inclusive")}
    </Pair>
  );
}
