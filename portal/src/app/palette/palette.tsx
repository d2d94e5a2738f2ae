import { Kbd } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Spotlight } from "@mantine/spotlight";
import { ArrowRight, Building2, Handshake, Plus, Search } from "lucide-react";
import { useState } from "react";
import { isPartnerWide, useMay, useSession } from "../../api/session.ts";
import { useClientsLike } from "../../features/clients/data.ts";
import { useDealsLike } from "../../features/deals/data.ts";
import { useGo } from "../../ui/link.tsx";
import { addressOf, type Place } from "../shell/places.ts";
import { pageOfId } from "./ids.ts";
import classes from "./palette.module.css";

type Hit = { key: string; icon: React.ReactNode; name: string; more?: string; to: string };
type Props = { places: readonly Place[]; account: string | undefined; close(): void };

/** A partner registers its sales; people of an account create its deals. */
const registering = (partner: boolean, account: string | undefined): Hit => ({
  key: "new deal",
  icon: <Plus />,
  name: partner ? "Register deal" : "New deal",
  to: partner ? "/deals?new=yes" : `/crm/${account}/deals?new=yes`,
});

/** Places, actions and records by what one types; a pasted id leads straight to its page. */
export default function Palette({ places, account, close }: Props) {
  const [text, setText] = useState("");
  const [settled] = useDebouncedValue(text.trim(), 150);
  const go = useGo();
  const may = useMay();
  const session = useSession();
  const { house_account_id } = session;
  const clients = useClientsLike(settled, may("clients:read") && settled.length > 1);
  const deals = useDealsLike(settled, may("deals:read") && settled.length > 1);
  const like = (name: string) => name.toLowerCase().includes(text.trim().toLowerCase());
  const byId = pageOfId(text.trim(), account);
  const records: Hit[] = [
    ...(byId === null ? [] : [{ key: "id", icon: <ArrowRight />, name: text.trim(), more: "Go to this id", to: byId }]),
    ...(clients.data ?? []).map(({ id, company, status }) => ({
      key: id,
      icon: <Building2 />,
      name: company,
      more: `client, ${status}`,
      to: `/clients/${id}`,
    })),
    ...(deals.data ?? []).map(({ id, account_id, company, name, stage }) => ({
      key: id,
      icon: <Handshake />,
      name: company ?? name,
      more: `deal, ${stage}`,
      to: account_id === house_account_id ? `/deals/${id}` : `/crm/${account_id}/deals/${id}`,
    })),
  ];
  const actions: Hit[] = [
    ...(may("clients:write") ? [{ key: "new client", icon: <Plus />, name: "New client", to: "/clients?new=yes" }] : []),
    ...(may("deals:write") ? [registering(isPartnerWide(session), account)] : []),
  ].filter(({ name }) => like(name));
  const spots: Hit[] = places
    .flatMap((place) => [
      { ...place, more: "" },
      ...(place.children ?? []).filter(({ path }) => path !== place.path).map((child) => ({ ...child, more: place.name })),
    ])
    .filter(({ name }) => like(name))
    .map(({ name, path, more }) => ({ key: path, icon: <ArrowRight />, name, more, to: addressOf(path, account) }));
  const groups = [
    { label: "Records", hits: records },
    { label: "Actions", hits: actions },
    { label: "Places", hits: spots },
  ].filter(({ hits }) => hits.length > 0);
  return (
    <Spotlight.Root
      forceOpened
      onSpotlightClose={close}
      query={text}
      onQueryChange={setText}
      clearQueryOnClose={false}
      size={600}
      yOffset={120}
      classNames={{ content: "t-pop" }}
      overlayProps={{ className: "t-veil" }}
      transitionProps={{ duration: 0 }}
    >
      <Spotlight.Search
        {...(classes.search ? { className: classes.search } : {})}
        placeholder="Search or jump to"
        leftSection={<Search size={16} />}
        aria-label="Search or jump to"
      />
      <Spotlight.ActionsList {...(classes.list ? { className: classes.list } : {})}>
        {groups.map(({ label, hits }) => (
          <Spotlight.ActionsGroup key={label} label={label} {...(classes.group ? { className: classes.group } : {})}>
            {hits.map((hit) => (
              <Spotlight.Action
                key={hit.key}
                {...(classes.hit ? { className: classes.hit } : {})}
                closeSpotlightOnTrigger={false}
                onClick={() => {
                  close();
                  go(hit.to);
                }}
              >
                {hit.icon}
                <span className={classes.name}>{hit.name}</span>
                <span className={classes.more}>{hit.more}</span>
              </Spotlight.Action>
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {groups.length === 0 && <Spotlight.Empty>Nothing of this name</Spotlight.Empty>}
      </Spotlight.ActionsList>
      <div className={classes.foot}>
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
