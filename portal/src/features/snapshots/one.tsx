import { Button, Menu } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { Archive, ChevronDown, Rocket, Send } from "lucide-react";
import { useState } from "react";
import { useMay } from "../../api/session.ts";
import { Answer } from "../../ui/answer.tsx";
import { Tabs } from "../../ui/bar.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Id } from "../../ui/copy.tsx";
import { Content, Page, PhoneActs } from "../../ui/page.tsx";
import { toast } from "../../ui/toast.tsx";
import { useUrl } from "../../ui/url.ts";
import { Waiting } from "../../ui/waiting.tsx";
import { When } from "../../ui/when.tsx";
import { Contents } from "./contents.tsx";
import { NewVersion } from "./create.tsx";
import { oneRequest, type Snapshot, useContent, useSnapshot, useUpdateSnapshot } from "./data.ts";
import { Deploy } from "./deploy.tsx";
import { Installs } from "./installs.tsx";
import { OfListing } from "./marketplace/listing.tsx";
import { StartRollout } from "./rollout-new.tsx";
import { Versions } from "./versions.tsx";
import { countsText, SnapshotState } from "./words.tsx";

const TRAIL = [["Snapshots", "/snapshots"]] as const;
const TABS = [
  { value: "", name: "Who runs it" },
  { value: "versions", name: "Versions" },
  { value: "contents", name: "Contents" },
];
const OWN_TABS = [...TABS, { value: "listing", name: "Marketplace" }];

/** Who runs which version of it, and what is in it? */
export default function OneSnapshot() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const query = useSnapshot(id);
  return query.data === undefined ? <Waiting title="Snapshot" trail={TRAIL} query={query} /> : <Shown snapshot={query.data} />;
}

function Shown({ snapshot }: { snapshot: Snapshot }) {
  const [url, setUrl] = useUrl();
  const may = useMay();
  const latest = useContent(snapshot.id, snapshot.latest_version);
  const shown = url.show ?? "";
  const own = snapshot.origin === "own";
  return (
    <Page
      title={
        <>
          <span className="cut">{snapshot.name}</span> <SnapshotState snapshot={snapshot} />
        </>
      }
      name={snapshot.name}
      trail={TRAIL}
      api={oneRequest(snapshot.id)}
      foot={
        <span>
          Changed <When at={snapshot.updated_at} as="since" />
        </span>
      }
      actions={<Actions snapshot={snapshot} />}
    >
      <Content>
        <Answer
          sub={
            <>
              {snapshot.description && <span>{snapshot.description}</span>}
              <Id>{snapshot.id}</Id>
            </>
          }
        >
          {snapshot.latest_version === null ? (
            "It has no version yet"
          ) : (
            <>
              <b>v{snapshot.latest_version}</b> has {countsText(latest.data?.asset_counts ?? {})}
            </>
          )}
        </Answer>
        <PhoneActs>
          <Actions snapshot={snapshot} />
        </PhoneActs>
        <Tabs label="Show" value={shown} tabs={own ? OWN_TABS : TABS} onChange={(show) => setUrl({ show })} />
        {shown === "versions" && <Versions snapshot={snapshot} />}
        {shown === "contents" && <Contents snapshot={snapshot} />}
        {shown === "listing" && own && <OfListing snapshot={snapshot} />}
        {shown === "" && <Installs snapshot={snapshot} />}
      </Content>
      {url.deploy !== undefined && may("snapshots:deploy") && (
        <Deploy snapshot={snapshot} client_id={url.deploy || null} close={() => setUrl({ deploy: undefined })} />
      )}
      {url.new === "version" && (
        <NewVersion snapshot={snapshot} manifest={latest.data?.manifest} close={() => setUrl({ new: undefined })} />
      )}
      {url.new === "rollout" && <StartRollout snapshot={snapshot} close={() => setUrl({ new: undefined })} />}
    </Page>
  );
}

function Actions({ snapshot }: { snapshot: Snapshot }) {
  const [, setUrl] = useUrl();
  const may = useMay();
  const [archives, setArchives] = useState(false);
  const update = useUpdateSnapshot();
  const own = snapshot.origin === "own";
  const deployable = snapshot.latest_version !== null && (snapshot.status === "published" || snapshot.status === "deprecated");
  return (
    <>
      {may("snapshots:write") && own && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="subtle" rightSection={<ChevronDown />}>
              More
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {snapshot.status === "draft" && snapshot.latest_version !== null && (
              <Menu.Item
                leftSection={<Send />}
                onClick={() =>
                  void update.mutateAsync({ snapshot, body: { status: "published" } }).then(() => toast("Published"))
                }
              >
                Publish
              </Menu.Item>
            )}
            {snapshot.status !== "archived" && (
              <Menu.Item leftSection={<Archive />} onClick={() => setArchives(true)}>
                Archive…
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      {may("snapshots:write") && own && snapshot.status !== "archived" && (
        <Button variant="default" onClick={() => setUrl({ new: "version" }, true)}>
          New version…
        </Button>
      )}
      {may("snapshots:deploy") && deployable && (
        <>
          <Button variant="default" leftSection={<Rocket />} onClick={() => setUrl({ new: "rollout" }, true)}>
            Roll out…
          </Button>
          <Button onClick={() => setUrl({ deploy: "" }, true)}>Deploy…</Button>
        </>
      )}
      <Confirm
        opened={archives}
        close={() => setArchives(false)}
        title={`Archive ${snapshot.name}?`}
        action="Archive"
        danger
        onConfirm={async () => {
          await update.mutateAsync({ snapshot, body: { status: "archived" } });
          toast(`${snapshot.name} is archived`);
        }}
      >
        <p>
          It can no longer be deployed. Clients that run it keep <b>everything that it brought</b>.
        </p>
      </Confirm>
    </>
  );
}
