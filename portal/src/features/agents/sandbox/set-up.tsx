import { SegmentedControl, Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useMay } from "../../../api/session.ts";
import { useContactsLike } from "../../crm/contacts/data.ts";
import type { Account } from "../../crm/records/data.ts";
import type { Agent } from "../data.ts";
import type { SetUp } from "./chat.ts";
import classes from "./sandbox.module.css";

type Props = { account: Account; agent: Agent; setUp: SetUp; change(change: Partial<SetUp>): void };

/** With which version one talks, as whom and when. Each change begins the conversation again. */
export function SetUpFields({ account, agent, setUp, change }: Props) {
  const { latest_version, published_version } = agent;
  const [text, setText] = useState("");
  const [settled] = useDebouncedValue(text, 150);
  const may = useMay();
  const found = useContactsLike(account.id, settled, may("contacts:read")).data ?? [];
  const known = [...(setUp.contact ? [setUp.contact] : []), ...found.filter(({ id }) => id !== setUp.contact?.id)];
  return (
    <div className={classes.setUp}>
      <Select
        className={classes.version}
        aria-label="Version"
        size="xs"
        allowDeselect={false}
        data={[
          {
            value: "draft",
            label: latest_version === published_version ? `Version ${latest_version}` : `Draft ${latest_version}`,
          },
          ...(published_version !== null && published_version !== latest_version
            ? [{ value: "published", label: `Published ${published_version}` }]
            : []),
        ]}
        value={setUp.version === "published" && published_version !== latest_version ? "published" : "draft"}
        onChange={(value) => change({ version: value as SetUp["version"] })}
      />
      <Select
        className={classes.person}
        aria-label="Write as"
        size="xs"
        placeholder="Somebody new"
        searchable
        clearable
        filter={({ options }) => options}
        nothingFoundMessage={text === "" ? "Type a name" : "Nobody"}
        data={known.map(({ id, name }) => ({ value: id, label: name ?? "Without a name" }))}
        value={setUp.contact?.id ?? null}
        searchValue={text}
        onSearchChange={setText}
        onChange={(id) => {
          const one = known.find((contact) => contact.id === id);
          change({ contact: one === undefined ? null : { id: one.id, name: one.name ?? "" } });
        }}
      />
      <SegmentedControl
        className={classes.hours}
        aria-label="Hours of the channel"
        size="xs"
        data={[
          { value: "open", label: "Open" },
          { value: "closed", label: "Closed" },
        ]}
        value={setUp.hours}
        onChange={(value) => change({ hours: value as SetUp["hours"] })}
      />
    </div>
  );
}
