import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { Bar, Tabs } from "../../ui/bar.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Lines } from "../../ui/lines.tsx";
import { Loaded, Page } from "../../ui/page.tsx";
import { State, type Tone } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { toast } from "../../ui/toast.tsx";
import { useUrl } from "../../ui/url.ts";
import { whenColumn } from "../../ui/when.tsx";
import { type AccessRequest, listRequest, useAccessRequests, useDecideAccess } from "./data.ts";

const TABS = [
  { value: "", name: "Waiting" },
  { value: "granted", name: "Granted" },
  { value: "declined", name: "Declined" },
  { value: "all", name: "All" },
];
const TONES: Record<AccessRequest["status"], Tone> = { open: "wait", granted: "live", declined: "bad" };

const columns = (decide: (row: AccessRequest) => void): readonly Column<AccessRequest>[] => [
  {
    key: "partner",
    head: "Partner",
    width: "minmax(150px, 1fr)",
    cell: (row) => <span className="strong">{row.partner_company}</span>,
  },
  {
    key: "message",
    head: "What for",
    width: "minmax(200px, 2fr)",
    cell: (row) => <span className="soft cut">{row.message}</span>,
  },
  { key: "state", head: "State", width: "120px", cell: (row) => <State tone={TONES[row.status]}>{stateOf(row)}</State> },
  whenColumn({ key: "at", head: "Asked", at: (row) => row.created_at }),
  {
    key: "act",
    head: "",
    width: "84px",
    end: true,
    cell: (row) =>
      row.status === "open" && (
        <Button
          size="xs"
          variant="default"
          onClick={(event) => {
            event.stopPropagation();
            decide(row);
          }}
        >
          Decide…
        </Button>
      ),
  },
];

const stateOf = ({ status }: AccessRequest) => (status === "open" ? "waits for you" : status);

export default function AccessRequestList() {
  const [url, setUrl] = useUrl();
  const status = url.state === "all" ? undefined : ((url.state || "open") as AccessRequest["status"]);
  const list = useAccessRequests(status);
  const chosen = list.rows.find(({ id }) => id === url.open);
  const decide = (row: AccessRequest) => setUrl({ open: row.id }, true);
  return (
    <Page title="Access requests" fill api={listRequest(status)} foot={<Loaded list={list} selects={false} />}>
      <Bar>
        <Tabs label="State" value={url.state ?? ""} tabs={TABS} onChange={(state) => setUrl({ state })} />
      </Bar>
      <Table
        label="Access requests"
        columns={columns(decide)}
        list={list}
        id={(row) => row.id}
        name={(row) => row.partner_company}
        onOpen={(row) => row.status === "open" && decide(row)}
        phone={(row) => (
          <Lines title={row.partner_company} note={row.message} end={<State tone={TONES[row.status]}>{stateOf(row)}</State>} />
        )}
        empty={
          <Empty title={url.state ? "None in this state" : "Nothing waits for you"}>
            Partners without API access ask for it here, with a word on what they want to build.
          </Empty>
        }
      />
      {chosen?.status === "open" && <Decide request={chosen} close={() => setUrl({ open: undefined })} />}
    </Page>
  );
}

function Decide({ request, close }: { request: AccessRequest; close(): void }) {
  const [reason, setReason] = useState("");
  const [declines, setDeclines] = useState(false);
  const decide = useDecideAccess();
  const act = async () => {
    const as = declines ? "decline" : "grant";
    await decide.mutateAsync({ id: request.id, as, reason: reason.trim() });
    toast(`${request.partner_company}: API access ${declines ? "declined" : "granted"}`);
  };
  return (
    <Confirm
      opened
      close={close}
      title={`API access for ${request.partner_company}?`}
      action={declines ? "Decline" : "Grant access"}
      danger={declines}
      onConfirm={act}
    >
      {request.message && <blockquote style={{ margin: "0 0 12px", padding: 0 }}>“{request.message}”</blockquote>}
      <p>
        {declines
          ? "The partner keeps the portal, and can ask again later."
          : "Its people can create keys, and programs with them can use the partner API from now on."}
      </p>
      <TextInput
        mt={16}
        label="Reason"
        description="The partner sees it"
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <Button mt={8} size="xs" variant="subtle" onClick={() => setDeclines(!declines)}>
        {declines ? "Grant it instead" : "Decline it instead"}
      </Button>
    </Confirm>
  );
}
