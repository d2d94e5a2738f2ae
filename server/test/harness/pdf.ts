import { extractText, getDocumentProxy } from "unpdf";
import type { World } from "./world.ts";

/** All bytes of a document that comes in chunks. */
export async function bytesOf(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

/** The text of each page, as a reader of PDF files extracts it. */
export async function pagesOf(bytes: Buffer): Promise<string[]> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: false });
  return text;
}

/** A document that the service answers with: its bytes, and the text of its pages without blanks. */
export async function documentAt({ app }: World, url: string, key: string): Promise<{ bytes: Buffer; text: string }> {
  const reply = await app.http.inject({ method: "GET", url, headers: { authorization: `Bearer ${key}` } });
  if (reply.statusCode !== 200) throw new Error(reply.body);
  const bytes = reply.rawPayload;
  return { bytes, text: (await pagesOf(bytes)).join("").replaceAll(/\s/g, "") };
}
