import { Button } from "@mantine/core";
import { RotateCcw } from "lucide-react";
import { Fragment, useLayoutEffect, useRef } from "react";
import { Problem } from "../../../ui/form.tsx";
import { WriteLine } from "../../../ui/write-line.tsx";
import { useVersion } from "../data.ts";
import { useSave } from "../editor/save.ts";
import type { PartProps } from "../part.ts";
import { type Chat, useChat } from "./chat.ts";
import { Checks } from "./checks.tsx";
import type { SandboxRun } from "./data.ts";
import { Effects, Isolation, Slots, ToolCalls } from "./effects.tsx";
import classes from "./sandbox.module.css";
import { SetUpFields } from "./set-up.tsx";

/** A conversation with the draft, and beside it all that would have happened. */
export function Sandbox({ account, agent, draft, writes }: PartProps) {
  const { chat, busy, error, say, again, reset } = useChat(agent.id);
  const { runs } = chat;
  return (
    <div className={classes.sandbox}>
      <section className={classes.chat} aria-label={`Sandbox with ${agent.name}`}>
        <SetUpFields account={account} agent={agent} setUp={chat.setUp} change={reset} />
        {draft.changed && writes && <Unsaved agent={agent} draft={draft} />}
        <Said chat={chat} name={agent.name} company={account.company} />
        <Problem error={error} />
        <WriteLine
          placeholder="Write as the person"
          maxLength={4000}
          label="Send"
          busy={busy}
          say={say}
          className={classes.write}
        />
        <footer className={classes.foot}>
          <Button variant="subtle" size="xs" leftSection={<RotateCcw />} disabled={runs.length === 0} onClick={() => reset()}>
            Begin again
          </Button>
          <Button variant="subtle" size="xs" disabled={runs.length === 0 || busy} onClick={() => void again().catch(() => {})}>
            Replay with the draft of now
          </Button>
        </footer>
      </section>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and who has no mouse scrolls by keys */}
      <div className={classes.effects} role="region" aria-label="What would have happened" tabIndex={0}>
        <Effects runs={runs} />
        <ToolCalls runs={runs} />
        <Slots run={runs.at(-1)} />
        <Checks agent={agent} chat={chat} writes={writes} />
        <Isolation run={runs.at(-1)} />
      </div>
    </div>
  );
}

/** What is not saved is not what one talks with. */
function Unsaved({ agent, draft }: Pick<PartProps, "agent" | "draft">) {
  const version = useVersion(agent.id, agent.latest_version).data;
  const { save, busy } = useSave({ agent, draft, version });
  return (
    <p className={classes.unsaved}>
      What you have not saved is not tried here.
      <Button variant="default" size="xs" loading={busy} onClick={() => void save()}>
        Save draft
      </Button>
    </p>
  );
}

function Said({ chat: { runs }, name, company }: { chat: Chat; name: string; company: string }) {
  const end = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message
  useLayoutEffect(() => {
    end.current?.scrollTo(0, end.current.scrollHeight);
  }, [runs.length]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and who has no mouse scrolls by keys
    <div ref={end} className={classes.said} role="log" aria-label="What was said" tabIndex={0}>
      {runs.length === 0 && (
        <p className={classes.quiet}>
          Write as somebody who writes to {company}. {name} answers as it would, and nothing of it happens.
        </p>
      )}
      {runs.map((run, index) => (
        <Fragment key={run.id}>
          {index > 0 && run.agent_version !== runs[index - 1]?.agent_version && (
            <p className={classes.quiet}>Version {run.agent_version} from here</p>
          )}
          <Turn run={run} />
        </Fragment>
      ))}
    </div>
  );
}

/** "@handoff: The person asked for one" in words. */
const eventText = (text: string) =>
  text
    .replace(/^@handoff: */, "A person takes over: ")
    .replace(/^@end: */, "The session ends: ")
    .replace(/: $/, "");

function Turn({ run: { transcript, error, status } }: { run: SandboxRun }) {
  return (
    <>
      {transcript.map(({ role, text, turn }, index) =>
        role === "event" ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: what was said has no other name
          <p key={`${turn} ${index}`} className={classes.quiet}>
            {eventText(text)}
          </p>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: what was said has no other name
          <p key={`${turn} ${index}`} className={classes.bubble} data-own={role === "contact" || undefined}>
            {text}
          </p>
        ),
      )}
      {error !== null && (
        <p className={classes.broken} role="alert">
          {status === "timed_out" ? "It took too long. " : ""}
          {error}
        </p>
      )}
    </>
  );
}
