import { ActionIcon, TextInput } from "@mantine/core";
import { ArrowUp } from "lucide-react";
import { useState } from "react";

type Props = {
  placeholder: string;
  maxLength: number;
  /** What the button does. */
  label: string;
  busy: boolean;
  /** Sends the text, which comes back if that fails. */
  say(text: string): Promise<unknown>;
  className?: string | undefined;
};

/** One line to write a message in, as in a chat. */
export function WriteLine({ placeholder, maxLength, label, busy, say, className }: Props) {
  const [text, setText] = useState("");
  const empty = text.trim() === "";
  return (
    <form
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        if (empty || busy) return;
        // The next message can be written while this one is on its way; it comes back unless there is one.
        setText("");
        say(text).catch(() => setText((next) => next || text));
      }}
    >
      <TextInput
        aria-label="Message"
        placeholder={placeholder}
        autoComplete="off"
        maxLength={maxLength}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <ActionIcon type="submit" variant="filled" size={32} radius="xl" aria-label={label} loading={busy} disabled={empty}>
        <ArrowUp size={16} />
      </ActionIcon>
    </form>
  );
}
