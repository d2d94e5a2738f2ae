import { useEffect, useState } from "react";
import type { Attachment } from "./data.ts";

/** What somebody is about to say. Its key is that of the message, so that a second try sends it once. */
export type Draft = {
  key: string;
  text: string;
  note: boolean;
  template: { id: string; name: string; vars: Record<string, string> } | null;
  files: readonly Attachment[];
};

const newDraft = (): Draft => ({ key: crypto.randomUUID(), text: "", note: false, template: null, files: [] });

/** Drafts of this tab by conversation: who looks at another one in between finds it again. */
const drafts = new Map<string, Draft>();

export function useDraft(conversation_id: string) {
  const [draft, setDraft] = useState(() => drafts.get(conversation_id) ?? newDraft());
  useEffect(() => {
    drafts.set(conversation_id, draft);
  }, [conversation_id, draft]);
  return {
    draft,
    /** What says something else is another message. */
    change: (values: Partial<Draft>) => setDraft((before) => ({ ...before, ...values, key: crypto.randomUUID() })),
    clear: () => setDraft(newDraft()),
  };
}

/** The values of a template that were given. */
export const varsOf = ({ vars }: NonNullable<Draft["template"]>) =>
  Object.fromEntries(Object.entries(vars).filter(([, value]) => value !== ""));
