import { Tooltip } from "@mantine/core";
import { ChevronRight } from "lucide-react";
import { useEffect, useState } from "react";
import { Link } from "../../ui/link.tsx";
import { AccountChoice } from "./account-menu.tsx";
import { addressOf, isAt, type Place, type Spot } from "./places.ts";
import classes from "./shell.module.css";
import { Mark, useMark } from "./waiting.tsx";

type Props = { place: Place; address: string; account: string | undefined; open: boolean };

/** A place, and its pages while it is open. */
export function PlaceItem({ place, address, account, open }: Props) {
  const Icon = place.icon;
  const mark = useMark(place, account, open);
  const page = longest(place.children?.filter(({ path }) => isAt(address, path)) ?? []);
  const setup = place.children?.filter((child) => child.setup) ?? [];
  const [unfolded, setUnfolded] = useState(false);
  // Whoever is at one of its pages sees where.
  useEffect(() => {
    if (page?.setup) setUnfolded(true);
  }, [page]);
  const item = (child: Spot) => (
    <li key={child.path}>
      <PageItem spot={child} account={account} current={child === page} />
    </li>
  );
  return (
    <li>
      <Tooltip label={place.name} position="right" disabled={!matchMedia("(max-width: 1000px)").matches}>
        <Link
          to={addressOf(place.path, account)}
          className={classes.place}
          aria-label={place.name}
          aria-description={mark?.description}
          aria-current={open && page === undefined ? "page" : undefined}
          data-open={open || undefined}
        >
          <Icon size={16} strokeWidth={1.75} aria-hidden />
          <span className="cut">{place.name}</span>
          <Mark mark={mark} />
        </Link>
      </Tooltip>
      {open && place.children && (
        <ul className={classes.pages}>
          {place.name === "CRM" && (
            <li>
              <AccountChoice />
            </li>
          )}
          {place.children.filter(({ setup }) => !setup).map(item)}
          {setup.length > 0 && (
            <li>
              <button type="button" className={classes.page} aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
                <span>Set up</span>
                <ChevronRight size={14} aria-hidden />
              </button>
            </li>
          )}
          {unfolded && setup.map(item)}
        </ul>
      )}
    </li>
  );
}

/** In a low window the page that is open may be further down. */
const visible = (link: HTMLElement | null) => link?.scrollIntoView({ block: "nearest" });

function PageItem({ spot, account, current }: { spot: Spot; account: string | undefined; current: boolean }) {
  const mark = useMark(spot, account, true);
  return (
    <Link
      to={addressOf(spot.path, account)}
      ref={current ? visible : undefined}
      className={classes.page}
      data-setup={spot.setup}
      aria-current={current ? "page" : undefined}
      aria-description={mark?.description}
    >
      <span className="cut">{spot.name}</span>
      <Mark mark={mark} />
    </Link>
  );
}

/** Of the pages an address is at, the one that says most: /snapshots/rollouts, not /snapshots. */
const longest = <Item extends { path: string }>(items: readonly Item[]): Item | undefined =>
  items.toSorted((a, b) => b.path.length - a.path.length)[0];
