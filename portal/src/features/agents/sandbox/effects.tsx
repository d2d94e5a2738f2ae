import { ShieldCheck } from "lucide-react";
import { Facts, Section, Tag } from "../../../ui/section.tsx";
import { State } from "../../../ui/state.tsx";
import { formatJson } from "../editor/json.ts";
import type { SandboxEffect, SandboxRun, SandboxToolCall } from "./data.ts";
import classes from "./sandbox.module.css";

type Runs = { runs: readonly SandboxRun[] };

const KINDS: Record<string, string> = {
  "contact.create": "A contact is created",
  "contact.update": "The contact changes",
  "lead.create": "A lead is created",
  "lead.update": "The lead changes",
  "note.create": "A note is written",
  "deal.create": "A deal is created",
  "deal.move": "The deal moves",
  "follow_up.schedule": "A message is planned for later",
  "conversation.handoff": "A person takes over",
};
const MESSAGE = "message.send";
/** A record that exists; what is new here has no id, and who is made up for the run none that says anything. */
const RECORD = /^[a-z]{2,4}_[0-9a-z]{26}$/;

const membersOf = (value: unknown) =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
const shown = (value: unknown) =>
  value === null || value === undefined || value === ""
    ? "—"
    : typeof value === "object"
      ? Array.isArray(value)
        ? value.join(", ") || "none"
        : formatJson(value)
      : String(value);

/** What would have changed, with the values before and after. What was said stands in the conversation. */
export function Effects({ runs }: Runs) {
  const effects = runs.flatMap(({ id, effects }) => effects.map((effect, index) => ({ ...effect, key: `${id} ${index}` })));
  const messages = effects.filter(({ kind }) => kind === MESSAGE).length;
  const changes = effects.filter(({ kind }) => kind !== MESSAGE);
  return (
    <Section
      title="What would have happened"
      aside={messages > 0 && `and ${messages} ${messages === 1 ? "message" : "messages"} sent`}
    >
      {changes.length === 0 ? (
        <p className="muted">{messages === 0 ? "Nothing yet." : "Nothing has changed so far."}</p>
      ) : (
        <ol className={classes.changes}>
          {changes.map(({ key, ...effect }) => (
            <Effect key={key} effect={effect} />
          ))}
        </ol>
      )}
    </Section>
  );
}

function Effect({ effect: { kind, target, before, after } }: { effect: SandboxEffect }) {
  const from = membersOf(before);
  const to = membersOf(after);
  return (
    <li>
      <p>
        <b>{KINDS[kind] ?? kind}</b> {RECORD.test(target) && <code className="muted">{target}</code>}
      </p>
      <dl>
        {Object.entries(to).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {before !== null && <del>{shown(from[name])}</del>} <ins>{shown(value)}</ins>
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

const SOURCES: Record<SandboxToolCall["source"], string> = { mock: "mocked", simulated: "pretended", read: "read" };

/** The tools that were used, with their arguments and answers. */
export function ToolCalls({ runs }: Runs) {
  const calls = runs.flatMap(({ id, tool_calls }) => tool_calls.map((call, index) => ({ ...call, key: `${id} ${index}` })));
  if (calls.length === 0) return null;
  return (
    <Section title="Tools" aside={calls.length}>
      <ul className={classes.calls}>
        {calls.map(({ key, name, args, source, result }) => (
          <ToolUse key={key} name={name} note={SOURCES[source]} args={args} answer={result} />
        ))}
      </ul>
    </Section>
  );
}

type UseProps = { name: string; note?: string; args: unknown; answer: unknown };

/** A tool that was used: its arguments, and what it answered. */
export function ToolUse({ name, note, args, answer }: UseProps) {
  const { ok, value, detail } = membersOf(answer);
  const refused = ok === false;
  return (
    <li>
      <details open={refused || undefined}>
        <summary>
          <code>{name}</code>
          {refused && <State tone="bad">refused</State>}
          {note && <Tag>{note}</Tag>}
        </summary>
        <dl>
          <div>
            <dt>Arguments</dt>
            <dd>
              <pre>{formatJson(args)}</pre>
            </dd>
          </div>
          <div>
            <dt>Answer</dt>
            <dd>
              <pre>{refused ? String(detail) : formatJson(ok === undefined ? answer : value)}</pre>
            </dd>
          </div>
        </dl>
      </details>
    </li>
  );
}

/** What the agent knows by now. */
export function Slots({ run }: { run: SandboxRun | undefined }) {
  const slots = Object.entries(run?.slots ?? {});
  if (slots.length === 0) return null;
  return (
    <Section title="Answers">
      <Facts rows={slots.map(([name, value]) => [name, shown(value)])} />
    </Section>
  );
}

/** Why nothing of it can happen. */
export function Isolation({ run }: { run: SandboxRun | undefined }) {
  const { network, blocked = [] } = run?.isolation ?? {};
  return (
    <div className={classes.isolation}>
      <ShieldCheck size={16} aria-hidden />
      <p>
        <b>Nothing of this happens.</b> Each message runs in a process of its own, without database, secrets and files
        {network === "namespace" ? ", in a network without any way out" : ", with its network switched off"}. Records are read at
        one moment, and changed in a copy that ends with it. {run && `Live writes: ${run.isolation.live_writes}.`}
        {blocked.length > 0 && ` Refused to it: ${blocked.join(", ")}.`}
      </p>
    </div>
  );
}
