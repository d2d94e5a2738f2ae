/** The data of each message of a stream of server-sent events, until it ends. Heartbeats are null. */
export async function* dataOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string | null, void> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const line = block.split("\n").find((part) => part.startsWith("data: "));
        yield line === undefined ? null : line.slice("data: ".length);
      }
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** How long to wait before the next attempt: longer each time, and not all visitors at once. */
export function backoffMs(failures: number, random = randomShare()): number {
  const longest = Math.min(30_000, 500 * 2 ** Math.min(failures, 10));
  return Math.round(longest * (0.5 + random / 2));
}

function randomShare(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;
}
