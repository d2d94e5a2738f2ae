import { Kbd } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { Outlet, useRouterState } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { useAccount } from "../../api/account.ts";
import { useSession } from "../../api/session.ts";
import { COMMAND } from "../../ui/keys.ts";
import { BrandContext } from "../../ui/mark.tsx";
import type { PageRoute } from "../../ui/route.ts";
import { goLive, type LiveState } from "../live.ts";
import { queries } from "../providers.tsx";
import { AccountMenu, BrandMark } from "./account-menu.tsx";
import { useBrand } from "./brand.ts";
import { PlaceItem } from "./place-item.tsx";
import { isAt, placesOf } from "./places.ts";
import classes from "./shell.module.css";
import { Thumbs } from "./thumbs.tsx";
import { TierLine } from "./tier-line.tsx";
import { YouMenu } from "./you-menu.tsx";

const Palette = lazy(() => import("../palette/palette.tsx"));

/** The frame of every page: places at the side, or under the thumb, and the page itself. */
export function Shell({ pages }: { pages: readonly PageRoute[] }) {
  const session = useSession();
  const account = useAccount();
  const places = placesOf(session, pages);
  const address = useRouterState({ select: ({ location }) => location.pathname.replace(/^\/portal/, "") || "/" });
  const brand = useBrand(address);
  const [palette, setPalette] = useState(false);
  const live = useLive(session.scopes.includes("events:read"));
  useHotkeys([["mod+K", () => setPalette(true)]], []);
  return (
    <div className={classes.shell} style={brand.tokens}>
      <a href="#page" className={classes.skip}>
        Skip to content
      </a>
      <nav className={classes.side} aria-label="Main">
        <AccountMenu brand={brand} />
        <button type="button" className={classes.search} onClick={() => setPalette(true)} aria-label="Search or jump to">
          <Search size={14} aria-hidden />
          <span>Search or jump to</span>
          <Kbd>{COMMAND}K</Kbd>
        </button>
        <ul className={classes.places}>
          {places.map((place) => (
            <PlaceItem
              key={place.name}
              place={place}
              address={address}
              account={account?.id}
              open={isAt(address, place.path) || (place.children?.some(({ path }) => isAt(address, path)) ?? false)}
            />
          ))}
        </ul>
        <div className={classes.bottom}>
          <TierLine />
          <YouMenu live={live} />
        </div>
      </nav>
      <main className={classes.panel} id="page">
        {session.demo && <div className={classes.demo}>Demo data. Everything here may be tried out.</div>}
        <BrandContext value={{ name: brand.own ? brand.name : "Tributary", mark: <BrandMark brand={brand} /> }}>
          <Outlet />
        </BrandContext>
      </main>
      <Thumbs places={places} address={address} account={account?.id} search={() => setPalette(true)} />
      {palette && (
        <Suspense>
          <Palette places={places} account={account?.id} close={() => setPalette(false)} />
        </Suspense>
      )}
    </div>
  );
}

function useLive(may: boolean): LiveState {
  const [state, setState] = useState<LiveState>("off");
  useEffect(() => (may ? goLive(queries, setState) : undefined), [may]);
  return state;
}
