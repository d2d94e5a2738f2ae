import { ShownOnce } from "../../ui/once.tsx";
import { Facts } from "../../ui/section.tsx";
import type { EndpointWithSecret } from "./data.ts";
import { addressOf, typesOf } from "./model.ts";

/** The secret by which a receiver knows that a request is ours, once. */
export function SecretReady({ made, rotated, close }: { made: EndpointWithSecret; rotated: boolean; close(): void }) {
  const old = made.secrets.filter(({ expires_at }) => expires_at !== null);
  return (
    <ShownOnce
      title={rotated ? "The endpoint has a new secret" : "The endpoint is ready"}
      lead="Copy the secret now. It is shown once. Your receiver verifies the signature of each request with it."
      label="Secret"
      secret={made.secret}
      close={close}
    >
      <Facts
        rows={[
          ["Sends to", addressOf(made.url)],
          ["Events", typesOf(made)],
          [
            "Old secrets",
            old.length === 0
              ? null
              : old
                  .map(({ hint, expires_at }) => `…${hint} signs until ${new Date(expires_at ?? "").toLocaleString("en-GB")}`)
                  .join(", "),
          ],
          [
            "Verify",
            <a key="guide" className="link" href="/docs/guides/webhooks" target="_blank" rel="noreferrer">
              Receivers in Node, Python and shell
            </a>,
          ],
        ]}
      />
    </ShownOnce>
  );
}
