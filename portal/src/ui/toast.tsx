import { notifications } from "@mantine/notifications";
import { reasonOf } from "./failure.tsx";

const UNDO_MS = 10_000;
const READ_MS = 5_000;

/** Says that something happened, and offers to take it back. */
export function toast(message: React.ReactNode, undo?: () => void): void {
  const id = crypto.randomUUID();
  notifications.show({
    id,
    autoClose: undo ? UNDO_MS : READ_MS,
    message: (
      <span className="t-toast">
        <span>{message}</span>
        {undo && (
          <button
            type="button"
            onClick={() => {
              notifications.hide(id);
              undo();
            }}
          >
            Undo
          </button>
        )}
      </span>
    ),
  });
}

/** Says what did not happen, in the API's words. */
export function toastError(title: string, error: Error): void {
  notifications.show({ title, message: reasonOf(error), color: "red", autoClose: UNDO_MS });
}
