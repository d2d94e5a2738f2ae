import { ChevronDown, ChevronRight } from "lucide-react";
import { Failure } from "../../ui/failure.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Section } from "../../ui/section.tsx";
import { useUrl } from "../../ui/url.ts";
import { useDeployment } from "./data.ts";
import type { Rollout } from "./rollouts.data.ts";
import classes from "./snapshots.module.css";
import { PlanSteps } from "./steps.tsx";
import { changesText, plural } from "./words.tsx";

type Plan = NonNullable<Rollout["plans"]>[number];

/** What a dry run found: clients in the same state have the same plan. An open one shows what it does, asset by asset. */
export function Plans({ plans }: { plans: readonly Plan[] }) {
  const [url, setUrl] = useUrl();
  return (
    <Section title="What would happen" aside={plural(plans.length, "different plan")}>
      <ol className={classes.versions}>
        {plans.map(({ plan_hash, clients, conflicts, counts, deployment_id }) => {
          const open = url.plan === plan_hash;
          return (
            <li key={plan_hash} data-open={open || undefined}>
              <button
                type="button"
                className={classes.plan}
                aria-expanded={open}
                onClick={() => setUrl({ plan: open ? undefined : plan_hash })}
              >
                <b>{plural(clients, "client")}</b>
                <span>{counts ? changesText(counts) : "Show what changes"}</span>
                <span className="muted">{conflicts > 0 && plural(conflicts, "conflict")}</span>
                {open ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
              </button>
              {open && <Steps deployment_id={deployment_id} />}
            </li>
          );
        })}
      </ol>
    </Section>
  );
}

/** The plan as it was made for one of these clients; it is the same for all of them. */
function Steps({ deployment_id }: { deployment_id: string }) {
  const { data, error, refetch } = useDeployment(deployment_id);
  if (error) return <Failure small title="The plan did not load" error={error} retry={refetch} />;
  if (data === undefined) return <Loading rows={2} />;
  if (data.steps === null) return <p className="muted">The plan is no longer kept: it is older than 30 days.</p>;
  return data.steps.length === 0 ? <p className="muted">Nothing changes.</p> : <PlanSteps steps={data.steps} />;
}
