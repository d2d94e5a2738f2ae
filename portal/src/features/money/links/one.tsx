import { Button } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { Check, Copy as CopyIcon } from "lucide-react";
import { lazy, Suspense } from "react";
import { useMay } from "../../../api/session.ts";
import { Blocker } from "../../../ui/answer.tsx";
import { Id, useCopy } from "../../../ui/copy.tsx";
import { Failure } from "../../../ui/failure.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Page, Split } from "../../../ui/page.tsx";
import { Facts, Section } from "../../../ui/section.tsx";
import { useUrl } from "../../../ui/url.ts";
import { day, When } from "../../../ui/when.tsx";
import { LinkMenu } from "./acts.tsx";
import { Attribution } from "./attribution.tsx";
import { type AffiliateLink, statsRequest, useLink } from "./data.ts";
import { EditLink } from "./form.tsx";
import classes from "./links.module.css";
import { daysOf, Stats } from "./stats.tsx";
import { isExpired, LinkState, short } from "./words.tsx";

const Share = lazy(() => import("./share.tsx"));

const TRAIL = [["Links", "/earn/links"]] as const;

/** What does this link bring, and how do I use it? */
export default function OneLink() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const { data: link, error, refetch } = useLink(id);
  if (link === undefined) {
    return (
      <Page title="Link" trail={TRAIL}>
        {error ? <Failure title="The link did not load" error={error} retry={refetch} /> : <Loading />}
      </Page>
    );
  }
  return <Shown link={link} />;
}

function Shown({ link }: { link: AffiliateLink }) {
  const [url, setUrl] = useUrl();
  const writes = useMay()("affiliate_links:write");
  const { copied, copy } = useCopy();
  return (
    <Page
      title={
        <>
          <span className="cut">{link.code}</span> <LinkState link={link} />
        </>
      }
      name={link.code}
      trail={TRAIL}
      api={statsRequest(link.id, daysOf(url))}
      foot={
        <span>
          Version {link.version}, changed <When at={link.updated_at} as="since" />
        </span>
      }
      actions={
        <>
          {writes && <LinkMenu link={link} />}
          <Button leftSection={copied ? <Check /> : <CopyIcon />} onClick={() => copy(link.url)}>
            {copied ? "Copied" : "Copy link"}
          </Button>
        </>
      }
      phoneAction={writes && <LinkMenu link={link} size={44} quiet />}
    >
      <Split side={<Side link={link} />}>
        <Short link={link} />
        <Stopped link={link} />
        <Stats id={link.id} />
        <Attribution link={link} />
      </Split>
      {writes && url.edit === "yes" && <EditLink link={link} close={() => setUrl({ edit: undefined })} />}
    </Page>
  );
}

/** The address to share, large; a click copies it. */
function Short({ link: { url, code, destination_url } }: { link: AffiliateLink }) {
  const { copied, copy } = useCopy();
  return (
    <div className={classes.short}>
      <button type="button" onClick={() => copy(url)} title="Copy the link">
        <span>
          {url.slice(0, url.length - code.length)}
          <b>{code}</b>
        </span>
        {copied ? <Check size={18} aria-label="Copied" /> : <CopyIcon size={18} aria-label="Copy" />}
      </button>
      <p>
        leads to{" "}
        <a href={destination_url} target="_blank" rel="noreferrer">
          {short(destination_url)}
        </a>
      </p>
    </div>
  );
}

/** Why clicks do not count now. */
function Stopped({ link }: { link: AffiliateLink }) {
  const expired = isExpired(link);
  if (link.status === "active" && !expired) return null;
  if (link.status === "blocked")
    return (
      <Blocker title="The link is blocked: it leads nowhere">
        The operator of the programme has blocked it. The audit log says why.
      </Blocker>
    );
  const why = link.status === "active" ? `expired on ${day(link.expires_at ?? "")}` : `is ${link.status}`;
  return (
    <Blocker title={`The link ${why}: clicks do not count`}>
      It still leads to its page. Clicks that were made before stay valid for {link.window_days} days each.
    </Blocker>
  );
}

function Side({ link }: { link: AffiliateLink }) {
  return (
    <>
      <Section title="QR code">
        <Suspense fallback={<div className={classes.share} />}>
          <Share link={link} />
        </Suspense>
      </Section>
      <Section title="Facts">
        <Facts
          rows={[
            ["Campaign", link.campaign],
            ["Window", `${link.window_days} day${link.window_days === 1 ? "" : "s"}`],
            ["Expires", link.expires_at && <When key="expires" at={link.expires_at} as="day" />],
            ["Created", <When key="created" at={link.created_at} as="day" />],
            ["Id", <Id key="id">{link.id}</Id>],
          ]}
        />
      </Section>
    </>
  );
}
