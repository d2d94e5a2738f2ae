import { Award, TrendingDown, TrendingUp } from "lucide-react";
import { useMay } from "../../../api/session.ts";
import { Answer, Blocker } from "../../../ui/answer.tsx";
import { Listed } from "../../../ui/brief.tsx";
import { Failure } from "../../../ui/failure.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Page, Split } from "../../../ui/page.tsx";
import { Progress } from "../../../ui/progress.tsx";
import { Section } from "../../../ui/section.tsx";
import { State } from "../../../ui/state.tsx";
import { type Moment, Timeline } from "../../../ui/timeline.tsx";
import { day, time } from "../../../ui/when.tsx";
import { Benefits } from "./benefits.tsx";
import {
  REQUEST,
  type Requirement,
  type Standing,
  type Tier,
  type TierChange,
  useCertifications,
  useStanding,
  useTierChanges,
  useTiers,
} from "./data.ts";
import { Simulate } from "./simulate.tsx";
import classes from "./standing.module.css";
import { metricName, metricValue, missingText } from "./words.ts";

/** Which tier am I, and what is missing for the next? */
export default function TierPage() {
  const { data, error, refetch, dataUpdatedAt } = useStanding();
  return (
    <Page title="Tier" api={REQUEST} foot={data ? `Counted at ${time(new Date(dataUpdatedAt))}` : "Loading"}>
      {data ? (
        <Shown standing={data} />
      ) : error ? (
        <Failure title="The tier did not load" error={error} retry={refetch} />
      ) : (
        <Loading />
      )}
    </Page>
  );
}

function Shown({ standing }: { standing: Standing }) {
  const { data: tiers, error, refetch } = useTiers();
  return (
    <Split side={<Side tiers={tiers ?? []} standing={standing} />}>
      <Headline standing={standing} />
      <Grace standing={standing} />
      {standing.next && (
        <Section title={`On the way to ${standing.next.name}`}>
          <Requirements requirements={standing.progress} />
        </Section>
      )}
      {standing.keep.length > 0 && (
        <Section title={`To stay ${standing.name}`}>
          <Requirements requirements={standing.keep} late={standing.grace_until !== null} />
        </Section>
      )}
      <Section title="What each tier gives">
        {tiers ? (
          <Benefits tiers={tiers} grade={standing.grade} />
        ) : error ? (
          <Failure small title="The tiers did not load" error={error} retry={refetch} />
        ) : (
          <Loading rows={6} />
        )}
      </Section>
    </Split>
  );
}

function Headline({ standing }: { standing: Standing }) {
  const { name, next, progress, pinned, pinned_until } = standing;
  const missing = progress.filter(({ met }) => !met);
  return (
    <Answer
      sub={
        <>
          <span>
            {next === null
              ? "The highest tier of the programme."
              : missing.length > 0
                ? `${next.name} takes ${missing.map(missingText).join(" and ")}.`
                : `All that ${next.name} requires is there.`}
          </span>
          {pinned && (
            <span>
              The operator has set your tier{pinned_until === null ? "" : ` until ${day(pinned_until)}`}: it does not follow the
              figures.
            </span>
          )}
        </>
      }
    >
      You are <b>{name}</b>
      {next && (
        <>
          , next is <b>{next.name}</b>
        </>
      )}
    </Answer>
  );
}

/** A tier that is about to be lost. */
function Grace({ standing: { name, grace_until, keep } }: { standing: Standing }) {
  if (grace_until === null) return null;
  const missing = keep.filter(({ met }) => !met);
  return (
    <Blocker title={`${name} ends on ${day(grace_until)}`}>
      To keep it, {missing.map(missingText).join(" and ")} {missing.length === 1 ? "is" : "are"} needed by then.
    </Blocker>
  );
}

function Requirements({ requirements, late = false }: { requirements: readonly Requirement[]; late?: boolean }) {
  if (requirements.length === 0) return <p className="muted">Nothing is required.</p>;
  return (
    <ul className={classes.requirements}>
      {requirements.map((one) => (
        <li key={`${one.metric} ${one.currency ?? ""}`}>
          <span>{metricName(one)}</span>
          <span className={classes.count}>
            <b>{metricValue(one, one.value)}</b>
            {one.metric === "retention_bps" ? ", at least " : " of "}
            {metricValue(one, one.required)}
          </span>
          <Progress
            label={metricName(one)}
            value={one.required === 0 ? 1 : Math.min(1, Math.max(0, one.value / one.required))}
            tone={one.met || !late ? "accent" : "wait"}
          />
          <span className={classes.missing}>{one.met ? <State tone="live">met</State> : missingText(one)}</span>
        </li>
      ))}
    </ul>
  );
}

function Side({ tiers, standing }: { tiers: readonly Tier[]; standing: Standing }) {
  const may = useMay();
  return (
    <>
      {tiers.length > 0 && may("commissions:read") && <Simulate tiers={tiers} standing={standing} />}
      <Section title="Certifications">
        <Certifications />
      </Section>
      <Section title="History">
        <History tiers={tiers} />
      </Section>
    </>
  );
}

function Certifications() {
  return (
    <Listed list={useCertifications()} what="certifications" none="None yet. The operator grants them.">
      {(rows) => (
        <ul className={classes.grants}>
          {rows.map(({ id, certification, granted_at, expires_at, ended_at, end_reason }) => (
            <li key={id} data-ended={ended_at !== null || undefined}>
              <b>{certification}</b>
              <State tone={ended_at === null ? "live" : "ended"}>{ended_at === null ? "held" : (end_reason ?? "ended")}</State>
              <span className="muted">
                {ended_at !== null
                  ? `until ${day(ended_at)}`
                  : `since ${day(granted_at)}${expires_at ? `, expires ${day(expires_at)}` : ""}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Listed>
  );
}

const REASONS: Record<TierChange["reason"], string> = {
  metric: "by the figures",
  certification: "by a certification",
  manual: "by the operator",
};

function History({ tiers }: { tiers: readonly Tier[] }) {
  const nameOf = (grade: string) => tiers.find((tier) => tier.grade === grade)?.name ?? grade;
  const momentOf = ({ id, at, direction, previous_grade, grade, certification, reason }: TierChange): Moment => {
    if (direction === "none") return { id, at, icon: <Award />, what: certification ?? "A certification", more: "changed" };
    return {
      id,
      at,
      icon: direction === "up" ? <TrendingUp /> : <TrendingDown />,
      tone: direction === "up" ? "accent" : "bad",
      what: (
        <>
          <b>{nameOf(grade)}</b> after {nameOf(previous_grade)}
        </>
      ),
      more: certification ? `by ${certification}` : REASONS[reason],
    };
  };
  return (
    <Listed list={useTierChanges()} what="history" none="The tier has not changed yet.">
      {(rows) => <Timeline moments={rows.map(momentOf)} />}
    </Listed>
  );
}
