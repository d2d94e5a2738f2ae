import { Bars } from "../../ui/charts.tsx";
import { Progress } from "../../ui/progress.tsx";
import { Section } from "../../ui/section.tsx";
import { day, moment, time } from "../../ui/when.tsx";
import { boundOf, minutesOf, type Phase, phasesOf } from "./rollout-model.ts";
import { ENDED, type Pace, type Rollout, usePace } from "./rollouts.data.ts";
import classes from "./rollouts.module.css";
import { plural } from "./words.tsx";

/** Whether it goes well: its phases with their times, how near it is to its bound, and how fast it is. */
export function Health({ rollout, moving }: { rollout: Rollout; moving: boolean }) {
  const { data: pace } = usePace(rollout.id, moving);
  return (
    <div className={classes.health}>
      <Phases phases={phasesOf(rollout, pace?.canary_done_at ?? null)} />
      <Bound rollout={rollout} />
      {pace !== undefined && pace.minutes.length > 0 && <Minutes pace={pace} moving={moving} />}
    </div>
  );
}

/** A time of today by the clock, another one with its day. */
const short = (at: string) => (day(at) === day(new Date()) ? time(at) : moment(at));

function timesText({ state, from, to }: Phase): string {
  if (from === null || state === "later") return "";
  if (to === null) return `since ${short(from)}`;
  return time(from) === time(to) ? short(to) : `${short(from)} to ${time(to)}`;
}

function Phases({ phases }: { phases: readonly Phase[] }) {
  return (
    <Section title="Phases">
      <ol className={classes.phases}>
        {phases.map((phase) => (
          <li key={phase.name} data-state={phase.state}>
            <b>{phase.name}</b>
            <span>
              {phase.done.toLocaleString("en-US")} of {plural(phase.members, "client")}
              {phase.failed > 0 ? `, ${phase.failed.toLocaleString("en-US")} failed` : ""}
            </span>
            <span className="muted">{timesText(phase)}</span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** How many more may fail before it halts. */
function moreText(more: number, ended: boolean): string {
  if (more < 0) return "too many";
  if (ended) return "stayed within it";
  return more === 0 ? "the next one halts it" : `${more.toLocaleString("en-US")} more may fail`;
}

function Bound({ rollout }: { rollout: Rollout }) {
  const { failed, members, more, percent, share } = boundOf(rollout);
  const { max_failure_percent } = rollout;
  return (
    <Section title="Failures against the bound" aside={`halts above ${max_failure_percent}%`}>
      <div className={classes.bound}>
        <p>
          <b>{percent}</b> <span className="muted">of the phase, {plural(failed, "client")}</span>
        </p>
        <Progress label={`${percent} failed, of at most ${max_failure_percent}%`} value={share} tone="bad" />
        <p className={classes.scale}>
          <span>0</span>
          <span>{moreText(more, ENDED.includes(rollout.status))}</span>
          <span>{members === 0 ? "" : `${max_failure_percent}%`}</span>
        </p>
      </div>
    </Section>
  );
}

function Minutes({ pace, moving }: { pace: Pace; moving: boolean }) {
  const minutes = minutesOf(pace);
  const total = minutes.reduce((sum, { value, bad }) => sum + value + bad, 0);
  const busy = minutes.filter(({ value, bad }) => value + bad > 0).length;
  const last = minutes.at(-1);
  const average = Math.round(total / Math.max(1, busy));
  const aside = moving ? `${(last?.value ?? 0) + (last?.bad ?? 0)} in the last` : `${average.toLocaleString("en-US")} on average`;
  const [first] = minutes;
  return (
    <Section title="Clients a minute" aside={aside}>
      <Bars label={`Clients a minute: ${average} on average, ${total} in all`} bars={minutes} height={48} />
      <p className={classes.scale}>
        <span>{first && time(first.key)}</span>
        <span>{last && time(last.key)}</span>
      </p>
    </Section>
  );
}
