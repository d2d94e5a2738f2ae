import { useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { Blocker } from "../../../ui/answer.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Failure } from "../../../ui/failure.tsx";
import { useGo } from "../../../ui/link.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Page, PlaceContext } from "../../../ui/page.tsx";
import classes from "../crm.module.css";
import { type Account, useAccountOf } from "./data.ts";

/** A page of the account in the address; "not found" if there is none, or none for this person. */
export function InAccount({ title, children }: { title: string; children(account: Account): React.ReactNode }) {
  const { account: id = "" } = useParams({ strict: false }) as { account?: string };
  const { account, error, retry } = useAccountOf(id);
  if (account) return <PlaceContext value={account.company}>{children(account)}</PlaceContext>;
  return (
    <Page title={account === null ? "Not found" : title}>
      {account === null ? (
        <Empty title="There is no such account">The address may be old, or the account is not one of yours.</Empty>
      ) : error ? (
        <Failure title="The account did not load" error={error} retry={retry} />
      ) : (
        <Loading />
      )}
    </Page>
  );
}

/** Says why nothing can be changed here. */
export function ReadOnly({ account }: { account: Account }) {
  if (account.readOnly === null) return null;
  return (
    <div className={classes.notice}>
      <Blocker title={`${account.company} is ${account.readOnly}`}>Its records can be read, and not changed.</Blocker>
    </div>
  );
}

/** Leads from an address that names another account than the record has to the one that is right. */
export function useRightAccount(account: Account, record: { id: string; account_id: string } | undefined, page: string): void {
  const go = useGo();
  const wrong = record !== undefined && record.account_id !== account.id;
  useEffect(() => {
    if (wrong) go(`/crm/${record.account_id}/${page}/${record.id}`, { replace: true });
  });
}
