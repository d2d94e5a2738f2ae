import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import type { Egress } from "./egress.ts";
import { DeliveryTimeout, describeFailure, isReset } from "./failure.ts";

const READ_BYTES_MAX = 16 * 1024;
const KEPT_BYTES_MAX = 4 * 1024;
const IDLE_MS = 30_000;
/** Many endpoints may share an origin, each with up to 64 requests in flight. */
const IDLE_SOCKETS_PER_ORIGIN = 512;

export type Post = { url: URL; headers: Record<string, string>; body: Buffer; timeout_ms: number; connect_timeout_ms: number };

/** `keep_bytes`: how much of the text of a reply is kept, also of a successful one. */
export type HttpRequest = Post & { method: "GET" | "POST"; keep_bytes: number };

/** The outcome of a request: a status, or the error. `text` is the start of the body of a reply: of an unsuccessful one after a post. */
export type Exchange = {
  status: number | null;
  error: string | null;
  timed_out: boolean;
  retry_after: string | null;
  text: string | null;
  duration_ms: number;
};

/** A file to be fetched: of a larger one, nothing is kept. */
export type Load = Omit<Post, "body"> & { bytes_max: number };

/** What came of it: `bytes` is a whole file, and null for anything else. `location` is where a redirect leads, which is not followed. */
export type Loaded = Pick<Exchange, "status" | "error"> & {
  bytes: Buffer | null;
  media_type: string | null;
  location: string | null;
  /** What tells a later request whether the file is still the same. */
  etag: string | null;
  last_modified: string | null;
};

export type HttpSender = {
  post(post: Post): Promise<Exchange>;
  /** For a reply that says something: its text is kept. */
  send(request: HttpRequest): Promise<Exchange>;
  load(load: Load): Promise<Loaded>;
  close(): void;
};

/** A request of either kind; without `keep_bytes`, only the text of an unsuccessful reply is kept. */
type Asked = Post & { method: "GET" | "POST"; keep_bytes: number | null };

/** `kept` is the start of the body, and all of it where it is `whole`. */
type Answer = { status: number; headers: IncomingMessage["headers"]; kept: Buffer | null; whole: boolean };
type Lost = { error: unknown; reused: boolean; answered: boolean };
type Agents = { "http:": HttpAgent; "https:": HttpsAgent };

/**
 * Sends requests over keep-alive connections to destinations that the egress allows. Redirects are not followed,
 * certificates are verified, and only the start of a reply is read.
 */
export function createHttpSender(egress: Egress): HttpSender {
  const options = { keepAlive: true, timeout: IDLE_MS, maxFreeSockets: IDLE_SOCKETS_PER_ORIGIN };
  const agents: Agents = {
    "http:": new HttpAgent(options),
    "https:": new HttpsAgent({ ...options, rejectUnauthorized: true, minVersion: "TLSv1.2" }),
  };

  let closed = false;

  async function exchange(asked: Asked): Promise<Answer> {
    egress.checkUrl(asked.url);
    const first = await attempt(egress, asked, agents);
    if (!("error" in first)) return first;
    // The receiver closed an idle connection while we used it: most likely it has not read the request. That is enough for a
    // webhook, whose receiver knows it again, and for a GET; a message to a provider might be sent twice.
    const repeatable = asked.keep_bytes === null || asked.method === "GET";
    const unread = repeatable && first.reused && !first.answered && !closed && isReset(first.error);
    const again = unread ? await attempt(egress, asked, null) : first;
    if (!("error" in again)) return again;
    throw again.error;
  }

  async function timed(asked: Asked): Promise<Exchange> {
    const started_ms = performance.now();
    const duration = () => Math.round(performance.now() - started_ms);
    try {
      const { status, headers, kept } = await exchange(asked);
      const said = { retry_after: headers["retry-after"] ?? null, text: kept === null ? null : readableText(kept) };
      return { status, ...said, error: null, timed_out: false, duration_ms: duration() };
    } catch (error) {
      const timed_out = error instanceof DeliveryTimeout;
      const reason = describeFailure(error, asked.url.hostname);
      return { status: null, error: reason, timed_out, retry_after: null, text: null, duration_ms: duration() };
    }
  }

  async function load({ bytes_max, ...rest }: Load): Promise<Loaded> {
    try {
      // One byte more than is wanted tells a file that is too large from one that just fits.
      const asked: Asked = { ...rest, method: "GET", body: Buffer.alloc(0), keep_bytes: bytes_max + 1 };
      const { status, headers, kept, whole } = await exchange(asked);
      const succeeded = status >= 200 && status <= 299 && whole;
      const { location = null, etag = null, "content-type": media_type = null, "last-modified": last_modified = null } = headers;
      return { status, error: null, bytes: succeeded ? kept : null, media_type, location, etag, last_modified };
    } catch (error) {
      const reason = describeFailure(error, rest.url.hostname);
      return { status: null, error: reason, bytes: null, media_type: null, location: null, etag: null, last_modified: null };
    }
  }

  return {
    post: (post) => timed({ ...post, method: "POST", keep_bytes: null }),
    send: timed,
    load,
    close() {
      closed = true;
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

/** One request over an agent's connection, or over a new one without agents. */
function attempt(egress: Egress, asked: Asked, agents: Agents | null): Promise<Answer | Lost> {
  const { method, url, headers, body, timeout_ms, connect_timeout_ms, keep_bytes } = asked;
  const secure = url.protocol === "https:";
  const options: RequestOptions = {
    method,
    hostname: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port,
    path: url.pathname + url.search,
    headers,
    agent: agents?.[secure ? "https:" : "http:"] ?? false,
    lookup: egress.lookup,
  };
  return new Promise((resolve) => {
    const request = secure ? httpsRequest(options) : httpRequest(options);
    let answered = false;
    let late: DeliveryTimeout | null = null;
    const giveUp = (what: () => string, after_ms: number) =>
      setTimeout(() => {
        late = new DeliveryTimeout(`${what()} within ${after_ms / 1000} s`);
        request.destroy(late);
        lose(late);
      }, after_ms);
    const timer = giveUp(() => (answered ? "no end of the answer" : "no answer"), timeout_ms);
    const finish = (result: Answer | Lost) => {
      clearTimeout(timer);
      resolve(result);
    };
    const lose = (error: unknown) => finish({ error: late ?? error, reused: request.reusedSocket, answered });
    request.on("error", lose);
    request.on("socket", (socket) => {
      if (socket.connecting)
        checkConnection(
          socket,
          secure,
          giveUp(() => "no connection", connect_timeout_ms),
          egress,
          url.hostname,
        );
    });
    request.on("response", (response) => {
      answered = true;
      readAnswer(response, keep_bytes).then(finish, lose);
    });
    request.on("upgrade", ({ statusCode, headers }, socket) => {
      socket.destroy();
      finish({ status: statusCode ?? 0, headers, kept: null, whole: false });
    });
    // A connection can also close without an error; a reply that is being read reports its own end.
    request.on("close", () => {
      if (!answered) lose(Object.assign(new Error("closed"), { code: "ECONNRESET" }));
    });
    request.end(body);
  });
}

/** Checks the connected address before the first byte of the request is sent. */
function checkConnection(socket: Socket, secure: boolean, timer: NodeJS.Timeout, egress: Egress, host: string): void {
  socket.prependOnceListener("connect", () => {
    if (!secure) clearTimeout(timer);
    try {
      egress.checkPeer(host, socket.remoteAddress);
    } catch (error) {
      socket.destroy(error as Error);
    }
  });
  socket.once("secureConnect", () => clearTimeout(timer));
  socket.once("close", () => clearTimeout(timer));
}

/** Reads a reply, or its start if it is long: then the connection is closed. */
function readAnswer(response: IncomingMessage, keep_bytes: number | null): Promise<Answer> {
  const status = response.statusCode ?? 0;
  const kept_max = keep_bytes ?? (status < 200 || status > 299 ? KEPT_BYTES_MAX : 0);
  const read_max = Math.max(READ_BYTES_MAX, kept_max);
  const kept: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    const finish = () => {
      const start = kept_max > 0 ? Buffer.concat(kept).subarray(0, kept_max) : null;
      resolve({ status, headers: response.headers, kept: start, whole: bytes < kept_max });
    };
    response.on("data", (chunk: Buffer) => {
      if (bytes < kept_max) kept.push(chunk);
      bytes += chunk.length;
      if (bytes < read_max) return;
      finish();
      response.destroy();
    });
    response.on("end", finish);
    response.on("error", reject);
    response.on("close", () => {
      if (!response.complete) reject(Object.assign(new Error("aborted"), { code: "ECONNRESET" }));
    });
  });
}

const utf8 = new TextDecoder();

/** Text that the database can store: valid UTF-8 without U+0000. */
function readableText(bytes: Buffer): string {
  return utf8.decode(bytes).replaceAll("\0", "\u{fffd}");
}
