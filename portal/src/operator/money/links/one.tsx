import { Button, Textarea } from "@mantine/core";
import { useState } from "react";
import { LinkState, short } from "../../../features/money/links/words.tsx";
import { Answer, Blocker } from "../../../ui/answer.tsx";
import { Confirm } from "../../../ui/confirm.tsx";
import { Copy, Id } from "../../../ui/copy.tsx";
import { Failure } from "../../../ui/failure.tsx";
import { Link } from "../../../ui/link.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Facts, Section } from "../../../ui/section.tsx";
import { toast, toastError } from "../../../ui/toast.tsx";
import { When } from "../../../ui/when.tsx";
import { type OperatorLink, useLink, useSetBlocked } from "./data.ts";

/** One link: whose it is, where it leads, and the stop to it. */
export function OneLink({ id, close }: { id: string; close(): void }) {
  const { data, error, refetch } = useLink(id);
  return (
    <Panel title={data?.code ?? "Link"} close={close} foot={data && <Act link={data} />}>
      {error && <Failure title="The link did not load" error={error} retry={refetch} />}
      {data === undefined ? !error && <Loading /> : <Shown link={data} />}
    </Panel>
  );
}

function Shown({ link }: { link: OperatorLink }) {
  return (
    <>
      <Answer sub={<LinkState link={link} />}>
        By <b>{link.partner_company}</b>, to <b>{short(link.destination_url)}</b>
      </Answer>
      {link.status === "blocked" && (
        <Blocker
          tone="bad"
          title="You blocked it: it leads nowhere"
          action={
            <Link className="link" to={`/audit-log?action=affiliate_links.block&partner=${link.partner_id}`}>
              Why
            </Link>
          }
        >
          Its partner cannot change it. What came by it before stays attributed.
        </Blocker>
      )}
      <Section title="Facts">
        <Facts
          rows={[
            [
              "Partner",
              <Link key="partner" className="link" to={`/partners/${link.partner_id}`}>
                {link.partner_company}
              </Link>,
            ],
            [
              "Link",
              <span key="url">
                {short(link.url)} <Copy text={link.url} label={`Copy the link ${link.code}`} />
              </span>,
            ],
            [
              "Leads to",
              <a key="to" className="link" href={link.destination_url} target="_blank" rel="noreferrer">
                {short(link.destination_url)}
              </a>,
            ],
            ["Campaign", link.campaign],
            ["Window", `${link.window_days} day${link.window_days === 1 ? "" : "s"}`],
            ["Expires", link.expires_at && <When key="expires" at={link.expires_at} as="day" />],
            ["Made", <When key="created" at={link.created_at} as="day" />],
            ["Id", <Id key="id">{link.id}</Id>],
          ]}
        />
      </Section>
    </>
  );
}

function Act({ link }: { link: OperatorLink }) {
  const [asks, setAsks] = useState(false);
  const [reason, setReason] = useState("");
  const set = useSetBlocked();
  const unblock = (blocked: OperatorLink) =>
    set.mutateAsync({ link: blocked, reason: null }).then(
      () => toast(`${link.code} is paused; its partner can activate it`),
      (error: Error) => toastError(`${link.code} was not unblocked`, error),
    );
  if (link.status === "blocked") {
    return (
      <Button variant="default" loading={set.isPending} onClick={() => void unblock(link)}>
        Unblock
      </Button>
    );
  }
  return (
    <>
      <Button variant="danger" onClick={() => setAsks(true)}>
        Block…
      </Button>
      <Confirm
        opened={asks}
        close={() => setAsks(false)}
        title={`Block ${link.code}?`}
        action="Block"
        danger
        onConfirm={async () => {
          await set.mutateAsync({ link, reason: reason.trim() });
          toast(`${link.code} leads nowhere now`);
        }}
      >
        <p>
          It leads nowhere at once, also where it is printed; its clicks no longer count, and <b>{link.partner_company}</b> cannot
          change it. What came by it before stays attributed.
        </p>
        <Textarea
          mt={16}
          label="Reason"
          description="The partner finds it in its audit log"
          required
          autosize
          minRows={2}
          maxLength={500}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </Confirm>
    </>
  );
}
