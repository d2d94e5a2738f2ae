import fc from "fast-check";
import { expect, test } from "vitest";
import { backoffMs, dataOf } from "./events.ts";
import { createStorage } from "./storage.ts";
import { wordsOn } from "./style.ts";
import { compareIds } from "./thread.ts";

test("messages are ordered by conversation and ordinal, not by their texts", () => {
  const ids = ["cnv_b.2", "cnv_a.10", "cnv_b.1", "cnv_a.9"];
  expect(ids.toSorted(compareIds)).toEqual(["cnv_a.9", "cnv_a.10", "cnv_b.1", "cnv_b.2"]);
  expect(compareIds("cnv_a.1", "")).toBeGreaterThan(0);
});

test("a stream is read whole, however it is cut into pieces", async () => {
  const text = `: heartbeat\n\nevent: message\ndata: {"text":"Grüße 🚲"}\nid: cnv_a.1\n\nevent: message\ndata: {}\nid: cnv_a.2\n\n`;
  const bytes = new TextEncoder().encode(text);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 20 })), async (sizes) => {
      const pieces: Uint8Array[] = [];
      let at = 0;
      for (const size of sizes) {
        pieces.push(bytes.slice(at, at + size));
        at += size;
      }
      pieces.push(bytes.slice(at));
      const found: (string | null)[] = [];
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          for (const piece of pieces) controller.enqueue(piece);
          controller.close();
        },
      });
      for await (const data of dataOf(stream)) found.push(data);
      expect(found).toEqual([null, `{"text":"Grüße 🚲"}`, "{}"]);
    }),
  );
});

test("attempts come less and less often, and not all at once", () => {
  expect([0, 1, 2, 3].map((failures) => backoffMs(failures, 1))).toEqual([500, 1_000, 2_000, 4_000]);
  expect(backoffMs(50, 1)).toBe(30_000);
  expect(backoffMs(50, 0)).toBe(15_000);
});

test("what waits to be sent survives broken and forbidden storage", () => {
  const forbidden = {
    getItem() {
      throw new Error("forbidden");
    },
    setItem() {
      throw new Error("full");
    },
    removeItem() {
      throw new Error("forbidden");
    },
  } as unknown as Storage;
  for (const kept of [null, forbidden]) {
    const storage = createStorage("chat", kept);
    storage.addWaiting({ client_message_id: "1", text: "One" });
    storage.addWaiting({ client_message_id: "2", text: "Two" });
    storage.removeWaiting("1");
    expect(storage.waiting()).toEqual([{ client_message_id: "2", text: "Two" }]);
  }
  for (const broken of ["", "{", "null", "7", `[null, 1, {"text": "x"}]`]) {
    expect(createStorage("chat", { getItem: () => broken } as unknown as Storage).waiting()).toEqual([]);
  }
});

test("words stand out from any colour", () => {
  expect([wordsOn("#ffffff"), wordsOn("#ffd23f"), wordsOn("#000000"), wordsOn("#114488")]).toEqual([
    "#000000",
    "#000000",
    "#ffffff",
    "#ffffff",
  ]);
});
