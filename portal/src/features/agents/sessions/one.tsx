import { Button } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useMay } from "../../../api/session.ts";
import { Answer } from "../../../ui/answer.tsx";
import { Confirm } from "../../../ui/confirm.tsx";
import { Id } from "../../../ui/copy.tsx";
import { Link } from "../../../ui/link.tsx";
import { Page, PhoneActs, Split } from "../../../ui/page.tsx";
import { Facts, Section } from "../../../ui/section.tsx";
import { toast } from "../../../ui/toast.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import { When } from "../../../ui/when.tsx";
import { InAccount, ReadOnly } from "../../crm/records/account.tsx";
import type { Account } from "../../crm/records/data.ts";
import { useAgent } from "../data.ts";
import { TestOfSession } from "../suites/keep.tsx";
import { plural } from "../words.tsx";
import { oneRequest, type SessionWhole, useAgentSession, useEndSession } from "./data.ts";
import { Feedback } from "./feedback.tsx";
import { Turns } from "./turns.tsx";
import { channelOf, reasonOf, SessionState } from "./words.tsx";

export default function SessionPage() {
  return <InAccount title="Session">{(account) => <OneSession account={account} />}</InAccount>;
}

function OneSession({ account }: { account: Account }) {
  const { id: agent_id = "", session: id = "" } = useParams({ strict: false }) as { id?: string; session?: string };
  const query = useAgentSession(id);
  const agent = useAgent(agent_id).data;
  const may = useMay();
  const trail = [
    ["Agents", `/crm/${account.id}/agents`],
    [agent?.name ?? "Agent", `/crm/${account.id}/agents/${agent_id}?show=sessions`],
  ] as const;
  const session = query.data;
  if (session === undefined) return <Waiting title="Session" trail={trail} query={query} />;
  const writes = may("agents:write") && account.readOnly === null;
  const acts = writes && <Acts session={session} />;
  const reason = reasonOf(session);
  return (
    <Page
      title={
        <>
          <span className="cut">Session</span> <SessionState session={session} />
        </>
      }
      name="Session"
      trail={trail}
      api={oneRequest(session.id)}
      foot={
        <span>
          Began <When at={session.started_at} as="since" />
        </span>
      }
      actions={acts}
    >
      <ReadOnly account={account} />
      <Split
        side={
          <>
            <About account={account} session={session} agent_name={agent?.name} />
            <Feedback session={session} writes={writes} />
          </>
        }
      >
        <Answer sub={<Id>{session.id}</Id>}>
          {agent?.name ?? "The agent"} took <b>{plural(session.turns, "turn")}</b>
          {reason && <> – {reason}</>}
        </Answer>
        {acts && <PhoneActs>{acts}</PhoneActs>}
        <Turns session={session} />
      </Split>
    </Page>
  );
}

function About({ account, session, agent_name }: { account: Account; session: SessionWhole; agent_name: string | undefined }) {
  const reads = useMay()("conversations:read");
  const { slots, conversation_id, agent_id, agent_version, started_at, ended_at } = session;
  const at = `/crm/${account.id}`;
  return (
    <>
      <Section title="About">
        <Facts
          rows={[
            [
              "Agent",
              <Link
                key="agent"
                className="link"
                to={`${at}/agents/${agent_id}`}
              >{`${agent_name ?? "Agent"}, version ${agent_version}`}</Link>,
            ],
            ["Channel", channelOf(session)],
            [
              "Conversation",
              reads ? (
                <Link key="inbox" className="link" to={`${at}/inbox/${conversation_id}`}>
                  Open in the inbox
                </Link>
              ) : null,
            ],
            ["Began", <When key="began" at={started_at} as="moment" />],
            ["Ended", ended_at && <When key="ended" at={ended_at} as="moment" />],
          ]}
        />
      </Section>
      <Section title="Answers">
        {Object.keys(slots).length === 0 ? (
          <p className="muted">Nothing was answered yet.</p>
        ) : (
          <Facts rows={Object.entries(slots).map(([name, value]) => [name, String(value)])} />
        )}
      </Section>
    </>
  );
}

function Acts({ session }: { session: SessionWhole }) {
  const [ends, setEnds] = useState(false);
  const [keeps, setKeeps] = useState(false);
  const end = useEndSession();
  return (
    <>
      {session.ended_at === null && (
        <Button variant="default" onClick={() => setEnds(true)}>
          End session…
        </Button>
      )}
      <Button variant="default" onClick={() => setKeeps(true)}>
        Make a test…
      </Button>
      {keeps && <TestOfSession session={session} close={() => setKeeps(false)} />}
      <Confirm
        opened={ends}
        close={() => setEnds(false)}
        title="End this session?"
        action="End session"
        onConfirm={async () => {
          await end.mutateAsync(session.id);
          toast("The session has ended");
        }}
      >
        <p>
          What was answered so far is forgotten by the agent: the next message of the person begins another session. Who answers
          the conversation stays.
        </p>
      </Confirm>
    </>
  );
}
