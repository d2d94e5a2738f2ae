import { toast, toastError } from "../../ui/toast.tsx";
import { type Act, type Rollout, useMoveRollout } from "./rollouts.data.ts";

/** What can be done to a rollout, said when it is done. */
export function useAct(rollout: Rollout) {
  const move = useMoveRollout();
  const WORDS: Record<Act, string> = {
    pause: "Paused",
    resume: "It goes on",
    cancel: "Cancelled",
    retry: "What failed is tried again",
    rollback: "Rolling back",
  };
  return async (act: Act) => {
    await move.mutateAsync({ id: rollout.id, act });
    toast(WORDS[act]);
  };
}

/** For acts that are not confirmed first. */
export const tell = (error: Error) => toastError("That was not possible", error);
