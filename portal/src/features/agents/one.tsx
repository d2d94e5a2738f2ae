import { useParams } from "@tanstack/react-router";
import { useMay } from "../../api/session.ts";
import { Bar, Tabs } from "../../ui/bar.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Page } from "../../ui/page.tsx";
import { useUrl } from "../../ui/url.ts";
import { Waiting } from "../../ui/waiting.tsx";
import { When } from "../../ui/when.tsx";
import { InAccount, ReadOnly, useRightAccount } from "../crm/records/account.tsx";
import type { Account } from "../crm/records/data.ts";
import { AgentActs, AgentPhoneActs } from "./acts.tsx";
import { type Agent, oneRequest, useAgent, useVersion } from "./data.ts";
import { useDraft } from "./editor/draft.ts";
import { Editor } from "./editor/page.tsx";
import { Publish } from "./publish.tsx";
import { Sandbox } from "./sandbox/page.tsx";
import { Sessions } from "./sessions/list.tsx";
import { Settings } from "./settings.tsx";
import { Tests } from "./suites/page.tsx";
import { Versions } from "./versions.tsx";
import { AgentState } from "./words.tsx";

const TABS = [
  { value: "", name: "Editor" },
  { value: "sandbox", name: "Sandbox" },
  { value: "sessions", name: "Sessions" },
  { value: "tests", name: "Tests" },
  { value: "versions", name: "Versions" },
];

export default function AgentPage() {
  return <InAccount title="Agent">{(account) => <OneAgent account={account} />}</InAccount>;
}

function OneAgent({ account }: { account: Account }) {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const query = useAgent(id);
  useRightAccount(account, query.data, "agents");
  const trail = [["Agents", `/crm/${account.id}/agents`]] as const;
  if (query.data === undefined) return <Waiting title="Agent" trail={trail} query={query} />;
  return <Shown key={id} account={account} agent={query.data} />;
}

function Shown({ account, agent }: { account: Account; agent: Agent }) {
  const [url, setUrl] = useUrl();
  const may = useMay();
  const query = useVersion(agent.id, agent.latest_version);
  const draft = useDraft(agent, query.data);
  const writes = may("agents:write") && account.readOnly === null && agent.status !== "archived";
  const tabs = TABS.filter(({ value }) => value !== "sandbox" || may("agents:sandbox"));
  const show = tabs.find(({ value }) => value === url.show)?.value ?? "";
  const part = { account, agent, draft, writes };
  const close = () => setUrl({ do: undefined });
  return (
    <Page
      title={
        <>
          <span className="cut">{agent.name}</span> <AgentState agent={agent} />
        </>
      }
      name={agent.name}
      trail={[["Agents", `/crm/${account.id}/agents`]]}
      fill
      api={oneRequest(agent.id)}
      foot={
        <span>
          {agent.published_version === null ? "Never published" : `Version ${agent.published_version} answers`}, changed{" "}
          <When at={agent.updated_at} as="since" />
        </span>
      }
      actions={writes && <AgentActs {...part} version={query.data} />}
      phoneAction={writes && <AgentPhoneActs {...part} version={query.data} />}
    >
      <ReadOnly account={account} />
      <Bar>
        <Tabs label="Show" value={show} tabs={tabs} onChange={(value) => setUrl({ show: value, version: undefined })} />
      </Bar>
      {show === "" &&
        (query.data === undefined ? (
          query.error ? (
            <Failure title="The version did not load" error={query.error} retry={query.refetch} />
          ) : (
            <Loading />
          )
        ) : (
          <Editor {...part} version={query.data} />
        ))}
      {show === "sandbox" && <Sandbox {...part} />}
      {show === "sessions" && <Sessions {...part} />}
      {show === "tests" && <Tests {...part} />}
      {show === "versions" && <Versions {...part} />}
      {writes && url.do === "publish" && <Publish agent={agent} close={close} />}
      {writes && url.do === "settings" && <Settings account={account} agent={agent} close={close} />}
    </Page>
  );
}
