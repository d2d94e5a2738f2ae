import { Button, Checkbox, Popover, TextInput } from "@mantine/core";
import { Plus, X } from "lucide-react";
import { useState } from "react";
import classes from "./bar.module.css";
import { Form, useApiForm } from "./form.tsx";
import { useGo } from "./link.tsx";
import { toastError } from "./toast.tsx";
import { useUrl } from "./url.ts";

type View = { id: string; name: string; query: string; shared: boolean };
type Props = {
  views: readonly View[] | undefined;
  save(view: { name: string; query: string; shared: boolean }): Promise<unknown>;
  remove(id: string): Promise<unknown>;
  /** The address of the page itself. */
  at: string;
};

/** Parts of an address that open something, and say nothing about what is listed. */
const PASSING = new Set(["new", "edit", "open", "tab", "won", "register"]);

/** An address in one order, so that two that mean the same are the same. */
function normal(query: Readonly<Record<string, string | undefined>> | string): string {
  const entries = typeof query === "string" ? [...new URLSearchParams(query)] : Object.entries(query);
  const kept = entries.filter(([name, value]) => value && !PASSING.has(name)) as [string, string][];
  return new URLSearchParams(kept.toSorted(([a], [b]) => (a < b ? -1 : 1))).toString();
}

/** The views that were saved of a page, as further tabs, and a way to save the one that is shown. Stands inside `Tabs`. */
export function SavedViews({ views, save, remove, at }: Props) {
  const [url] = useUrl();
  const go = useGo();
  const now = normal(url);
  if (views === undefined) return null;
  const isSaved = views.some(({ query }) => normal(query) === now);
  return (
    <>
      {views.map(({ id, name, query }) => {
        const open = normal(query) === now;
        return (
          <span key={id} className={classes.view}>
            <button type="button" aria-pressed={open} onClick={() => go(query === "" ? at : `${at}?${query}`)}>
              {name}
            </button>
            {open && (
              <button
                type="button"
                className={classes.remove}
                aria-label={`Delete the view ${name}`}
                onClick={() => void remove(id).catch((error: Error) => toastError("The view was not deleted", error))}
              >
                <X size={12} />
              </button>
            )}
          </span>
        );
      })}
      {now !== "" && !isSaved && <Save query={now} save={save} />}
    </>
  );
}

function Save({ query, save }: { query: string; save: Props["save"] }) {
  const [opened, setOpened] = useState(false);
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: { name: "", shared: false },
    async send(values) {
      await save({ ...values, query });
      setOpened(false);
    },
  });
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-start"
      width={280}
      trapFocus
      classNames={{ dropdown: "t-pop" }}
    >
      <Popover.Target>
        <button type="button" className="only-desk" aria-label="Save this view" onClick={() => setOpened(!opened)}>
          <Plus size={14} />
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <Form onSubmit={onSubmit} problem={problem}>
          <TextInput label="Name of the view" data-autofocus {...form.getInputProps("name")} />
          <Checkbox label="Share it with everybody here" {...form.getInputProps("shared", { type: "checkbox" })} />
          <Button type="submit" loading={busy}>
            Save view
          </Button>
        </Form>
      </Popover.Dropdown>
    </Popover>
  );
}
