import { Menu, Modal, TextInput } from "@mantine/core";
import { useState } from "react";
import { Form, FormFoot } from "../../../ui/form.tsx";
import { daysToMonday, fieldText, HOUR_MS, morning } from "./times.ts";

const shown = new Intl.DateTimeFormat("en-GB", { weekday: "short", hour: "2-digit", minute: "2-digit" });

type Props = {
  /** The button that opens the menu. */
  children: React.ReactElement;
  /** What happens then: "Snooze". */
  action: string;
  pick(at: Date): void;
};

/** A time to come: one of the usual ones, or any. */
export function LaterMenu({ children, action, pick }: Props) {
  const [other, setOther] = useState(false);
  const choices: readonly (readonly [string, Date])[] = [
    ["In an hour", new Date(Date.now() + HOUR_MS)],
    ["In three hours", new Date(Date.now() + 3 * HOUR_MS)],
    ["Tomorrow morning", morning(1)],
    ["Monday morning", morning(daysToMonday())],
  ];
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>{children}</Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{action}</Menu.Label>
          {choices.map(([name, at]) => (
            <Menu.Item key={name} rightSection={<span className="muted">{shown.format(at)}</span>} onClick={() => pick(at)}>
              {name}
            </Menu.Item>
          ))}
          <Menu.Item onClick={() => setOther(true)}>Another time…</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {other && <OtherTime action={action} pick={pick} close={() => setOther(false)} />}
    </>
  );
}

function OtherTime({ action, pick, close }: Omit<Props, "children"> & { close(): void }) {
  const [value, setValue] = useState(fieldText(morning(1)));
  return (
    <Modal opened onClose={close} title={action} size={360}>
      <Form
        onSubmit={(event) => {
          event?.preventDefault();
          if (value === "") return;
          pick(new Date(value));
          close();
        }}
      >
        <TextInput
          type="datetime-local"
          label="Until or at"
          description="In your time zone"
          data-autofocus
          value={value}
          onChange={({ currentTarget }) => setValue(currentTarget.value)}
        />
        <FormFoot action={action} disabled={value === ""} close={close} />
      </Form>
    </Modal>
  );
}
