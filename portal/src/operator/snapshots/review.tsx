import { Button, Textarea } from "@mantine/core";
import { useState } from "react";
import { Assets } from "../../features/snapshots/contents.tsx";
import type { ManifestAsset } from "../../features/snapshots/data.ts";
import { ListingState, priceText, visibleText } from "../../features/snapshots/marketplace/words.tsx";
import { DiffSteps } from "../../features/snapshots/steps.tsx";
import { Answer, Blocker } from "../../ui/answer.tsx";
import { Id } from "../../ui/copy.tsx";
import { Failure, reasonOf } from "../../ui/failure.tsx";
import { Link } from "../../ui/link.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Facts, Section } from "../../ui/section.tsx";
import { toast } from "../../ui/toast.tsx";
import { When } from "../../ui/when.tsx";
import classes from "../operator.module.css";
import { type Decision, type Listing, type ListingDetail, useDecide, useListing } from "./data.ts";

const waits = ({ review }: Listing) => review === "pending";

/** One offer: what was submitted, what of it is new, and the decision. */
export function ReviewListing({ id, close }: { id: string; close(): void }) {
  const { data, error, refetch } = useListing(id);
  const decidable = data !== undefined && data.visibility !== "private" && (waits(data) || data.listed_version !== null);
  return (
    <Panel title={data?.submitted_name ?? "Offer"} close={close} foot={decidable && <Decide key={data.version} listing={data} />}>
      {error && <Failure title="The offer did not load" error={error} retry={refetch} />}
      {data === undefined ? !error && <Loading /> : <Shown listing={data} />}
    </Panel>
  );
}

function Shown({ listing }: { listing: ListingDetail }) {
  const { listed_version, submitted_version: version, submitted_changelog, changes } = listing;
  const { assets } = listing.submitted_manifest as { assets: ManifestAsset[] };
  const same = listed_version === version;
  return (
    <>
      <Answer sub={<ListingState listing={listing} />}>
        <b>v{version}</b> by <b>{listing.seller_company}</b>, {listing.price_cents === 0 ? "free" : <b>{priceText(listing)}</b>}
      </Answer>
      {listing.review === "rejected" && (
        <Blocker tone="bad" title={listed_version === null ? "You keep it off the marketplace" : `You refused v${version}`}>
          {listing.review_reason}
        </Blocker>
      )}
      <Texts listing={listing} />
      {listed_version !== null && (
        <Section
          title={same ? "Contents as they are listed" : `New against v${listed_version}`}
          aside={same ? null : changes.length}
        >
          {same ? <p className="muted">This version is the one that is listed.</p> : <DiffSteps steps={changes} />}
        </Section>
      )}
      <Section title="What the seller says">
        <p>{submitted_changelog ?? <span className="muted">No word about this version.</span>}</p>
      </Section>
      <Assets assets={assets} whole />
      <Section title="Facts">
        <Facts
          rows={[
            [
              "Partner",
              <Link key="partner" className="link" to={`/partners/${listing.seller_partner_id}`}>
                {listing.seller_company}
              </Link>,
            ],
            ["Found by", visibleText(listing)],
            ["Listed now", listed_version === null ? "nothing" : `v${listed_version}`],
            ["Submitted", <When key="submitted" at={listing.submitted_at} as="day" />],
            ["Decided", listing.reviewed_at && <When key="reviewed" at={listing.reviewed_at} as="day" />],
            [
              "Purchases",
              <Link key="purchases" className="link" to={`/marketplace/purchases?state=all&snapshot=${listing.snapshot_id}`}>
                Show them
              </Link>,
            ],
            ["Id", <Id key="id">{listing.snapshot_id}</Id>],
          ]}
        />
      </Section>
    </>
  );
}

/** What others would read: the name and the description, and how they read now if that differs. */
function Texts({ listing }: { listing: Listing }) {
  const { listed_version, name, description, submitted_name, submitted_description } = listing;
  const was = (text: string | null, now: string | null) =>
    listed_version !== null && text !== now && <del>{text ?? "nothing"}</del>;
  return (
    <Section title="Texts">
      <Facts
        rows={[
          [
            "Name",
            <span key="name" className={classes.change}>
              {was(name, submitted_name)} <ins>{submitted_name}</ins>
            </span>,
          ],
          [
            "Description",
            <span key="description" className={classes.change}>
              {was(description, submitted_description)} <ins>{submitted_description ?? "none"}</ins>
            </span>,
          ],
        ]}
      />
    </Section>
  );
}

const ASKS = {
  reject: { label: "Why not", note: "The seller reads it. What is listed now stays listed", verb: "Refuse" },
  unlist: {
    label: "Why it is taken down",
    note: "The seller reads it. Nobody finds or buys it any more; those who did keep it",
    verb: "Take down",
  },
} as const;

/** Approve at once; refusing and taking down take a reason, which the seller reads. */
function Decide({ listing }: { listing: Listing }) {
  const [asks, setAsks] = useState<keyof typeof ASKS | null>(null);
  const [reason, setReason] = useState("");
  const decide = useDecide();
  const { submitted_name: name, submitted_version, listed_version } = listing;
  const act = (as: Decision) =>
    decide.mutateAsync({ listing, as, reason: reason.trim() }).then(
      () =>
        toast(
          as === "unlist"
            ? `${name} is taken down`
            : `${name} v${submitted_version} is ${as === "approve" ? "listed" : "refused"}`,
        ),
      () => undefined,
    );
  if (asks === null) {
    return (
      <div className={classes.decide}>
        {listed_version !== null && (
          <Button variant="danger" onClick={() => setAsks("unlist")}>
            Take down…
          </Button>
        )}
        {waits(listing) && (
          <>
            <Button variant="danger" onClick={() => setAsks("reject")}>
              Refuse…
            </Button>
            <Button loading={decide.isPending} onClick={() => void act("approve")}>
              Approve
            </Button>
          </>
        )}
        {decide.error && <p role="alert">{reasonOf(decide.error)}</p>}
      </div>
    );
  }
  const { label, note, verb } = ASKS[asks];
  return (
    <form
      className={classes.reason}
      onSubmit={(event) => {
        event.preventDefault();
        void act(asks);
      }}
    >
      <Textarea
        label={label}
        description={note}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={500}
        autoFocus
        value={reason}
        error={decide.error && reasonOf(decide.error)}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <div className={classes.decide} data-end>
        <Button variant="default" onClick={() => setAsks(null)}>
          Back
        </Button>
        <Button type="submit" variant="danger-filled" loading={decide.isPending} disabled={reason.trim() === ""}>
          {verb}
        </Button>
      </div>
    </form>
  );
}
