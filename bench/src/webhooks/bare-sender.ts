// The floor of deliveries: the same bodies in a loop over kept connections, so many under way. Nothing is read from a
// database or written to one, nothing is signed.
import { Agent, request } from "node:http";

type Order = { url: string; body: string; count: number; in_flight: number };

function sendAll({ url, body, count, in_flight }: Order): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const options = {
    method: "POST",
    agent,
    headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body) },
  };
  let left = count;
  let open = 0;
  return new Promise<void>((resolve, reject) => {
    const next = () => {
      if (left === 0 && open === 0) resolve();
      while (left > 0 && open < in_flight) {
        left -= 1;
        open += 1;
        request(url, options, (response) => {
          response.resume();
          response.on("end", () => {
            open -= 1;
            next();
          });
        })
          .on("error", reject)
          .end(body);
      }
    };
    next();
  }).then(() => agent.destroy());
}

process.on("message", (order: Order) => {
  void sendAll(order).then(() => process.send?.({ done: true }));
});
process.on("disconnect", () => process.exit(0));
