import type { Branding, Client, Message, Profile, User } from "./client.ts";
import { backoffMs, dataOf } from "./events.ts";
import { createPatience } from "./patience.ts";
import { createSessions, type Sessions } from "./sessions.ts";
import type { Storage } from "./storage.ts";
import { createThread, type State, type Thread } from "./thread.ts";

export type Chat = ReturnType<typeof createChat>;

/** The chat without a page: the thread of the visitor, and the connection that it goes over. */
export function createChat(client: Client, storage: Storage, user: User | null, changed: (state: State) => void) {
  const patience = createPatience();
  const thread = createThread(storage, user === null, changed);
  const sessions = createSessions(client, storage, user, patience, showBranding(thread));
  let open = false;
  /** Up to where the thread has arrived without a gap. What the visitor writes may be stored after something that has not arrived yet. */
  let place: string | null = null;

  /** What is in sight has been read. */
  function noteSeen(): void {
    const id = open && !document.hidden ? thread.see() : null;
    if (id !== null) client.read(id).catch(() => undefined);
  }

  async function loadThread(before?: string): Promise<void> {
    const page = await sessions.persist(() => client.thread(before));
    if (page !== null) thread.add(page.data, { has_more: page.has_more });
    if (page !== null && before === undefined) place = page.data.at(-1)?.id ?? null;
    noteSeen();
  }

  /** Keeps a stream open, from the last message that has arrived. */
  const stream = oneAtATime(async () => {
    for (let failures = 0; ; failures += 1) {
      const opened = await sessions.persist(() => openStream(client, place));
      if (opened === null) break;
      const heard = await follow(opened, thread, (id) => {
        place = id ?? place;
        patience.wake();
        noteSeen();
      });
      if (heard) failures = 0;
      thread.update({ connected: false });
      await patience.pause(backoffMs(failures));
    }
  });

  /** Sends what waits, in its order. A message that is sent twice is stored once. */
  const flush = oneAtATime(async () => {
    while (await sendNext(client, storage, thread, sessions)) void stream();
  });

  return {
    async start(): Promise<void> {
      if (!(await sessions.begin())) return thread.update({ refused: true });
      if (sessions.returns()) {
        await loadThread();
        void stream();
      }
      void flush();
    },
    send(text: string): void {
      storage.addWaiting({ client_message_id: newClientId(), text });
      thread.update();
      void flush();
    },
    introduce: (profile: Profile | null) => introduce(client, storage, thread, sessions, profile),
    loadEarlier: () => loadThread(thread.state().messages[0]?.id),
    setOpen(now: boolean): void {
      open = now;
      noteSeen();
    },
    noteSeen,
    /** The connection may be back. */
    wake: patience.wake,
    /** Another page of the site has changed what is kept. */
    refresh: () => thread.update(),
  };
}

/** Shows what the channel looks like, and again when the team comes or goes. */
function showBranding(thread: Thread): (branding: Branding) => void {
  return (branding) => {
    thread.update({ branding });
    onceItIs(branding.team?.changes_at ?? null, () => thread.update());
  };
}

/** A timer that is longer fires at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** Does something at a time that is to come. */
function onceItIs(at: string | null, act: () => void): void {
  const left_ms = at === null ? 0 : Date.parse(at) - Date.now();
  if (left_ms > 0) setTimeout(act, Math.min(left_ms, TIMER_MAX_MS));
}

/** Does something unless it is being done. */
function oneAtATime(act: () => Promise<void>): () => Promise<void> {
  let underway = false;
  return async () => {
    if (underway) return;
    underway = true;
    await act().finally(() => {
      underway = false;
    });
  };
}

/** Says who the visitor is, or declines; false where the service refuses what was said. */
async function introduce(
  client: Client,
  storage: Storage,
  thread: Thread,
  sessions: Sessions,
  profile: Profile | null,
): Promise<boolean> {
  const taken = profile === null || (await sessions.persist(() => client.introduce(profile))) === true;
  if (taken) storage.setAsked();
  thread.update();
  return taken;
}

/** Sends the first message that waits, and waits until it is stored or refused; false where none does. */
async function sendNext(client: Client, storage: Storage, thread: Thread, sessions: Sessions): Promise<boolean> {
  const message = storage.waiting()[0];
  if (message === undefined) return false;
  const stored = await sessions.persist(() => client.write(message));
  storage.removeWaiting(message.client_message_id);
  if (stored === null) thread.update({ failed: [...thread.state().failed, message.text] });
  else {
    sessions.remember();
    thread.add([stored]);
  }
  return true;
}

/** 128 random bits. Not by randomUUID, which pages without TLS do not have. */
function newClientId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

type Opened = { events: ReadableStream<Uint8Array>; silence: ReturnType<typeof createSilence> };

/** A stream of what follows a message, which ends when nothing arrives any more: some networks lose a connection without a word. */
async function openStream(client: Client, after: string | null): Promise<Opened> {
  const silence = createSilence();
  try {
    return { events: await client.events(after, silence.signal), silence };
  } catch (error) {
    silence.over();
    throw error;
  }
}

/**
 * Adds what a stream brings until it ends or is lost: the next one goes on where it ended. `told` gets the id of each message, and null
 * for the first sign that the stream is there. Whether it brought anything.
 */
async function follow({ events, silence }: Opened, thread: Thread, told: (id: string | null) => void): Promise<boolean> {
  let heard = false;
  try {
    for await (const data of dataOf(events)) {
      silence.broken();
      const message = data === null ? null : (JSON.parse(data) as Message);
      if (message !== null) thread.add([message], { connected: true });
      else if (!heard) thread.update({ connected: true });
      if (message !== null || !heard) told(message?.id ?? null);
      heard = true;
    }
  } catch {
    // Lost.
  }
  silence.over();
  return heard;
}

/** Three heartbeats of the service. */
const SILENT_MS = 45_000;

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
