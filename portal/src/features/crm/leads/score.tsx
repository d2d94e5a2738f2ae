import { Failure } from "../../../ui/failure.tsx";
import { Link } from "../../../ui/link.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Section } from "../../../ui/section.tsx";
import classes from "../crm.module.css";
import type { Account } from "../records/data.ts";
import { type Lead, useScore } from "./data.ts";

export const points = (value: number) => (value > 0 ? `+${value}` : String(value).replace("-", "−"));

/** Why the score is what it is: the rules that match, their points, and their sum. */
export function Score({ account, lead }: { account: Account; lead: Lead }) {
  const { data, error, refetch } = useScore(lead.id, lead.version);
  const matched = data?.breakdown.filter((rule) => rule.matched) ?? [];
  const sum = matched.reduce((total, rule) => total + rule.points, 0);
  return (
    <Section
      title="Score"
      aside={
        <Link className="link" to={`/crm/${account.id}/leads/scoring`}>
          Rules
        </Link>
      }
    >
      {error && <Failure small title="The score did not load" error={error} retry={refetch} />}
      {!data && !error && <Loading rows={4} />}
      {data && (
        <>
          <ul className={classes.score}>
            {matched.map((rule) => (
              <li key={rule.rule}>
                <span className="cut">{rule.rule}</span>
                <span className="num">{points(rule.points)}</span>
              </li>
            ))}
            {matched.length === 0 && <li className="muted">No rule matches.</li>}
            <li data-total>
              <span>{sum !== data.score ? "Within 0 and 100" : "Score"}</span>
              <b className="num">{data.score}</b>
            </li>
          </ul>
          {data.breakdown.length > matched.length && (
            <details className={classes.history}>
              <summary>{data.breakdown.length - matched.length} rules do not match</summary>
              <ul className={classes.score}>
                {data.breakdown
                  .filter((rule) => !rule.matched)
                  .map((rule) => (
                    <li key={rule.rule} className="muted">
                      <span className="cut">{rule.rule}</span>
                      <span className="num">{points(rule.points)}</span>
                    </li>
                  ))}
              </ul>
            </details>
          )}
        </>
      )}
    </Section>
  );
}
