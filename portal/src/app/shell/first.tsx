import { useEffect } from "react";
import { useAccount } from "../../api/account.ts";
import { useSession } from "../../api/session.ts";
import { Empty } from "../../ui/empty.tsx";
import { useGo } from "../../ui/link.tsx";
import { Page } from "../../ui/page.tsx";
import { ROUTES } from "../routes.tsx";
import { addressOf, placesOf } from "./places.ts";

/** The people of a client have no home of their own: they begin at their first place. */
export default function First() {
  const account = useAccount();
  const [place] = placesOf(useSession(), ROUTES);
  const go = useGo();
  const to = place && addressOf(place.path, account?.id);
  useEffect(() => {
    if (to !== undefined) go(to, { replace: true });
  });
  if (to !== undefined) return null;
  return (
    <Page title="Welcome">
      <Empty title="There is nothing here for you yet">Whoever invited you can give you a role that shows more.</Empty>
    </Page>
  );
}
