import { Tooltip } from "@mantine/core";
import { Link } from "../../ui/link.tsx";
import { AccountChoice } from "./account-menu.tsx";
import { addressOf, isAt, type Place } from "./places.ts";
import classes from "./shell.module.css";

type Props = { place: Place; address: string; account: string | undefined; open: boolean };

/** A place, and its pages while it is open. */
export function PlaceItem({ place, address, account, open }: Props) {
  const Icon = place.icon;
  const page = longest(place.children?.filter(({ path }) => isAt(address, path)) ?? []);
  return (
    <li>
      <Tooltip label={place.name} position="right" disabled={!matchMedia("(max-width: 1000px)").matches}>
        <Link
          to={addressOf(place.path, account)}
          className={classes.place}
          aria-label={place.name}
          aria-current={open && page === undefined ? "page" : undefined}
          data-open={open || undefined}
        >
          <Icon size={16} strokeWidth={1.75} aria-hidden />
          <span className="cut">{place.name}</span>
        </Link>
      </Tooltip>
      {open && place.children && (
        <ul className={classes.pages}>
          {place.name === "CRM" && (
            <li>
              <AccountChoice />
            </li>
          )}
          {place.children.map((child) => (
            <li key={child.path}>
              <Link
                to={addressOf(child.path, account)}
                className={classes.page}
                aria-current={child === page ? "page" : undefined}
              >
                <span className="cut">{child.name}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** Of the pages an address is at, the one that says most: /snapshots/rollouts, not /snapshots. */
const longest = <Item extends { path: string }>(items: readonly Item[]): Item | undefined =>
  items.toSorted((a, b) => b.path.length - a.path.length)[0];
