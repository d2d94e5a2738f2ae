import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useMay } from "../../../api/session.ts";
import { Failure } from "../../../ui/failure.tsx";
import { Section } from "../../../ui/section.tsx";
import { useContactsLike } from "../contacts/data.ts";
import { type Template, usePreview } from "./data.ts";
import classes from "./templates.module.css";

/** What the saved template says to somebody. */
export function TemplatePreview({ template }: { template: Template }) {
  const may = useMay();
  const [contact, setContact] = useState<string | null>(null);
  const [search, setSearch] = useState("");
  const [settled] = useDebouncedValue(search, 150);
  const found = useContactsLike(template.account_id, settled, may("contacts:read")).data ?? [];
  const { data, error, refetch } = usePreview(contact === null ? null : template.id, { contact_id: contact ?? "" });
  if (!may("contacts:read")) return null;
  return (
    <Section title="Preview" aside="As it is saved">
      <Select
        label="To"
        placeholder="Type the name of a contact"
        searchable
        clearable
        searchValue={search}
        onSearchChange={setSearch}
        filter={({ options }) => options}
        nothingFoundMessage={search === "" ? undefined : "Nobody has this"}
        data={found.map(({ id, name }) => ({ value: id, label: name }))}
        value={contact}
        onChange={setContact}
      />
      {error && <Failure small title="The preview did not load" error={error} retry={refetch} />}
      {contact !== null && data && (
        <div className={classes.preview} role="status">
          {data.subject && <b>{data.subject}</b>}
          <p>{data.text}</p>
          {data.missing.length > 0 && (
            <p className="muted">Nothing is known for {data.missing.join(", ")}: such a message is refused.</p>
          )}
        </div>
      )}
    </Section>
  );
}
