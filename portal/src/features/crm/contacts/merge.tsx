import { Button, Radio, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useParams } from "@tanstack/react-router";
import { ArrowLeftRight, Search } from "lucide-react";
import { useState } from "react";
import { Answer } from "../../../ui/answer.tsx";
import { Failure } from "../../../ui/failure.tsx";
import { Problem } from "../../../ui/form.tsx";
import { Link, useGo } from "../../../ui/link.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Monogram } from "../../../ui/monogram.tsx";
import { Content, Page } from "../../../ui/page.tsx";
import { spaced } from "../../../ui/phone.ts";
import { toast, toastError } from "../../../ui/toast.tsx";
import { useUrl } from "../../../ui/url.ts";
import { day } from "../../../ui/when.tsx";
import { InAccount } from "../records/account.tsx";
import type { Account } from "../records/data.ts";
import { usePersonName } from "../records/people.tsx";
import { CHANNEL_NAMES } from "./consent.tsx";
import { CHANNELS, type Contact, type Taken, useContact, useContactsLike, useMerge, useUndoMerge } from "./data.ts";
import classes from "./merge.module.css";

export default function MergePage() {
  return <InAccount title="Merge">{(account) => <Merge account={account} />}</InAccount>;
}

function Merge({ account }: { account: Account }) {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const [url] = useUrl();
  const merging = useMerge();
  const into = useContact(id);
  // As soon as the two are being merged, the other is not asked for again: it is about to be gone.
  const from = useContact(url.with ?? "", merging.isIdle || merging.isError);
  const list = `/crm/${account.id}/contacts`;
  const error = into.error ?? from.error;
  return (
    <Page
      title="Merge"
      trail={[
        ["Contacts", list],
        [into.data?.name ?? "Contact", `${list}/${id}`],
      ]}
      api={`POST /v1/contacts/${id}/merge`}
    >
      <Content>
        {error && <Failure title="The contacts did not load" error={error} />}
        {!error && !into.data && <Loading />}
        {into.data && !url.with && <Choose account={account} into={into.data} />}
        {into.data && from.data && (
          <Compare key={`${id} ${url.with}`} account={account} into={into.data} from={from.data} merging={merging} />
        )}
      </Content>
    </Page>
  );
}

/** Finds the other contact of the same person. */
function Choose({ account, into }: { account: Account; into: Contact }) {
  const [text, setText] = useState(into.name.split(" ")[0] ?? "");
  const [settled] = useDebouncedValue(text, 200);
  const [, setUrl] = useUrl();
  const { data = [] } = useContactsLike(account.id, settled);
  const others = data.filter(({ id }) => id !== into.id);
  return (
    <>
      <Answer>
        Who else is <b>{into.name}</b>?
      </Answer>
      <TextInput
        label="Find the other contact"
        maw={480}
        value={text}
        autoFocus
        leftSection={<Search size={14} />}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <ul className={classes.choice}>
        {others.map((other) => (
          <li key={other.id}>
            <button type="button" onClick={() => setUrl({ with: other.id }, true)}>
              <Monogram name={other.name} person size={24} />
              <b>{other.name}</b>
              <span className="muted">{[spaced(other.phone), other.email, other.company].filter(Boolean).join(", ")}</span>
            </button>
          </li>
        ))}
      </ul>
      {settled.trim() !== "" && others.length === 0 && <p className="muted">Nobody else is called or reached like this.</p>}
    </>
  );
}

const FIELDS: readonly (readonly [Taken, string])[] = [
  ["name", "Name"],
  ["phone", "Phone"],
  ["email", "Email"],
  ["company", "Company"],
  ["notes", "About"],
  ["owner_id", "Owner"],
  ["external_id", "External id"],
];

type CompareProps = { account: Account; into: Contact; from: Contact; merging: ReturnType<typeof useMerge> };

/** Both side by side; per field, which value stays. */
function Compare({ account, into, from, merging }: CompareProps) {
  const [take, setTake] = useState<readonly Taken[]>([]);
  const merge = useMergeAct({ account, into, from, merging }, [...take]);
  const { error } = merging;
  const nameOf = usePersonName();
  const shown = (contact: Contact, field: Taken) =>
    field === "owner_id" ? contact.owner_id && nameOf(contact.owner_id) : contact[field];
  const stays = (field: Taken) =>
    into[field] === null || take.includes(field) ? (from[field] === null ? "into" : "from") : "into";
  return (
    <>
      <Answer
        sub={`The other contact is removed; its notes, timeline and deals go with ${into.name}. You can undo it for 30 days.`}
      >
        Two become <b>{String((stays("name") === "from" ? from : into).name)}</b>
      </Answer>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">What stays</th>
            {[into, from].map((contact, index) => (
              <th scope="col" key={contact.id}>
                <Link to={`/crm/${account.id}/contacts/${contact.id}`}>{index === 0 ? "This one" : "The other"}</Link>
                <small className="muted">since {day(contact.created_at)}</small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {FIELDS.map(([field, label]) => (
            <Row
              key={field}
              label={label}
              values={[shown(into, field), shown(from, field)]}
              choice={into[field] !== null && from[field] !== null && into[field] !== from[field]}
              stays={stays(field)}
              choose={(side) => setTake(side === "from" ? [...take, field] : take.filter((one) => one !== field))}
            />
          ))}
          <Row label="Tags" values={[into.tags.join(", "), from.tags.join(", ")]} stays="both" />
          <Row label="Consent" values={[consentText(into), consentText(from)]} stays="both" />
          {[...new Set([...Object.keys(into.custom), ...Object.keys(from.custom)])].map((key) => (
            <Row
              key={key}
              label={key.replaceAll("_", " ")}
              values={[textOf(into.custom[key]), textOf(from.custom[key])]}
              stays={into.custom[key] === undefined ? "from" : "into"}
            />
          ))}
        </tbody>
      </table>
      <p className="muted">Tags of both stay. A channel that either has denied stays denied.</p>
      <Problem error={error} />
      <div className={classes.acts}>
        <Button loading={merging.isPending} onClick={() => void merge()}>
          Merge
        </Button>
        <Button
          variant="default"
          leftSection={<ArrowLeftRight />}
          component={Link}
          to={`/crm/${account.id}/contacts/${from.id}/merge?with=${into.id}`}
        >
          Keep the other one
        </Button>
      </div>
    </>
  );
}

const textOf = (value: unknown) => (Array.isArray(value) ? value.join(", ") : value === undefined ? "" : String(value));
const consentText = ({ consent }: Contact) =>
  CHANNELS.filter((channel) => consent[channel] !== "unknown")
    .map((channel) => `${CHANNEL_NAMES[channel]} ${consent[channel]}`)
    .join(", ");

function useMergeAct({ account, into, from, merging }: CompareProps, take: Taken[]) {
  const undoing = useUndoMerge();
  const go = useGo();
  const undo = (id: string) =>
    undoing.mutateAsync(id).then(
      ({ restored }) => toast(`${restored.name} is back`),
      (error: Error) => toastError("Not undone", error),
    );
  const merge = async () => {
    const { id, contact } = await merging.mutateAsync({ into, from, take });
    toast(`Merged into ${contact.name}`, () => void undo(id));
    go(`/crm/${account.id}/contacts/${contact.id}`, { replace: true });
  };
  return () => merge().catch(() => {});
}

type Side = "into" | "from";
type RowProps = {
  label: string;
  values: readonly React.ReactNode[];
  stays: Side | "both";
  /** Whether the two differ, so that one has to be chosen. */
  choice?: boolean;
  choose?(side: Side): void;
};

function Row({ label, values, stays, choice = false, choose }: RowProps) {
  return (
    <tr>
      <th scope="row">{label}</th>
      {(["into", "from"] as const).map((side, index) => (
        <td key={side} data-stays={stays === side || stays === "both" || undefined}>
          {choice ? (
            <Radio
              size="xs"
              name={label}
              label={values[index]}
              aria-label={`${label}: ${values[index]}`}
              checked={stays === side}
              onChange={() => choose?.(side)}
            />
          ) : (
            values[index] || <span className="muted">none</span>
          )}
        </td>
      ))}
    </tr>
  );
}
