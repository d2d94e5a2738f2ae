// A webhook receiver without dependencies: WEBHOOK_SECRET=whsec_… PORT=3000 node receiver.ts
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const SECRET = process.env.WEBHOOK_SECRET ?? "";
const TOLERANCE_SECONDS = 300;

/** Whether the raw body was signed with our secret within the tolerance. */
export function isSigned(body: Buffer, header: string, secret: string, now_seconds = Date.now() / 1000): boolean {
  const parts = header.split(",").map((part) => part.split("="));
  const time = parts.find(([name]) => name === "t")?.[1] ?? "";
  if (!(Math.abs(now_seconds - Number(time)) <= TOLERANCE_SECONDS)) return false;
  const expected = createHmac("sha256", secret).update(`${time}.`).update(body).digest();
  // During a rotation there are several signatures: one match is enough.
  return parts.some(([name, hex = ""]) => {
    const signature = Buffer.from(hex, "hex");
    return name === "v1" && signature.length === expected.length && timingSafeEqual(signature, expected);
  });
}

/** An event may arrive twice. Keep the ids in your database, in the transaction that processes the event. */
const seen = new Set<string>();

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  if (!isSigned(body, String(request.headers["x-service-signature"]), SECRET)) {
    response.writeHead(400).end();
    return;
  }
  const event = JSON.parse(body.toString()) as { id: string; type: string; data: Record<string, unknown> };
  if (!seen.has(event.id)) {
    seen.add(event.id);
    console.log(event.type, event.id);
  }
  response.writeHead(204).end();
});

server.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => {
  console.log("listening", (server.address() as { port: number }).port);
});
