import type { Answer, Request } from "../engine/index.ts";
import { blocked, goOffline } from "./offline.ts";
import { type RunInput, runConversation } from "./run.model.ts";

goOffline();

/** What the parent sends: first the run, then answers. */
export type ToChild = { run: RunInput } | { id: number; answer: Answer };
export type ToParent = { ready: true } | { ask: Request; id: number } | { result: object; blocked: string[] } | { error: string };

const waiting = new Map<number, (answer: Answer) => void>();
let asked = 0;

const send = (message: ToParent) => void process.send?.(message);

/** Only the parent can look things up and ask a model. */
function askParent(request: Request): Promise<Answer> {
  asked += 1;
  const id = asked;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    send({ ask: request, id });
  });
}

process.on("message", (message: ToChild) => {
  if ("answer" in message) {
    waiting.get(message.id)?.(message.answer);
    waiting.delete(message.id);
    return;
  }
  runConversation(message.run, askParent).then(
    (result) => send({ result, blocked }),
    (error: unknown) => send({ error: error instanceof Error ? error.message : "unknown" }),
  );
});
send({ ready: true });
