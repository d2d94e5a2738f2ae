import { Button } from "@mantine/core";
import { useState } from "react";
import { Answer } from "../../ui/answer.tsx";
import { Listed } from "../../ui/brief.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Split } from "../../ui/page.tsx";
import { Progress } from "../../ui/progress.tsx";
import { Section } from "../../ui/section.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { day, When } from "../../ui/when.tsx";
import { PartnerCertifications } from "../certifications/grants.tsx";
import classes from "../operator.module.css";
import { METRICS, valueText } from "../tiers/words.ts";
import { type Partner, useUpdatePartner } from "./data.ts";
import { SetTier } from "./set-tier.tsx";
import { type Standing, type TierChange, useStanding, useTierChanges } from "./tier.data.ts";

/** How a partner stands in the programme. */
export function PartnerTier({ partner }: { partner: Partner }) {
  const { data, error, refetch } = useStanding(partner.id);
  const [sets, setSets] = useState(false);
  return (
    <div className={classes.scroll}>
      <Split
        side={
          <>
            <PartnerCertifications partner={partner} />
            <Section title="Changes">
              <Changes partner_id={partner.id} />
            </Section>
          </>
        }
      >
        {error && !data && <Failure title="The tier did not load" error={error} retry={refetch} />}
        {data === undefined ? !error && <Loading /> : <Shown standing={data} />}
        <Section title="Who decides">
          <p className="soft" style={{ maxWidth: 560 }}>
            {partner.pinned
              ? `You set this tier by hand: it stays ${partner.pinned_until ? `until ${day(partner.pinned_until)}` : "until you let it go"}, whatever the partner achieves.`
              : "The requirements decide: the partner rises as soon as it meets those of a higher tier, and keeps its tier for the days of grace when it no longer meets them."}
          </p>
          <div className={classes.decide} style={{ marginTop: 12 }}>
            <Button variant="default" onClick={() => setSets(true)}>
              Set by hand…
            </Button>
            {partner.pinned && <Unpin partner={partner} />}
          </div>
        </Section>
      </Split>
      {sets && <SetTier partner={partner} close={() => setSets(false)} />}
    </div>
  );
}

function Shown({ standing }: { standing: Standing }) {
  const { next, progress, keep, name, pinned, grace_until } = standing;
  const missing = progress.filter(({ met }) => !met).length;
  const lost = keep.some(({ met }) => !met);
  return (
    <>
      <Answer
        sub={
          grace_until
            ? `It no longer meets what ${name} asks for, and keeps it until ${day(grace_until)}.`
            : pinned
              ? "Set by hand."
              : lost && "It does not meet what its tier asks for."
        }
      >
        <b>{name}</b>
        {next === null
          ? ", the highest tier"
          : missing === 0
            ? `, and it meets what ${next.name} asks for`
            : `, on the way to ${next.name}`}
      </Answer>
      {next !== null && progress.length > 0 && (
        <Section title={`To ${next.name}`}>
          <Metrics rows={progress} />
        </Section>
      )}
      {keep.length > 0 && (
        <Section title={`To keep ${name}`}>
          <Metrics rows={keep} late />
        </Section>
      )}
    </>
  );
}

function Metrics({ rows, late = false }: { rows: Standing["progress"]; late?: boolean }) {
  return (
    <ul className={classes.progress} style={{ maxWidth: 560 }}>
      {rows.map((row) => {
        const { metric, value, required, met } = row;
        return (
          <li key={`${metric} ${row.currency}`}>
            <span>
              {METRICS[metric]} {row.window_days && <span className="muted">over {row.window_days} days</span>}
            </span>
            <span className="num">
              <b className="strong">{valueText(row, value)}</b>{" "}
              <span className="muted">
                {metric === "retention_bps" ? "at least" : "of"} {valueText(row, required)}
              </span>
            </span>
            <Progress
              label={METRICS[metric]}
              value={required === 0 ? 1 : Math.min(1, value / required)}
              tone={met || !late ? "accent" : "wait"}
            />
          </li>
        );
      })}
    </ul>
  );
}

const REASONS: Record<TierChange["reason"], string> = {
  metric: "by its requirements",
  certification: "by a certification",
  manual: "by hand",
};

function Changes({ partner_id }: { partner_id: string }) {
  return (
    <Listed list={useTierChanges(partner_id)} what="changes" none="None so far.">
      {(rows) => (
        <ul className={classes.rows}>
          {rows.map((change) => (
            <li key={change.id} style={{ gridTemplateColumns: "minmax(0, 1fr) auto" }}>
              <span className="cut">
                <b>{change.direction === "none" ? `stays ${change.grade}` : `${change.previous_grade} to ${change.grade}`}</b>{" "}
                <span className="muted">{change.certification ? `by ${change.certification}` : REASONS[change.reason]}</span>
              </span>
              <When at={change.at} as="day" muted />
            </li>
          ))}
        </ul>
      )}
    </Listed>
  );
}

/** Lets the requirements decide again. */
function Unpin({ partner }: { partner: Partner }) {
  const update = useUpdatePartner();
  const unpin = () =>
    update.mutateAsync({ partner, body: { pinned: false } }).then(
      ({ grade }) => toast(`The requirements decide again: ${grade}`),
      (error: Error) => toastError("Not changed", error),
    );
  return (
    <Button variant="subtle" loading={update.isPending} onClick={() => void unpin()}>
      Let the requirements decide
    </Button>
  );
}
