import { Button } from "@mantine/core";
import { useState } from "react";
import { useMay } from "../../../api/session.ts";
import { Blocker } from "../../../ui/answer.tsx";
import { Confirm } from "../../../ui/confirm.tsx";
import { Failure } from "../../../ui/failure.tsx";
import { Link } from "../../../ui/link.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Facts, Section } from "../../../ui/section.tsx";
import { toast } from "../../../ui/toast.tsx";
import { useUrl } from "../../../ui/url.ts";
import { day, since, When } from "../../../ui/when.tsx";
import type { Snapshot } from "../data.ts";
import classes from "../snapshots.module.css";
import { type Listing, useListing, useWithdraw } from "./data.ts";
import { ListingForm } from "./listing-form.tsx";
import { ListingState, priceText, visibleText } from "./words.tsx";

/** Whether others can get it, what they see of it, and how its review stands. */
export function OfListing({ snapshot }: { snapshot: Snapshot }) {
  const [url, setUrl] = useUrl();
  const offered = snapshot.visibility !== "private";
  const { data: listing, error, refetch } = useListing(snapshot.id, offered);
  const writes = useMay()("snapshots:write");
  const submit = writes && snapshot.status === "published" ? () => setUrl({ do: "offer" }, true) : undefined;
  if (error) return <Failure small title="The offer did not load" error={error} retry={refetch} />;
  if (offered && listing === undefined) return <Loading rows={4} />;
  return (
    <>
      {listing === undefined || !offered ? (
        <NotOffered snapshot={snapshot} submit={submit} />
      ) : (
        <Offered snapshot={snapshot} listing={listing} submit={submit} />
      )}
      {url.do === "offer" && submit && (
        <ListingForm snapshot={snapshot} listing={listing} close={() => setUrl({ do: undefined })} />
      )}
    </>
  );
}

type Submit = (() => void) | undefined;

function NotOffered({ snapshot, submit }: { snapshot: Snapshot; submit: Submit }) {
  return (
    <Section title="Not on the marketplace">
      <p className={classes.explained}>
        Offer it to other partners, free or at a price. The operator looks at each version before others see it. Whoever gets it
        has its later versions, too; your share of each sale is a commission.
      </p>
      {submit ? (
        <Button variant="default" onClick={submit}>
          Offer it…
        </Button>
      ) : (
        <p className="muted">
          {snapshot.status === "published"
            ? "Your role may not offer it."
            : "Publish it first: only a published snapshot is offered."}
        </p>
      )}
    </Section>
  );
}

function Offered({ snapshot, listing, submit }: { snapshot: Snapshot; listing: Listing; submit: Submit }) {
  return (
    <>
      <Review snapshot={snapshot} listing={listing} submit={submit} />
      <Section
        title="The offer"
        aside={
          <>
            {submit && (
              <Button variant="default" size="xs" onClick={submit}>
                Change…
              </Button>
            )}
            {submit && <Withdraw listing={listing} />}
          </>
        }
      >
        <Facts
          rows={[
            ["State", <ListingState key="state" listing={listing} />],
            ["Price", priceText(listing)],
            ["Found by", visibleText(listing)],
            ["Others see", listing.listed_version === null ? "nothing yet" : `${listing.name}, v${listing.listed_version}`],
            ["Listed", listing.listed_at && <When key="listed" at={listing.listed_at} as="day" />],
            ["Submitted", <When key="submitted" at={listing.submitted_at} as="day" />],
            [
              "Sales",
              <Link key="sales" className="link" to={`/snapshots/purchases?show=sold&snapshot=${snapshot.id}`}>
                Show the sales
              </Link>,
            ],
            [
              "Page",
              <Link key="page" className="link" to={`/snapshots/marketplace/${snapshot.id}`}>
                As others see it
              </Link>,
            ],
          ]}
        />
      </Section>
    </>
  );
}

/** What the operator decided, or has to, and whether what is newer was submitted at all. */
function Review({ snapshot, listing, submit }: { snapshot: Snapshot; listing: Listing; submit: Submit }) {
  const { review, review_reason, reviewed_at, submitted_version: version, submitted_at, listed_version } = listing;
  const meanwhile = listed_version === null ? "Nobody else sees it before." : `Others see v${listed_version} meanwhile.`;
  const again = (label: string) => submit && <Button onClick={submit}>{label}</Button>;
  if (review === "rejected") {
    const refused = listed_version === null ? "The operator keeps it off the marketplace" : `The operator refused v${version}`;
    return (
      <Blocker tone="bad" title={refused} action={again("Submit again…")}>
        {review_reason}{" "}
        <span className="muted">
          {reviewed_at && `${day(reviewed_at)}.`} {listed_version !== null && meanwhile}
        </span>
      </Blocker>
    );
  }
  const latest = snapshot.latest_version ?? 0;
  if (review === "pending") {
    return (
      <Blocker
        title={`v${version} waits for the operator`}
        action={latest > version ? again(`Submit v${latest} instead…`) : undefined}
      >
        Submitted {since(submitted_at)}. {meanwhile}
      </Blocker>
    );
  }
  if (latest <= version && listing.name === snapshot.name && listing.description === snapshot.description) return null;
  return (
    <Blocker
      title={latest > version ? `v${latest} is not offered yet` : "Its name or description has changed"}
      action={again("Submit it…")}
    >
      Others see {listing.name}, v{version}.
    </Blocker>
  );
}

function Withdraw({ listing }: { listing: Listing }) {
  const withdraw = useWithdraw();
  const [asks, setAsks] = useState(false);
  return (
    <>
      <Button variant="danger" size="xs" onClick={() => setAsks(true)}>
        Withdraw…
      </Button>
      <Confirm
        opened={asks}
        close={() => setAsks(false)}
        title={`Withdraw ${listing.name}?`}
        action="Withdraw"
        danger
        onConfirm={async () => {
          await withdraw.mutateAsync(listing);
          toast(`${listing.name} is no longer offered`);
        }}
      >
        <p>
          Nobody can get it any more. Those who did <b>keep it</b>, and purchases that are due can still be completed.
        </p>
      </Confirm>
    </>
  );
}
