import { Button, Group, Textarea } from "@mantine/core";
import { useState } from "react";
import { useMay } from "../../../api/session.ts";
import { Id } from "../../../ui/copy.tsx";
import { Problem } from "../../../ui/form.tsx";
import { Link } from "../../../ui/link.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Facts, Section } from "../../../ui/section.tsx";
import { toast } from "../../../ui/toast.tsx";
import { When } from "../../../ui/when.tsx";
import type { Account } from "../../crm/records/data.ts";
import { usePersonName } from "../../crm/records/people.tsx";
import classes from "./approvals.module.css";
import { type Approval, useDecide } from "./data.ts";
import { ApprovalState, toolName } from "./words.tsx";

type Props = { account: Account; approval: Approval; agent: string; writes: boolean; close(): void };

const shown = (value: unknown) => (typeof value === "object" ? JSON.stringify(value) : String(value));

/** What an agent wants to do: whom it is about, what would be done, and the decision. */
export function ApprovalPanel({ account, approval, agent, writes, close }: Props) {
  const nameOf = usePersonName();
  const reads = useMay()("conversations:read");
  const [note, setNote] = useState("");
  const decide = useDecide();
  const { args, agent_id, session_id, conversation_id, decided_by, decided_at, executed_at, expires_at, result } = approval;
  const waits = approval.status === "pending";
  const at = `/crm/${account.id}`;
  const act = (approves: boolean) =>
    decide.mutateAsync({ approval, approves, note }).then(
      () => {
        toast(approves ? "Approved: it is done in a moment" : "Rejected: it is not done");
        close();
      },
      () => {},
    );
  return (
    <Panel
      title={toolName(approval.tool)}
      close={close}
      foot={
        waits &&
        writes && (
          <>
            <Button variant="default" loading={decide.isPending} onClick={() => void act(false)}>
              Reject
            </Button>
            <Button loading={decide.isPending} onClick={() => void act(true)}>
              Approve
            </Button>
          </>
        )
      }
    >
      <div className={classes.stack}>
        <Section title={`${agent} wants to use ${approval.tool}`}>
          <Facts rows={Object.entries(args).map(([name, value]) => [name, shown(value)])} />
        </Section>
        <Section title="About">
          <Facts
            rows={[
              ["Status", <ApprovalState key="status" approval={approval} />],
              ["Record", approval.record_id && <Id key="record">{approval.record_id}</Id>],
              ["Ends", waits ? <When key="ends" at={expires_at} as="day" /> : null],
              [
                "Decided",
                decided_by && decided_at && (
                  <span key="by">
                    {nameOf(decided_by)}, <When at={decided_at} as="since" />
                  </span>
                ),
              ],
              ["Why", approval.note],
              ["Done", executed_at && <When key="done" at={executed_at} as="since" />],
              ["Answer", result && <code key="result">{JSON.stringify(result)}</code>],
            ]}
          />
        </Section>
        <Group gap={8}>
          <Button component={Link} to={`${at}/agents/${agent_id}/sessions/${session_id}`} variant="default" size="xs">
            How it came to this
          </Button>
          {reads && (
            <Button component={Link} to={`${at}/inbox/${conversation_id}`} variant="default" size="xs">
              Open in the inbox
            </Button>
          )}
        </Group>
        {waits && writes && (
          <Textarea
            label="Why"
            description="For whoever looks at it later."
            autosize
            minRows={2}
            maxLength={1000}
            value={note}
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
          />
        )}
        <Problem error={decide.error} />
      </div>
    </Panel>
  );
}
