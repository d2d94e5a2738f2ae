import { Button } from "@mantine/core";
import { useState } from "react";
import { PurchaseState, priceText } from "../../features/snapshots/marketplace/words.tsx";
import { Answer } from "../../ui/answer.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Id } from "../../ui/copy.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Link } from "../../ui/link.tsx";
import { Loading } from "../../ui/loading.tsx";
import { money, percent } from "../../ui/money.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Facts, Section } from "../../ui/section.tsx";
import { toast } from "../../ui/toast.tsx";
import { When } from "../../ui/when.tsx";
import { type Purchase, useEndPurchase, usePurchase } from "./data.ts";

/** One purchase: who owes what to whom, and its end. */
export function OnePurchase({ id, close }: { id: string; close(): void }) {
  const { data, error, refetch } = usePurchase(id);
  return (
    <Panel title={data?.snapshot_name ?? "Purchase"} close={close} foot={data?.status === "due" && <Ends purchase={data} />}>
      {error && <Failure title="The purchase did not load" error={error} retry={refetch} />}
      {data === undefined ? !error && <Loading /> : <Shown purchase={data} />}
    </Panel>
  );
}

const shareText = ({ seller_share_cents, currency }: Purchase) => money(seller_share_cents, currency);

function Shown({ purchase: row }: { purchase: Purchase }) {
  return (
    <>
      <Answer sub={<PurchaseState purchase={row} />}>
        <b>{priceText(row)}</b> {row.status === "due" ? "due from" : "by"} <b>{row.buyer_company}</b>
      </Answer>
      <Section title="Facts">
        <Facts
          rows={[
            [
              "Buyer",
              <Link key="buyer" className="link" to={`/partners/${row.buyer_partner_id}`}>
                {row.buyer_company}
              </Link>,
            ],
            [
              "Seller",
              <Link key="seller" className="link" to={`/partners/${row.seller_partner_id}`}>
                {row.seller_company}
              </Link>,
            ],
            [
              "Snapshot",
              <Link key="snapshot" className="link" to={`/marketplace?state=all&open=${row.snapshot_id}`}>
                {row.snapshot_name}, v{row.snapshot_version}
              </Link>,
            ],
            ["Seller gets", `${shareText(row)}, ${percent(row.share_bps)}`],
            ["You keep", money(row.price_cents - row.seller_share_cents, row.currency)],
            [
              "Commission",
              row.commission_id && (
                <Link key="commission" className="link" to={`/commissions/${row.commission_id}`}>
                  The seller's share
                </Link>
              ),
            ],
            ["Bought", <When key="created" at={row.created_at} as="day" />],
            ["Completed", row.completed_at && <When key="completed" at={row.completed_at} as="day" />],
            ["Cancelled", row.cancelled_at && <When key="cancelled" at={row.cancelled_at} as="day" />],
            ["Id", <Id key="id">{row.id}</Id>],
          ]}
        />
      </Section>
    </>
  );
}

function Ends({ purchase }: { purchase: Purchase }) {
  const end = useEndPurchase();
  const [asks, setAsks] = useState<"complete" | "cancel" | null>(null);
  const shut = () => setAsks(null);
  return (
    <>
      <Button variant="danger" onClick={() => setAsks("cancel")}>
        Cancel the purchase…
      </Button>
      <Button onClick={() => setAsks("complete")}>Complete…</Button>
      <Confirm
        opened={asks === "complete"}
        close={shut}
        title={`Do you have the ${priceText(purchase)}?`}
        action="Complete"
        onConfirm={async () => {
          await end.mutateAsync({ purchase, as: "complete" });
          toast(`${purchase.buyer_company} has ${purchase.snapshot_name}`);
        }}
      >
        <p>
          <b>{purchase.buyer_company}</b> gets {purchase.snapshot_name} with its later versions, and{" "}
          <b>{purchase.seller_company}</b> earns <b>{shareText(purchase)}</b> as a commission. This cannot be undone; after a
          chargeback, void the commission.
        </p>
      </Confirm>
      <Confirm
        opened={asks === "cancel"}
        close={shut}
        title={`Cancel the purchase of ${purchase.snapshot_name}?`}
        action="Cancel the purchase"
        danger
        onConfirm={async () => {
          await end.mutateAsync({ purchase, as: "cancel" });
          toast("The purchase is cancelled");
        }}
      >
        <p>
          <b>{priceText(purchase)}</b> is no longer due. {purchase.buyer_company} can buy it again.
        </p>
      </Confirm>
    </>
  );
}
