import { Button, Group, Modal } from "@mantine/core";
import classes from "./snapshots.module.css";

/** What a capture could not take along, said once. */
export function LeftOut({ name, sentences, close }: { name: string; sentences: readonly string[]; close(): void }) {
  return (
    <Modal opened onClose={close} title={`Left out of ${name}`} size={520}>
      <p>This belongs to the account alone, so the snapshot does not have it:</p>
      <ul className={classes.leftOut}>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <Group justify="flex-end">
        <Button onClick={close} data-autofocus>
          Go on
        </Button>
      </Group>
    </Modal>
  );
}
