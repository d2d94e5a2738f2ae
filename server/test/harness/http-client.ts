import { Agent, type IncomingMessage, request } from "node:http";
import { checkReply } from "./reply-schema.ts";
import type { CallOptions, Reply } from "./world.ts";

/** Five times as long as any wait the service allows itself: past this, it hangs. */
const ANSWER_WITHIN_MS = 150_000;

export type HttpClient = {
  /** Calls a service over HTTP. Every reply is checked against the schema of its route; no reply at all is an error. */
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  close(): void;
};

/** Over kept connections of `node:http`: global fetch is several times slower, and these tests are about load. */
export function createHttpClient(base_url: string): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  return {
    async call(method, path, options = {}) {
      const reply = await send(agent, method, new URL(path, base_url), options);
      checkReply(method, path, reply.status, reply.body, reply.headers["content-type"] ?? "application/json");
      return reply;
    },
    close: () => agent.destroy(),
  };
}

function send(agent: Agent, method: string, url: URL, { key, body, headers = {} }: CallOptions): Promise<Reply> {
  const payload = body === undefined ? null : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      agent,
      method,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(payload === null ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(payload) }),
        ...headers,
      },
    });
    sent.setTimeout(ANSWER_WITHIN_MS, () => sent.destroy(new Error(`${method} ${url.pathname} hangs`)));
    sent.on("error", reject);
    sent.on("response", (response) => readReply(response).then(resolve, reject));
    sent.end(payload);
  });
}

async function readReply(response: IncomingMessage): Promise<Reply> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const headers = response.headers as Record<string, string>;
  const body: unknown = text === "" ? null : /json/.test(headers["content-type"] ?? "") ? JSON.parse(text) : text;
  return { status: response.statusCode ?? 0, headers, body, text };
}
