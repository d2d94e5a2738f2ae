import { expect, test } from "vitest";
import { CHUNK_BYTES, chunksOf, fileHeaders, linkedFileHeaders } from "./model.ts";

test("a browser shows images and runs nothing", () => {
  expect(fileHeaders({ name: "cat.png", media_type: "image/png" })).toMatchObject({
    "content-type": "image/png",
    "content-disposition": `inline; filename="cat.png"; filename*=UTF-8''cat.png`,
    "x-content-type-options": "nosniff",
  });
  for (const media_type of ["text/html", "image/svg+xml", "application/pdf", "IMAGE/PNG"]) {
    const headers = fileHeaders({ name: 'a"\r\n\\é.html', media_type });
    expect(headers["content-type"]).toBe("application/octet-stream");
    expect(headers["content-disposition"]).toBe(`attachment; filename="a_____.html"; filename*=UTF-8''a%22%0D%0A%5C%C3%A9.html`);
    expect(headers["content-security-policy"]).toBe("default-src 'none'; sandbox");
  }
  expect(fileHeaders({ name: "it's(1)*.txt", media_type: "" })["content-disposition"]).toContain("UTF-8''it%27s%281%29%2A.txt");
});

test("a provider is told what a file is, and a browser only saves it", () => {
  expect(linkedFileHeaders({ name: "cat.png", media_type: "image/png" })).toEqual({
    "content-type": "image/png",
    "content-disposition": `attachment; filename="cat.png"; filename*=UTF-8''cat.png`,
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
  });
  const typeOf = (media_type: string) => linkedFileHeaders({ name: "a", media_type })["content-type"];
  for (const type of ["application/pdf", "audio/ogg", "application/vnd.ms-excel", "image/svg+xml"])
    expect(typeOf(type)).toBe(type);
  for (const type of ["", "text/html; charset=utf-8", "x text/html", "text/html\r\nx: y", "text", "text/", "/html", "a/b/c"])
    expect(typeOf(type)).toBe("application/octet-stream");
});

test("nothing is no chunk", async () => {
  for (const nothing of [[], [Buffer.alloc(0)]]) expect(await chunksOf(nothing).next()).toEqual({ done: true, value: undefined });
});

test("chunks have one size but for the last, whatever arrives", async () => {
  const bytes = Buffer.from(Array.from({ length: CHUNK_BYTES * 2 + 5 }, (_, index) => index % 256));
  for (const size of [1_000, CHUNK_BYTES, CHUNK_BYTES * 3]) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size));
    const chunks: Buffer[] = [];
    for await (const chunk of chunksOf(pieces)) chunks.push(chunk);
    expect(chunks.map(({ length }) => length)).toEqual([CHUNK_BYTES, CHUNK_BYTES, 5]);
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
  }
});
