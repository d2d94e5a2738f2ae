import type { TagsInputProps } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { OfferedTags } from "../../../ui/offered-tags.tsx";
import { useAccountOf } from "../records/data.ts";
import { useTagNames } from "./data.ts";

/** The tags of a record of the account in the address: those that it offers, and any others. */
export function RecordTags(props: TagsInputProps) {
  const { account: id = "" } = useParams({ strict: false }) as { account?: string };
  const { account } = useAccountOf(id);
  const offered = useTagNames(account?.id ?? null);
  return <OfferedTags data={offered} {...props} />;
}
