// A webhook receiver without dependencies: WEBHOOK_SECRET=whsec_… PORT=3000 node receiver.mjs
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const SECRET = process.env.WEBHOOK_SECRET ?? "";
const TOLERANCE_SECONDS = 300;

/**
 * Whether the raw body was signed with our secret within the tolerance.
 * @param {Buffer} body
 * @param {string} header
 * @param {string} secret
 */
export function isSigned(body, header, secret, now_seconds = Date.now() / 1000) {
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
const seen = new Set();

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isSigned(body, String(request.headers["x-service-signature"]), SECRET)) {
    response.writeHead(400).end();
    return;
  }
  const event = JSON.parse(body.toString());
  if (!seen.has(event.id)) {
    seen.add(event.id);
    console.log(event.type, event.id);
  }
  response.writeHead(204).end();
});

server.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => {
  console.log("listening", server.address().port);
});
