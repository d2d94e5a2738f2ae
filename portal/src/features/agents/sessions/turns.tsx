import { useMay } from "../../../api/session.ts";
import { Section, Tag } from "../../../ui/section.tsx";
import { State, type Tone } from "../../../ui/state.tsx";
import { time } from "../../../ui/when.tsx";
import { ToolUse } from "../sandbox/effects.tsx";
import sandbox from "../sandbox/sandbox.module.css";
import { type Said, type SessionTurn, type SessionWhole, useWritten } from "./data.ts";
import classes from "./sessions.module.css";

/** A turn that is done needs no word. */
const STATES: Readonly<Record<string, { tone: Tone; name: string }>> = {
  queued: { tone: "wait", name: "waits for the next message" },
  running: { tone: "live", name: "answers" },
  approved: { tone: "wait", name: "does what was approved" },
  superseded: { tone: "ended", name: "somebody else took over: nothing of it has happened" },
  failed: { tone: "bad", name: "failed" },
};

/** Every turn: what the person wrote, what the agent said, through which states it went, which tools it used, what it found. */
export function Turns({ session }: { session: SessionWhole }) {
  const written = useWritten(session.conversation_id, useMay()("conversations:read")).data ?? [];
  const { history } = session;
  return (
    <Section title="Turns" aside={history.length < session.turns && `the last ${history.length} of ${session.turns}`}>
      {history.length === 0 && <p className="muted">There was no turn yet.</p>}
      <ol className={classes.turns}>
        {history.map((turn, index) => (
          <Turn key={turn.id} turn={turn} written={writtenFor(written, history[index - 1], turn, session)} />
        ))}
      </ol>
    </Section>
  );
}

/** What the person wrote before a turn and after the one before it. */
function writtenFor(
  written: readonly Said[],
  before: SessionTurn | undefined,
  turn: SessionTurn,
  { started_at }: SessionWhole,
): Said[] {
  // A turn is created by the message that it answers, in the same moment or a little later.
  const after = before?.finished_at ?? new Date(new Date(started_at).getTime() - 60_000).toISOString();
  const until = turn.finished_at ?? "9";
  return written.filter(({ created_at }) => created_at > after && created_at <= until);
}

function Turn({ turn, written }: { turn: SessionTurn; written: readonly Said[] }) {
  const { state, said, visited, calls, hits, latency_ms, attempts, error, created_at } = turn;
  const way = visited.join(" → ");
  const unusual = STATES[state];
  return (
    <li>
      <header>
        <time dateTime={created_at}>{time(created_at)}</time>
        {way && <code>{way}</code>}
        {unusual && <State tone={unusual.tone}>{unusual.name}</State>}
        {attempts > 1 && <Tag>{attempts} attempts</Tag>}
        {latency_ms !== null && <span className="muted">{latency_ms} ms</span>}
      </header>
      <div className={classes.said}>
        {written.map(({ id, text }) => (
          <p key={id} className={sandbox.bubble} data-own>
            {text}
          </p>
        ))}
        {said.map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what was said has no other name
          <p key={index} className={sandbox.bubble}>
            {text}
          </p>
        ))}
      </div>
      {error && <p className={sandbox.broken}>{error}</p>}
      {calls.length > 0 && (
        <ul className={sandbox.calls} aria-label="Tools">
          {calls.map((call, index) => {
            const { tool, args, answer } = call as { tool?: string; args?: unknown; answer?: unknown };
            // biome-ignore lint/suspicious/noArrayIndexKey: a tool is used at its place
            return <ToolUse key={index} name={tool ?? "tool"} args={args ?? {}} answer={answer ?? {}} />;
          })}
        </ul>
      )}
      {hits.length > 0 && <Hits hits={hits} />}
    </li>
  );
}

function Hits({ hits }: Pick<SessionTurn, "hits">) {
  return (
    <ul className={classes.hits} aria-label="Found in the knowledge">
      {hits.map((hit, index) => {
        const { title, quote, score } = hit as { title?: string; quote?: string; score?: number };
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a passage may be found twice
          <li key={index}>
            <b>{title}</b> <span className="muted">{score?.toFixed(2)}</span>
            <q>{quote}</q>
          </li>
        );
      })}
    </ul>
  );
}
