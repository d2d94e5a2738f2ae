import { Button, Group, Modal, TextInput } from "@mantine/core";
import { useState } from "react";
import classes from "./form.module.css";
import { Problem } from "./form.tsx";

type Props = {
  opened: boolean;
  close(): void;
  /** A question that names the thing: "Suspend Harbour Dental?" */
  title: string;
  /** What follows: who loses what, how much money, what stays. Never "Are you sure?". */
  children: React.ReactNode;
  /** The verb: "Suspend". */
  action: string;
  danger?: boolean;
  /** Only where nothing can undo it: the name that has to be typed. */
  type?: string;
  onConfirm(): Promise<unknown>;
};

/** The consequence before the act. The dialog stays open, with the reason, if the act fails. */
export function Confirm({ opened, close, title, children, action, danger = false, type, onConfirm }: Props) {
  const [typed, setTyped] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const shut = () => {
    setTyped("");
    setError(null);
    close();
  };
  const confirm = async () => {
    setBusy(true);
    setError(null);
    try {
      await onConfirm();
      shut();
    } catch (reason) {
      setError(reason as Error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal opened={opened} onClose={shut} title={title} size={440}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          void confirm();
        }}
      >
        <div className={classes.consequence}>{children}</div>
        {type !== undefined && (
          <TextInput
            label={`Type ${type} to confirm`}
            value={typed}
            autoComplete="off"
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        )}
        <Problem error={error} />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={shut}>
            Cancel
          </Button>
          <Button
            type="submit"
            {...(danger ? { variant: "danger-filled" } : {})}
            loading={busy}
            disabled={type !== undefined && typed !== type}
            data-autofocus={type === undefined || undefined}
          >
            {action}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
