import { Kbd } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Spotlight } from "@mantine/spotlight";
import { ArrowRight, Building2, Handshake, Plus, Search, UserRound, UserRoundSearch } from "lucide-react";
import { useRef, useState } from "react";
import { useMay, useSession } from "../../api/session.ts";
import { useGo } from "../../ui/link.tsx";
import { addressOf, type Place } from "../shell/places.ts";
import { type Found, useRecords } from "./data.ts";
import { pageOfId } from "./ids.ts";
import classes from "./palette.module.css";

type Hit = { key: string; icon: React.ReactNode; name: string; more?: string; to: string };
type Props = { places: readonly Place[]; account: string | undefined; close(): void };

const ICONS: Record<Found["kind"], React.ReactNode> = {
  client: <Building2 />,
  deal: <Handshake />,
  contact: <UserRound />,
  lead: <UserRoundSearch />,
};

/** In place of a scope: for people of the operator. */
const OPERATOR = "operator";

/** What can be begun from anywhere; offered with the scope, and if its place is there. */
const ACTIONS = [
  { name: "New client", place: "Clients", scope: "clients:write", to: "/clients?new=yes" },
  { name: "Register a deal", place: "Deals", scope: "deals:write", to: "/deals?new=yes" },
  { name: "Invite a sub-partner", place: "Sub-partners", scope: "account:write", to: "/earn/sub-partners?new=yes" },
  { name: "New message", place: "Inbox", scope: "conversations:write", to: "/crm/$account/inbox?new=yes" },
  { name: "New contact", place: "Contacts", scope: "contacts:write", to: "/crm/$account/contacts?new=yes" },
  { name: "New lead", place: "Leads", scope: "leads:write", to: "/crm/$account/leads?new=yes" },
  { name: "Import a CSV file", place: "Imports", scope: "contacts:write", to: "/crm/$account/imports/new" },
  { name: "New API key", place: "Settings", scope: "keys:write", to: "/settings/api?new=yes" },
  { name: "New webhook endpoint", place: "Developers", scope: "webhooks:write", to: "/developers/webhooks?new=yes" },
  { name: "Invite somebody", place: "Settings", scope: "account:write", to: "/settings/team?new=yes" },
  { name: "New partner", place: "Partners", scope: OPERATOR, to: "/partners?new=yes" },
  { name: "Report a charge", place: "Charges", scope: OPERATOR, to: "/charges?new=yes" },
  { name: "Report several charges", place: "Charges", scope: OPERATOR, to: "/charges?new=several" },
  { name: "New commission rule", place: "Rules", scope: OPERATOR, to: "/programme/rules/new" },
  { name: "New plan", place: "Plans", scope: OPERATOR, to: "/programme/plans?new=yes" },
] as const;

/** Places, actions and records by what one types; a pasted id leads straight to its page. */
export default function Palette({ places, account, close }: Props) {
  const [text, setText] = useState("");
  const list = useRef<HTMLDivElement>(null);
  const go = useGo();
  const groups = useHits(text.trim(), places, account);
  const first = groups[0]?.hits[0];
  const open = (to: string) => {
    close();
    go(to);
  };
  return (
    <Spotlight.Root
      forceOpened
      onSpotlightClose={close}
      query={text}
      onQueryChange={setText}
      clearQueryOnClose={false}
      size={600}
      centered={false}
      yOffset={120}
      classNames={{ content: "t-pop" }}
      overlayProps={{ className: "t-veil" }}
      transitionProps={{ duration: 0 }}
    >
      <Spotlight.Search
        className={classes.search ?? ""}
        placeholder="Search or jump to"
        leftSection={<Search size={16} />}
        aria-label="Search or jump to"
        onKeyDown={(event) => {
          // Enter opens the first one, unless the arrows have chosen another.
          if (event.key !== "Enter" || first === undefined || list.current?.querySelector("[data-selected]")) return;
          event.preventDefault();
          open(first.to);
        }}
      />
      <Spotlight.ActionsList className={classes.list ?? ""} ref={list}>
        {groups.map(({ label, hits }) => (
          <Spotlight.ActionsGroup key={label} label={label} className={classes.group ?? ""}>
            {hits.map((hit) => (
              <Spotlight.Action
                key={hit.key}
                className={classes.hit ?? ""}
                closeSpotlightOnTrigger={false}
                onClick={() => open(hit.to)}
                mod={{ first: hit === first }}
              >
                {hit.icon}
                <span className={classes.name}>
                  <Marked text={hit.name} part={text.trim()} />
                </span>
                <span className={classes.more}>{hit.more}</span>
              </Spotlight.Action>
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {groups.length === 0 && <Spotlight.Empty>Nothing of this name</Spotlight.Empty>}
      </Spotlight.ActionsList>
      <div className={`${classes.foot} only-desk`}>
        <span>
          <Kbd>↑</Kbd>
          <Kbd>↓</Kbd> choose
        </span>
        <span>
          <Kbd>⏎</Kbd> open
        </span>
        <span>Paste an id to go straight to it</span>
      </div>
    </Spotlight.Root>
  );
}

function useHits(text: string, places: readonly Place[], account: string | undefined) {
  const [settled] = useDebouncedValue(text, 150);
  const may = useMay();
  const records = useRecords(settled, account, may);
  const like = (name: string) => name.toLowerCase().includes(text.toLowerCase());
  const operator = useSession().user.role === "operator";
  const byId = pageOfId(text, account, operator);
  const found: Hit[] = [
    ...(byId === null ? [] : [{ key: "id", icon: <ArrowRight />, name: text, more: "Go to this id", to: byId }]),
    ...(text.length > 1 ? (records.data ?? []) : []).map(({ id, kind, ...hit }) => ({ key: id, icon: ICONS[kind], ...hit })),
  ];
  const actions: Hit[] = ACTIONS.filter(
    ({ name, place, scope }) =>
      like(name) &&
      (scope === OPERATOR ? operator : may(scope)) &&
      places.some((known) => [known, ...(known.children ?? [])].some((spot) => spot.name === place)),
  ).map(({ name, to }) => ({ key: name, icon: <Plus />, name, to: addressOf(to, account) }));
  const spots: Hit[] = places
    .flatMap((place) => [
      { name: place.name, path: place.path, more: "" },
      ...(place.children ?? []).map(({ name, path }) => ({ name, path, more: place.name })),
    ])
    .filter(({ name, more }) => like(name) || like(more))
    .map(({ name, path, more }) => ({ key: `${more} ${name}`, icon: <ArrowRight />, name, more, to: addressOf(path, account) }));
  return [
    { label: "Records", hits: found },
    { label: "Actions", hits: actions },
    { label: "Places", hits: spots },
  ].filter(({ hits }) => hits.length > 0);
}

/** The part that matches, in the accent. */
function Marked({ text, part }: { text: string; part: string }) {
  const at = part === "" ? -1 : text.toLowerCase().indexOf(part.toLowerCase());
  if (at === -1) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + part.length)}</mark>
      {text.slice(at + part.length)}
    </>
  );
}
