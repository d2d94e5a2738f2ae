import { Button, SegmentedControl } from "@mantine/core";
import { Check, X } from "lucide-react";
import { useState } from "react";
import { Code } from "../../ui/code.tsx";
import { reasonOf } from "../../ui/failure.tsx";
import { ShownOnce } from "../../ui/once.tsx";
import { Facts } from "../../ui/section.tsx";
import { day } from "../../ui/when.tsx";
import { type KeyWithSecret, type Trial, tryKey } from "./data.ts";
import classes from "./keys.module.css";

const curlSample = () => `curl ${location.origin}/v1/partners/me \\
  -H "Authorization: Bearer $TRIBUTARY_KEY"`;
const sdkSample = () => `import { createClient } from "@tributary/sdk";

const tributary = createClient({
  baseUrl: "${location.origin}",
  apiKey: process.env.TRIBUTARY_KEY,
});
const { data: me } = await tributary.GET("/v1/partners/me");`;

/** The secret, once, with what it may and a call that shows that it works. */
export function KeyReady({ made, rotated, close }: { made: KeyWithSecret; rotated: boolean; close(): void }) {
  const until = made.previous_valid_until;
  return (
    <ShownOnce
      title={rotated ? `${made.name} has a new secret` : `${made.name} is ready`}
      lead="Copy the key now. It is shown once: we keep only its hash."
      label="Key"
      secret={made.api_key}
      close={close}
    >
      <Facts
        rows={[
          ["May", made.scopes.length > 6 ? `${made.scopes.length} scopes` : <code key="scopes">{made.scopes.join(" ")}</code>],
          ["Clients", made.clients === "all" ? "all, also later ones" : `${made.clients.length} chosen`],
          ["Expires", made.expires_at === null ? "never" : day(made.expires_at)],
          [
            "Old secret",
            rotated ? (until === null ? "refused from now on" : `works until ${new Date(until).toLocaleString("en-GB")}`) : null,
          ],
        ]}
      />
      <TestIt api_key={made.api_key} />
    </ShownOnce>
  );
}

function TestIt({ api_key }: { api_key: string }) {
  const [sample, setSample] = useState("curl");
  const [trial, setTrial] = useState<Trial | Error | null>(null);
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    setTrial(await tryKey(api_key).catch((error: Error) => error));
    setBusy(false);
  };
  return (
    <div className={classes.test}>
      <header>
        <SegmentedControl
          aria-label="Sample"
          data={[
            { value: "curl", label: "curl" },
            { value: "sdk", label: "SDK" },
          ]}
          value={sample}
          onChange={setSample}
        />
        <Button variant="default" size="xs" loading={busy} onClick={() => void run()}>
          Test it: GET /me
        </Button>
      </header>
      <Code text={sample === "curl" ? curlSample() : sdkSample()} label="Sample" />
      {trial !== null && <Outcome trial={trial} />}
    </div>
  );
}

function Outcome({ trial }: { trial: Trial | Error }) {
  if (trial instanceof Error) return <p role="alert">{reasonOf(trial)}</p>;
  const passed = trial.status === 200;
  return (
    <div role="status">
      <header className={classes.outcome}>
        <span className={passed ? classes.passed : classes.refused}>
          {passed ? <Check size={14} aria-hidden /> : <X size={14} aria-hidden />}
          {passed ? "The key works" : "The key was refused"}
        </span>
        <span className="muted">
          {trial.status} in {trial.took_ms} ms
        </span>
      </header>
      <div className={classes.reply}>
        <Code text={trial.reply} label="Reply" json />
      </div>
    </div>
  );
}
