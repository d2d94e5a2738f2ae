/** A message that the service has not confirmed yet. */
export type Waiting = { client_message_id: string; text: string };

export type Storage = ReturnType<typeof createStorage>;

/** What stays on this device: who the visitor is, what is not sent yet, and what was seen. Where nothing may be kept, it lasts as long as the page. */
export function createStorage(name: string, kept: globalThis.Storage | null) {
  const memory = new Map<string, string>();

  function read(key: string): string | null {
    try {
      return kept?.getItem(`${name}.${key}`) ?? memory.get(key) ?? null;
    } catch {
      return memory.get(key) ?? null;
    }
  }

  function write(key: string, value: string | null): void {
    if (value === null) memory.delete(key);
    else memory.set(key, value);
    try {
      if (value === null) kept?.removeItem(`${name}.${key}`);
      else kept?.setItem(`${name}.${key}`, value);
    } catch {
      // Full or forbidden: the memory has it.
    }
  }

  function waiting(): Waiting[] {
    try {
      const found: unknown = JSON.parse(read("waiting") ?? "[]");
      return Array.isArray(found) ? found.filter(isWaiting) : [];
    } catch {
      return [];
    }
  }

  return {
    token: () => read("token"),
    setToken: (token: string | null) => write("token", token),
    seen: () => read("seen"),
    setSeen: (id: string) => write("seen", id),
    /** Whether the visitor was asked who it is, and has answered or declined. */
    asked: () => read("asked") !== null,
    setAsked: () => write("asked", "yes"),
    waiting,
    /** Read again each time, because other pages of the site have the same list. */
    addWaiting: (message: Waiting) => write("waiting", JSON.stringify([...waiting(), message])),
    removeWaiting(client_message_id: string) {
      write("waiting", JSON.stringify(waiting().filter((message) => message.client_message_id !== client_message_id)));
    },
  };
}

function isWaiting(value: unknown): value is Waiting {
  const { client_message_id, text } = (value ?? {}) as Partial<Waiting>;
  return typeof client_message_id === "string" && typeof text === "string";
}

/** The storage of the page; null where the browser forbids it. */
export function pageStorage(): globalThis.Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
