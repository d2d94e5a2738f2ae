import { Button } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { useMay, useSession } from "../../../api/session.ts";
import { Answer, Blocker } from "../../../ui/answer.tsx";
import { Confirm } from "../../../ui/confirm.tsx";
import { Id } from "../../../ui/copy.tsx";
import { Link, useGo } from "../../../ui/link.tsx";
import { Page, Split } from "../../../ui/page.tsx";
import { Facts, Section } from "../../../ui/section.tsx";
import { toast } from "../../../ui/toast.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import { When } from "../../../ui/when.tsx";
import classes from "../snapshots.module.css";
import { countsText, typeCounts } from "../words.tsx";
import { type OfferDetail, offerRequest, useBuy, useCancelPurchase, useOffer } from "./data.ts";
import { OfferState, priceText } from "./words.tsx";

const TRAIL = [["Marketplace", "/snapshots/marketplace"]] as const;

/** What would I get, from whom, at which price? */
export default function OneOffer() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const query = useOffer(id);
  return query.data === undefined ? <Waiting title="Offer" trail={TRAIL} query={query} /> : <Shown offer={query.data} />;
}

function Shown({ offer }: { offer: OfferDetail }) {
  return (
    <Page
      title={
        <>
          <span className="cut">{offer.name}</span> <OfferState offer={offer} />
        </>
      }
      name={offer.name}
      trail={TRAIL}
      api={offerRequest(offer.id)}
      foot={
        offer.listed_at && (
          <span>
            Listed <When at={offer.listed_at} as="since" />
          </span>
        )
      }
      actions={<Act offer={offer} />}
      phoneAction={<Act offer={offer} />}
    >
      <Split side={<TheFacts offer={offer} />}>
        <Answer sub={offer.description && <span>{offer.description}</span>}>
          <b>{priceText(offer)}</b>, with {countsText(offer.asset_counts ?? {})}
        </Answer>
        <Standing offer={offer} />
        <Section title="What it brings" aside={offer.latest_version !== null && `v${offer.latest_version}`}>
          {offer.asset_counts === null ? (
            <p className="muted">Its contents stand here once the operator has approved a version.</p>
          ) : (
            <ul className={classes.brings}>
              {typeCounts(offer.asset_counts).map(([type, text]) => (
                <li key={type}>{text}</li>
              ))}
            </ul>
          )}
        </Section>
        <Section title="Versions" aside="later ones are included">
          <ul className={classes.changelog}>
            {offer.versions.map(({ version, changelog, listed_at }) => (
              <li key={version}>
                <b>v{version}</b>
                <span>
                  {changelog ?? <span className="muted">{version === 1 ? "The first version" : "No word about it"}</span>}
                </span>
                <When at={listed_at} as="day" muted />
              </li>
            ))}
          </ul>
          {offer.versions.length === 0 && <p className="muted">No version is listed yet.</p>}
        </Section>
      </Split>
    </Page>
  );
}

/** What stands between the partner and the snapshot, if anything does. */
function Standing({ offer }: { offer: OfferDetail }) {
  const writes = useMay()("snapshots:write");
  if (offer.own) return <Blocker title="You offer it yourself">Other partners see this page with a button to get it.</Blocker>;
  if (offer.purchase_status === "due") {
    return (
      <Blocker title={`${priceText(offer)} is due`} action={writes && <CancelPurchase offer={offer} />}>
        The operator gives you the snapshot as soon as it has the price. It can then be deployed from your catalogue.
      </Blocker>
    );
  }
  if (offer.purchase_status === null && !writes) {
    return <Blocker title="You may look, not buy">An owner or admin of your team can get it, or give you the right to.</Blocker>;
  }
  return null;
}

function CancelPurchase({ offer }: { offer: OfferDetail }) {
  const cancel = useCancelPurchase();
  const [asks, setAsks] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setAsks(true)}>
        Cancel the purchase…
      </Button>
      <Confirm
        opened={asks}
        close={() => setAsks(false)}
        title={`Cancel the purchase of ${offer.name}?`}
        action="Cancel the purchase"
        danger
        onConfirm={async () => {
          const cancelled = await cancel.mutateAsync(offer.id);
          toast(cancelled ? "The purchase is cancelled" : `${offer.name} was no longer due`);
        }}
      >
        <p>
          <b>{priceText(offer)}</b> is no longer due. You can buy it again, at the price that it has then.
        </p>
      </Confirm>
    </>
  );
}

/** The one thing to do: get it, or go to where it is. */
function Act({ offer }: { offer: OfferDetail }) {
  const go = useGo();
  const buy = useBuy();
  const writes = useMay()("snapshots:write");
  const { programme } = useSession();
  const key = useRef(crypto.randomUUID());
  const [asks, setAsks] = useState(false);
  const free = offer.price_cents === 0;
  if (offer.own) return <Button onClick={() => go(`/snapshots/${offer.id}?show=listing`)}>Manage the offer</Button>;
  if (offer.purchase_status === "completed")
    return <Button onClick={() => go(`/snapshots/${offer.id}`)}>Open in your catalogue</Button>;
  if (offer.purchase_status === "due" || !writes) return null;
  const confirm = async () => {
    try {
      const { status } = await buy.mutateAsync({ offer, key: key.current });
      toast(status === "completed" ? `${offer.name} is in your catalogue` : `${offer.name} is yours once it is paid`);
    } finally {
      key.current = crypto.randomUUID();
    }
  };
  return (
    <>
      <Button onClick={() => setAsks(true)}>{free ? "Get it…" : `Buy for ${priceText(offer)}…`}</Button>
      <Confirm
        opened={asks}
        close={() => setAsks(false)}
        title={free ? `Get ${offer.name}?` : `Buy ${offer.name}?`}
        action={free ? "Get it" : `Buy for ${priceText(offer)}`}
        onConfirm={confirm}
      >
        {free ? (
          <p>
            It is in your catalogue at once, with <b>every later version</b>. Nothing is deployed before you do so.
          </p>
        ) : (
          <p>
            <b>{priceText(offer)}</b> is then due to {programme.name}. The snapshot is in your catalogue as soon as it is paid,
            with <b>every later version</b>; the price is paid once.
          </p>
        )}
      </Confirm>
    </>
  );
}

function TheFacts({ offer }: { offer: OfferDetail }) {
  return (
    <Section title="Offer">
      <Facts
        rows={[
          ["By", offer.seller_company],
          ["Price", offer.price_cents === 0 ? "Free" : `${priceText(offer)}, once`],
          ["Version", offer.latest_version === null ? null : `v${offer.latest_version}`],
          ["Listed", offer.listed_at && <When key="at" at={offer.listed_at} as="day" />],
          [
            "Purchase",
            offer.purchase_status && (
              <Link key="to" className="link" to={`/snapshots/purchases?snapshot=${offer.id}`}>
                {offer.purchase_status}
              </Link>
            ),
          ],
          ["Id", <Id key="id">{offer.id}</Id>],
        ]}
      />
    </Section>
  );
}
