/** A message as the service shows it to visitors. The id is its place in the thread. */
export type Message = { id: string; from: "visitor" | "team"; text: string; at: string; client_message_id: string | null };

/** Whether somebody is there, and when that changes; null where the channel has no hours. */
export type Team = { open: boolean; changes_at: string | null };
export type Branding = {
  title: string | null;
  greeting: string | null;
  color: string | null;
  position: "left" | "right";
  team: Team | null;
};
export type Session = { token: string; channel: Branding };
export type User = { user_id: string; hash: string };
/** What a visitor says about itself. */
export type Profile = { name?: string; email?: string };

/** A refusal of the service, or `status` 0 where it could not be reached. */
export class Refused extends Error {
  readonly status: number;
  readonly retry_after_ms: number;

  constructor(status: number, retry_after_ms = 0) {
    super(`refused with ${status}`);
    this.status = status;
    this.retry_after_ms = retry_after_ms;
  }

  /** Whether the same request may succeed later. */
  get passing(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

export type Client = ReturnType<typeof createClient>;

/** The calls of a channel, as the visitor that the token names. */
export function createClient(base_url: string) {
  let token: string | null = null;

  async function call(method: string, path: string, body?: object, more: RequestInit = {}): Promise<Response> {
    const headers: Record<string, string> = { ...(more.headers as Record<string, string>) };
    if (token !== null) headers["x-visitor-token"] = token;
    if (body !== undefined) headers["content-type"] = "application/json";
    const init: RequestInit = { cache: "no-store", credentials: "omit", ...more, method, headers };
    if (body !== undefined) init.body = JSON.stringify(body);
    const response = await fetch(base_url + path, init).catch(() => {
      throw new Refused(0);
    });
    if (response.ok) return response;
    throw new Refused(response.status, Number(response.headers.get("retry-after") ?? 0) * 1000);
  }

  return {
    /** Begins a session, as the visitor of a token where there is one. */
    async session(known: string | null): Promise<Session> {
      token = known;
      const session = (await (await call("POST", "/sessions")).json()) as Session;
      token = session.token;
      return session;
    },
    async identify(user: User): Promise<void> {
      const identified = (await (await call("POST", "/identify", user)).json()) as { token: string };
      token = identified.token;
    },
    token: () => token,
    async thread(before?: string): Promise<{ data: Message[]; has_more: boolean }> {
      const query = before === undefined ? "" : `?before=${encodeURIComponent(before)}`;
      return (await call("GET", `/messages${query}`)).json();
    },
    async write(message: { client_message_id: string; text: string }): Promise<Message> {
      return (await call("POST", "/messages", message)).json();
    },
    async introduce(profile: Profile): Promise<true> {
      await call("POST", "/profile", profile);
      return true;
    },
    async read(id: string): Promise<void> {
      await call("POST", "/read", { id });
    },
    /** The stream of what follows a message. */
    async events(after: string | null, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
      const response = await call("GET", "/events", undefined, {
        signal,
        headers: after === null ? {} : { "last-event-id": after },
      });
      if (response.body === null) throw new Refused(0);
      return response.body;
    },
  };
}
