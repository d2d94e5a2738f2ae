import { ApiError } from "@tributary/sdk";
import { toast, toastError } from "../../../ui/toast.tsx";
import { useUrl } from "../../../ui/url.ts";
import { type Agent, type AgentVersionWhole, type Content, useSaveDraft } from "../data.ts";
import type { Draft } from "./draft.ts";

type Props = { agent: Agent; draft: Draft; version: AgentVersionWhole | undefined };

/** Saves what is written: into the draft, or as the next version where the newest was published. False: it was refused, and the editor says why. */
export function useSave({ agent, draft, version }: Props) {
  const save = useSaveDraft(draft.saved);
  const [, setUrl] = useUrl();
  return {
    busy: save.isPending,
    async save(): Promise<boolean> {
      if (draft.value === null || version === undefined) {
        setUrl({ show: undefined });
        return false;
      }
      try {
        const content = draft.value as Content;
        const saved = await save.mutateAsync({ agent, draft: version.published_at === null ? version.number : null, content });
        toast(`Draft ${saved.number} is saved`);
        return true;
      } catch (error) {
        if (error instanceof ApiError && error.errors.length > 0) draft.refuse(error);
        else toastError("The draft is not saved", error as Error);
        setUrl({ show: undefined });
        return false;
      }
    },
  };
}
