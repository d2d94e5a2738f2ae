import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { Listed } from "../../ui/brief.tsx";
import { Code } from "../../ui/code.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Content } from "../../ui/page.tsx";
import { Section } from "../../ui/section.tsx";
import { State } from "../../ui/state.tsx";
import { toast } from "../../ui/toast.tsx";
import { useUrl } from "../../ui/url.ts";
import { When } from "../../ui/when.tsx";
import { usePersonName } from "../crm/records/people.tsx";
import classes from "./agents.module.css";
import { type Agent, type AgentVersion, useDiff, useRollback, useVersion, useVersions } from "./data.ts";
import { DiffLines } from "./diff.tsx";
import { formatJson } from "./editor/json.ts";
import { inOrder } from "./editor/order.ts";
import type { PartProps } from "./part.ts";

/** The versions, newest first; an open one shows what it changed. */
export function Versions({ agent, draft, writes }: PartProps) {
  const [url, setUrl] = useUrl();
  const list = useVersions(agent.id);
  const open = Number(url.version ?? list.rows[0]?.number ?? 0);
  return (
    <div className={classes.scroll}>
      <Content>
        <Section title="Versions" aside="What was published never changes">
          <Listed list={list} what="versions" none="There is no version yet.">
            {(rows) => (
              <ol className={classes.versions}>
                {rows.map((version) => (
                  <li key={version.number}>
                    <Head
                      agent={agent}
                      version={version}
                      open={version.number === open}
                      toggle={() => setUrl({ version: version.number === open ? "0" : String(version.number) })}
                    />
                    {version.number === open && <Opened agent={agent} version={version} writes={writes} write={draft.write} />}
                  </li>
                ))}
              </ol>
            )}
          </Listed>
          {list.more && (
            <Button variant="default" loading={list.loadingMore} onClick={list.loadMore}>
              Earlier versions
            </Button>
          )}
        </Section>
      </Content>
    </div>
  );
}

type HeadProps = { agent: Agent; version: AgentVersion; open: boolean; toggle(): void };

function Head({ agent, version: { number, note, published_at, created_by, updated_at }, open, toggle }: HeadProps) {
  const nameOf = usePersonName();
  const answers = number === agent.published_version;
  return (
    <button type="button" aria-expanded={open} onClick={toggle}>
      <b>v{number}</b>
      <span className="cut">{note ?? (number === 1 ? "The first version" : "No word about it")}</span>
      <span className="muted only-desk cut">{nameOf(created_by)}</span>
      <span>
        {answers ? (
          <State tone="live">published</State>
        ) : (
          <State tone={published_at ? "ended" : "wait"}>{published_at ? "before" : "draft"}</State>
        )}
      </span>
      <When at={published_at ?? updated_at} muted />
    </button>
  );
}

type OpenedProps = { agent: Agent; version: AgentVersion; writes: boolean; write(text: string): void };

function Opened({ agent, version: { number, published_at }, writes, write }: OpenedProps) {
  const [, setUrl] = useUrl();
  const [whole, setWhole] = useState(number === 1);
  const [back, setBack] = useState(false);
  const rollback = useRollback();
  const diff = useDiff(agent.id, number - 1, number, number > 1);
  const version = useVersion(agent.id, number);
  const text = version.data && formatJson(inOrder(version.data.content));
  return (
    <div className={classes.opened}>
      {number > 1 &&
        (diff.error ? (
          <Failure small title="The difference did not load" error={diff.error} retry={diff.refetch} />
        ) : diff.data === undefined ? (
          <Loading rows={2} />
        ) : (
          <DiffLines changes={diff.data.changes} />
        ))}
      <Group gap={8}>
        {number > 1 && (
          <Button variant="default" aria-expanded={whole} onClick={() => setWhole(!whole)}>
            {whole ? "Hide the text" : "Show the text"}
          </Button>
        )}
        {writes && number !== agent.latest_version && (
          <Button
            variant="default"
            disabled={text === undefined}
            onClick={() => {
              write(text ?? "");
              setUrl({ show: undefined, version: undefined }, true);
            }}
          >
            Write on from here
          </Button>
        )}
        {writes && published_at !== null && number !== agent.published_version && (
          <Button variant="default" onClick={() => setBack(true)}>
            Roll back to it…
          </Button>
        )}
      </Group>
      {whole && text !== undefined && <Code json text={text} label={`Text of version ${number}`} />}
      <Confirm
        opened={back}
        close={() => setBack(false)}
        title={`Publish version ${number} again?`}
        action={`Roll back to version ${number}`}
        onConfirm={async () => {
          await rollback.mutateAsync({ agent, version: number });
          toast(`Version ${number} answers again`);
        }}
      >
        <p>
          Conversations that begin from now on follow version {number} and not version {agent.published_version}. Those under way
          end with the version that they began with.
        </p>
      </Confirm>
    </div>
  );
}
