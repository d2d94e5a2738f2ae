import type { Branding, Message } from "./client.ts";
import type { Storage, Waiting } from "./storage.ts";

/** What the view shows. */
export type State = {
  branding: Branding;
  messages: readonly Message[];
  waiting: readonly Waiting[];
  /** What the service refused for good. */
  failed: readonly string[];
  /** Whether messages arrive as they are written. */
  connected: boolean;
  has_more: boolean;
  unread: number;
  /** Whether the visitor may say who it is. */
  asks: boolean;
  /** The channel does not admit this page: there is nothing to show. */
  refused: boolean;
};

export type Thread = ReturnType<typeof createThread>;

const EMPTY: State = {
  branding: { title: null, greeting: null, color: null, position: "right", team: null },
  messages: [],
  waiting: [],
  failed: [],
  connected: false,
  has_more: false,
  unread: 0,
  asks: false,
  refused: false,
};

/** The order of the thread: conversations by their ids, messages by their ordinals. */
export function compareIds(one: string, other: string): number {
  const [conversation1 = "", ordinal1 = ""] = one.split(".");
  const [conversation2 = "", ordinal2 = ""] = other.split(".");
  if (conversation1 !== conversation2) return conversation1 < conversation2 ? -1 : 1;
  return Number(ordinal1) - Number(ordinal2);
}

/** What was said and what waits to be sent. Each message is there once, however often and in whatever order it arrives. */
export function createThread(storage: Storage, stranger: boolean, changed: (state: State) => void) {
  const known = new Map<string, Message>();
  let state = EMPTY;

  function update(change: Partial<State> = {}): void {
    const messages = [...known.values()].sort((one, other) => compareIds(one.id, other.id));
    const seen = storage.seen() ?? "";
    const unread = messages.filter(({ from, id }) => from === "team" && compareIds(id, seen) > 0).length;
    const asks = stranger && !storage.asked() && messages.some(({ from }) => from === "visitor");
    state = { ...state, ...change, messages, waiting: storage.waiting(), unread, asks };
    changed(state);
  }

  return {
    state: () => state,
    update,
    add(messages: readonly Message[], change: Partial<State> = {}): void {
      for (const message of messages) {
        known.set(message.id, message);
        if (message.client_message_id !== null) storage.removeWaiting(message.client_message_id);
      }
      update(change);
    },
    /** Notes that everything was seen; the id of the last message of the team, if it was new. */
    see(): string | null {
      const last = state.messages.findLast(({ from }) => from === "team");
      if (last === undefined || compareIds(last.id, storage.seen() ?? "") <= 0) return null;
      storage.setSeen(last.id);
      update();
      return last.id;
    },
  };
}
