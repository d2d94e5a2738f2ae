import { Button } from "@mantine/core";
import { useMay } from "../../api/session.ts";
import { Export } from "../../ui/bar.tsx";
import { Listed } from "../../ui/brief.tsx";
import { Link } from "../../ui/link.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Section } from "../../ui/section.tsx";
import { When } from "../../ui/when.tsx";
import { tell, useAct } from "./rollout-act.ts";
import { exportAddress, type Member, type Rollout, useMembers } from "./rollouts.data.ts";
import { DeploymentState, plural } from "./words.tsx";

/** Its clients: those with trouble first, then those that are done. */
export function Members({ rollout, moving }: { rollout: Rollout; moving: boolean }) {
  const troubled = useMembers(rollout.id, ["failed", "partial", "skipped"], moving);
  const done = useMembers(rollout.id, ["succeeded", "unchanged", "planned", "rolled_back"], moving);
  const act = useAct(rollout);
  const retries = useMay()("snapshots:deploy") && rollout.counts.failed > 0 && !moving && rollout.status !== "rolled_back";
  return (
    <>
      {(troubled.rows.length > 0 || troubled.loading) && (
        <Section
          title="Failed, partial and skipped"
          aside={
            retries && (
              <Button variant="default" size="xs" onClick={() => void act("retry").catch(tell)}>
                Retry failed
              </Button>
            )
          }
        >
          <MemberRows list={troubled} />
        </Section>
      )}
      <Section title="Done" aside={<Export href={exportAddress(rollout.id)} />}>
        <MemberRows list={done} />
      </Section>
    </>
  );
}

function MemberRows({ list }: { list: ReturnType<typeof useMembers> }) {
  return (
    <Listed list={list} what="clients" none="Nobody yet.">
      {(rows) => (
        <>
          <Rows heads={["Client", "State", "·What happened", "At"]} ends={1}>
            {rows.map((row) => (
              <tr key={row.id}>
                <td>
                  <Link to={`/clients/${row.client_id}`}>
                    <b>{row.company}</b>
                  </Link>
                </td>
                <td>
                  <DeploymentState status={row.status} />
                </td>
                <td data-desk>{whatOf(row)}</td>
                <td>
                  <When at={row.finished_at} muted />
                </td>
              </tr>
            ))}
          </Rows>
          {list.more && (
            <Button variant="subtle" loading={list.loadingMore} onClick={list.loadMore}>
              Show more
            </Button>
          )}
        </>
      )}
    </Listed>
  );
}

function whatOf({ failure, conflicts, previous_version, canary }: Member): React.ReactNode {
  if (failure) return failure.detail;
  const parts = [
    previous_version === null ? "" : `from v${previous_version}`,
    conflicts > 0 ? plural(conflicts, "conflict") : "",
    canary ? "canary" : "",
  ].filter(Boolean);
  return <span className="muted">{parts.join(", ")}</span>;
}
