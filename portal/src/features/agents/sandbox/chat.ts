import { useEffect, useState } from "react";
import { type SandboxRequest, type SandboxRun, useRunSandbox } from "./data.ts";

/** With which version one talks, and as whom. */
export type SetUp = { version: "draft" | "published"; contact: { id: string; name: string } | null; hours: "open" | "closed" };

export type Chat = {
  setUp: SetUp;
  /** A run for each message, each going on where the one before it ended. */
  runs: readonly SandboxRun[];
};

const EMPTY: Chat = { setUp: { version: "draft", contact: null, hours: "open" }, runs: [] };

/** Conversations of this tab by agent: who mends the playbook in between finds them again. */
const chats = new Map<string, Chat>();

/** Somebody new is a lead, as whoever writes for the first time is. */
const worldOf = ({ contact, hours }: SetUp): NonNullable<SandboxRequest["world"]> => ({
  hours,
  ...(contact ? { contact_id: contact.id } : { fixtures: { lead: { status: "new" } } }),
});

/** What somebody has written in a conversation. */
export const writtenIn = (runs: readonly SandboxRun[]) =>
  runs.flatMap(({ transcript }) => transcript.filter(({ role }) => role === "contact").map(({ text }) => ({ text })));

/** The request that has a conversation once more, from its beginning. */
export const scriptOf = ({ setUp, runs }: Chat): SandboxRequest => ({
  version: setUp.version,
  messages: writtenIn(runs),
  world: worldOf(setUp),
});

/** The conversation as a test, which names no version. */
export const testOf = ({ setUp, runs }: Chat) => ({ messages: writtenIn(runs), world: worldOf(setUp) });

/** A conversation with an agent of which nothing happens. */
export function useChat(agent_id: string) {
  const [chat, setChat] = useState(() => chats.get(agent_id) ?? EMPTY);
  const run = useRunSandbox(agent_id);
  useEffect(() => {
    chats.set(agent_id, chat);
  }, [agent_id, chat]);
  return {
    chat,
    busy: run.isPending,
    error: run.error,
    async say(text: string): Promise<void> {
      const { setUp, runs } = chat;
      const before = runs.at(-1);
      const on = before === undefined ? {} : { continue_from: before.id };
      const ran = await run.mutateAsync({ version: setUp.version, messages: [{ text }], world: worldOf(setUp), ...on });
      setChat({ setUp, runs: [...runs, ran] });
    },
    /** Has the same conversation once more, with the version as it is now. */
    async again(): Promise<void> {
      if (chat.runs.length === 0) return;
      const ran = await run.mutateAsync(scriptOf(chat));
      setChat({ ...chat, runs: [ran] });
    },
    /** Begins again; another person, or other hours, are for the beginning. */
    reset(change: Partial<SetUp> = {}) {
      run.reset();
      setChat({ setUp: { ...chat.setUp, ...change }, runs: [] });
    },
  };
}
