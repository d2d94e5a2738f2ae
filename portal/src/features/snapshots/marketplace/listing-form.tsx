import { Modal, Radio, Select } from "@mantine/core";
import { useSession } from "../../../api/session.ts";
import { AmountInput, CurrencyInput } from "../../../ui/amount.tsx";
import { Form, FormFoot, Pair, useApiForm, useAsOpened } from "../../../ui/form.tsx";
import { inCents, inUnits } from "../../../ui/money.tsx";
import { toast } from "../../../ui/toast.tsx";
import { type Snapshot, useVersions } from "../data.ts";
import { type Listing, type ListingBody, useSetListing } from "./data.ts";

/** The terms of an offer. A version or texts that were not offered before wait for the operator. */
export function ListingForm({ snapshot, listing, close }: { snapshot: Snapshot; listing: Listing | undefined; close(): void }) {
  const known = useAsOpened({ listing }).listing;
  const { partner } = useSession();
  const versions = useVersions(snapshot.id).rows;
  const set = useSetListing();
  const currency = known?.currency ?? partner?.currency ?? "usd";
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: {
      visibility: (known?.visibility === "unlisted" ? "unlisted" : "marketplace") as ListingBody["visibility"],
      price_cents: inUnits(known?.price_cents ?? 0, currency) as number | string,
      currency,
      version: String(snapshot.latest_version ?? ""),
    },
    async send(values) {
      const { visibility, price_cents, currency: of, version } = values;
      const body = { visibility, price_cents: inCents(price_cents, of) ?? 0, currency: of, version: Number(version) };
      const saved = await set.mutateAsync({ id: snapshot.id, listing: known, body });
      toast(saved.review === "approved" ? `v${version} is offered` : `v${version} waits for the operator`);
      close();
    },
  });
  return (
    <Modal opened onClose={close} title={known ? `Offer of ${snapshot.name}` : `Offer ${snapshot.name}`} size={480}>
      <Form onSubmit={onSubmit} problem={problem}>
        <Radio.Group label="Found by" {...form.getInputProps("visibility")}>
          <Radio value="marketplace" label="Everybody on the marketplace" mt={8} data-autofocus />
          <Radio value="unlisted" label="Those who have its address" mt={8} />
        </Radio.Group>
        <Pair>
          <AmountInput label="Price" description="0 is free" min={0} {...form.getInputProps("price_cents")} />
          <CurrencyInput description="Of the price" {...form.getInputProps("currency")} />
        </Pair>
        <Select
          label="Version"
          allowDeselect={false}
          data={versions.map(({ version }) => ({ value: String(version), label: `v${version}` }))}
          {...form.getInputProps("version")}
        />
        <p className="muted">
          Others see the name and the description that it has now, its changelogs, and how much it contains. The price applies at
          once; a version or text that is new waits for the operator.
        </p>
        <FormFoot action={known ? "Save and submit" : "Submit to review"} busy={busy} close={close} />
      </Form>
    </Modal>
  );
}
