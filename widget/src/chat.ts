import { type Branding, type Client, type Message, Refused, type User } from "./client.ts";
import { backoffMs, dataOf } from "./events.ts";
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
  /** The channel does not admit this page: there is nothing to show. */
  refused: boolean;
};

export type Chat = ReturnType<typeof createChat>;

const PLAIN: Branding = { title: null, greeting: null, color: null, position: "right" };

/** The order of the thread: conversations by their ids, messages by their ordinals. */
export function compareIds(one: string, other: string): number {
  const [conversation1 = "", ordinal1 = ""] = one.split(".");
  const [conversation2 = "", ordinal2 = ""] = other.split(".");
  if (conversation1 !== conversation2) return conversation1 < conversation2 ? -1 : 1;
  return Number(ordinal1) - Number(ordinal2);
}

/** The thread of the visitor, without a page: what was said, what waits to be sent, and the connection that both go over. */
export function createChat(client: Client, storage: Storage, user: User | null, changed: (state: State) => void) {
  const known = new Map<string, Message>();
  let state: State = {
    branding: PLAIN,
    messages: [],
    waiting: [],
    failed: [],
    connected: false,
    has_more: false,
    unread: 0,
    refused: false,
  };
  let open = false;
  let streaming = false;
  let flushing = false;
  let wakeUp: () => void = () => undefined;

  function update(change: Partial<State> = {}): void {
    const messages = [...known.values()].sort((one, other) => compareIds(one.id, other.id));
    const seen = storage.seen() ?? "";
    const unread = messages.filter(({ from, id }) => from === "team" && compareIds(id, seen) > 0).length;
    state = { ...state, ...change, messages, waiting: storage.waiting(), unread };
    changed(state);
  }

  function add(messages: readonly Message[], change: Partial<State> = {}): void {
    for (const message of messages) {
      known.set(message.id, message);
      if (message.client_message_id !== null) storage.removeWaiting(message.client_message_id);
    }
    update(change);
    noteSeen();
  }

  /** What is in sight has been read. */
  function noteSeen(): void {
    const last = state.messages.findLast(({ from }) => from === "team");
    if (!open || document.hidden || last === undefined || compareIds(last.id, storage.seen() ?? "") <= 0) return;
    storage.setSeen(last.id);
    update();
    client.read(last.id).catch(() => undefined);
  }

  /** Waits a while, or until there is a reason to try at once. */
  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      const before = wakeUp;
      wakeUp = () => {
        clearTimeout(timer);
        before();
        resolve();
      };
    });
  }

  function wake(): void {
    const waking = wakeUp;
    wakeUp = () => undefined;
    waking();
  }

  /** Does something until it succeeds or is refused for good. Where the token is not valid, `renew` says whether to try again. */
  async function persist<T>(act: () => Promise<T>, renew: () => Promise<boolean> = beginAgain): Promise<T | null> {
    for (let failures = 0; ; failures += 1) {
      try {
        return await act();
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (error.status === 401 ? !(await renew()) : !error.passing) return null;
        if (error.passing) await pause(Math.max(error.retry_after_ms, backoffMs(failures)));
      }
    }
  }

  /** A visitor is remembered on this device from the first message on; a user of the site is named by each page. */
  const remember = () => user === null && storage.setToken(client.token());

  /** The token has run out, or was ended. */
  async function forgetToken(): Promise<boolean> {
    const had_one = storage.token() !== null;
    storage.setToken(null);
    return had_one;
  }

  async function beginAgain(): Promise<boolean> {
    await forgetToken();
    return begin();
  }

  async function begin(): Promise<boolean> {
    const session = await persist(() => client.session(storage.token()), forgetToken);
    if (session === null) return false;
    update({ branding: session.channel });
    if (user === null) {
      if (storage.token() !== null) remember();
      return true;
    }
    const identified = await persist(
      () => client.identify(user),
      async () => false,
    );
    // A stranger's thread is the user's now.
    if (identified !== null) storage.setToken(null);
    return identified !== null;
  }

  async function loadThread(before?: string): Promise<void> {
    const page = await persist(() => client.thread(before));
    if (page !== null) add(page.data, { has_more: page.has_more });
  }

  /** Keeps a stream open, from the last known message on. */
  async function stream(): Promise<void> {
    if (streaming) return;
    streaming = true;
    for (let failures = 0; ; failures += 1) {
      const silence = createSilence();
      const events = await persist(() => client.events(state.messages.at(-1)?.id ?? null, silence.signal));
      if (events === null) break;
      try {
        for await (const data of dataOf(events)) {
          silence.broken();
          failures = 0;
          if (data !== null) add([JSON.parse(data) as Message], { connected: true });
          else if (!state.connected) {
            update({ connected: true });
            wake();
          }
        }
      } catch {
        // The connection is lost: the next one goes on where it ended.
      }
      silence.over();
      update({ connected: false });
      await pause(backoffMs(failures));
    }
    streaming = false;
  }

  /** Sends what waits, in its order. A message that is sent twice is stored once. */
  async function flush(): Promise<void> {
    if (flushing) return;
    flushing = true;
    for (let next = storage.waiting()[0]; next !== undefined; next = storage.waiting()[0]) {
      const message = next;
      const stored = await persist(() => client.write(message));
      storage.removeWaiting(message.client_message_id);
      if (stored === null) update({ failed: [...state.failed, message.text] });
      else {
        remember();
        add([stored]);
        void stream();
      }
    }
    flushing = false;
  }

  return {
    async start(): Promise<void> {
      if (!(await begin())) return update({ refused: true });
      const returns = user !== null || storage.token() !== null;
      if (returns) {
        await loadThread();
        void stream();
      }
      void flush();
      update();
    },
    send(text: string): void {
      storage.addWaiting({ client_message_id: newClientId(), text });
      update();
      void flush();
    },
    loadEarlier: () => loadThread(state.messages[0]?.id),
    setOpen(now: boolean): void {
      open = now;
      noteSeen();
    },
    noteSeen,
    /** The connection may be back. */
    wake,
    /** Another page of the site has changed what is kept. */
    refresh: () => update(),
  };
}

/** 128 random bits. Not by randomUUID, which pages without TLS do not have. */
function newClientId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Three heartbeats of the service. */
const SILENT_MS = 45_000;

/** Ends a connection on which nothing arrives any more: some networks lose one without a word. */
function createSilence() {
  const ending = new AbortController();
  let timer = setTimeout(() => ending.abort(), SILENT_MS);
  return {
    signal: ending.signal,
    broken() {
      clearTimeout(timer);
      timer = setTimeout(() => ending.abort(), SILENT_MS);
    },
    over: () => clearTimeout(timer),
  };
}
