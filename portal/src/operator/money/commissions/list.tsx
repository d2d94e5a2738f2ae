import { Loaded, Page } from "../../../ui/page.tsx";
import { useUrl } from "../../../ui/url.ts";
import { listRequest, useCommissions } from "./data.ts";
import { CommissionTable, filterOf } from "./table.tsx";

/** The commissions of all partners, the newest first. */
export default function CommissionList() {
  const [url] = useUrl();
  const filter = filterOf(url);
  const list = useCommissions(filter);
  return (
    <Page title="Commissions" fill api={listRequest(filter)} foot={<Loaded list={list} selects={false} />}>
      <CommissionTable list={list} filter={filter} />
    </Page>
  );
}
