import { Button, Group, Modal } from "@mantine/core";
import { Check, Copy } from "lucide-react";
import { useCopy } from "./copy.tsx";
import classes from "./once.module.css";

type Props = {
  /** "Reporting is ready" */
  title: string;
  /** Why it has to be stored now. */
  lead: string;
  /** What the secret is, for people who hear it: "Key". */
  label: string;
  secret: string;
  close(): void;
  children?: React.ReactNode;
};

/** A secret that is shown once. Only its button closes the dialog: a slip of the mouse must not lose it. */
export function ShownOnce({ title, lead, label, secret, close, children }: Props) {
  return (
    <Modal
      opened
      onClose={close}
      title={title}
      size={520}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <p className={classes.lead}>{lead}</p>
      <Secret label={label} text={secret} />
      {children}
      <Group justify="flex-end" mt={20}>
        <Button onClick={close}>I have stored it</Button>
      </Group>
    </Modal>
  );
}

/** A text to be copied, on the accent's wash. */
export function Secret({ label, text }: { label: string; text: string }) {
  const { copied, copy } = useCopy();
  return (
    <div className={classes.secret}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <code role="region" aria-label={label} tabIndex={0}>
        {text}
      </code>
      <Button variant="default" leftSection={copied ? <Check /> : <Copy />} data-autofocus onClick={() => copy(text)}>
        {copied ? "Copied" : "Copy"}
      </Button>
    </div>
  );
}
