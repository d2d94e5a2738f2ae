/** The bytes of a request as a client with a key sends it. */
export function requestBytes(key: string, method: string, path: string, body = "", headers: Record<string, string> = {}): Buffer {
  const all: Record<string, string> = {
    host: "127.0.0.1",
    authorization: `Bearer ${key}`,
    accept: "application/json",
    ...(body === "" ? {} : { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
}

/** Goes round a list for ever. */
export function cycle<T>(items: readonly T[]): () => T {
  let turn = 0;
  return () => {
    const item = items[turn % items.length];
    turn += 1;
    if (item === undefined) throw new Error("nothing to go round");
    return item;
  };
}
