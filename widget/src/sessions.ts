import { type Branding, type Client, Refused, type User } from "./client.ts";
import { backoffMs } from "./events.ts";
import type { Patience } from "./patience.ts";
import type { Storage } from "./storage.ts";

export type Sessions = ReturnType<typeof createSessions>;

/** Who the visitor is. A stranger is remembered on this device from the first message on; a user of the site is named by each page. */
export function createSessions(
  client: Client,
  storage: Storage,
  user: User | null,
  { pause }: Patience,
  branded: (branding: Branding) => void,
) {
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

  /** The token has run out, or was ended. Whether there was one. */
  async function forget(): Promise<boolean> {
    const had_one = storage.token() !== null;
    storage.setToken(null);
    return had_one;
  }

  async function beginAgain(): Promise<boolean> {
    await forget();
    return begin();
  }

  function remember(): void {
    if (user === null) storage.setToken(client.token());
  }

  /** Begins a session; false where the channel does not admit the page or the user. */
  async function begin(): Promise<boolean> {
    const session = await persist(() => client.session(storage.token()), forget);
    if (session === null) return false;
    branded(session.channel);
    if (user !== null) return identify(user);
    if (storage.token() !== null) remember();
    return true;
  }

  async function identify(named: User): Promise<boolean> {
    const identified = await persist(
      async () => {
        await client.identify(named);
        return true;
      },
      async () => false,
    );
    // What the stranger wrote is the user's now.
    if (identified === true) storage.setToken(null);
    return identified === true;
  }

  return {
    begin,
    persist,
    remember,
    /** Whether there may be a thread already. */
    returns: () => user !== null || storage.token() !== null,
  };
}
