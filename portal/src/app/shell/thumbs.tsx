import { Drawer } from "@mantine/core";
import { LogOut, Menu as MenuIcon, Search } from "lucide-react";
import { useState } from "react";
import { Link } from "../../ui/link.tsx";
import { addressOf, isAt, type Place } from "./places.ts";
import classes from "./shell.module.css";
import { useSignOut } from "./you-menu.tsx";

type Props = { places: readonly Place[]; address: string; account: string | undefined; search(): void };

const THUMBS = 4;
const FIRST = ["Home", "Clients", "Deals", "CRM"];
const isOpen = (address: string, { path, children }: Place) =>
  isAt(address, path) || (children?.some((child) => isAt(address, child.path)) ?? false);

/** On phones: four places under the thumb, the rest behind More. */
export function Thumbs({ places, address, account, search }: Props) {
  const [more, setMore] = useState(false);
  const leave = useSignOut();
  const close = () => setMore(false);
  const first = places.toSorted((a, b) => Number(FIRST.includes(b.name)) - Number(FIRST.includes(a.name))).slice(0, THUMBS);
  return (
    <nav className={classes.thumbs} aria-label="Main, phone">
      {first.map((place) => (
        <Link key={place.name} to={addressOf(place.path, account)} aria-current={isOpen(address, place) ? "page" : undefined}>
          <span className={classes.thumbIcon}>
            <place.icon size={20} strokeWidth={1.75} aria-hidden />
          </span>
          {place.name}
        </Link>
      ))}
      <button
        type="button"
        onClick={() => setMore(true)}
        aria-current={first.some((place) => isOpen(address, place)) ? undefined : "page"}
      >
        <MenuIcon size={20} strokeWidth={1.75} aria-hidden />
        More
      </button>
      <Drawer opened={more} onClose={close} position="bottom" size="85%" padding="md" title="All places">
        <div className={classes.more}>
          <button
            type="button"
            onClick={() => {
              close();
              search();
            }}
          >
            <Search size={18} aria-hidden />
            Search
          </button>
          {places.map((place) => (
            <div key={place.name}>
              <Link to={addressOf(place.path, account)} onClick={close}>
                <place.icon size={18} strokeWidth={1.75} aria-hidden />
                {place.name}
              </Link>
              <ul>
                {place.children?.map((child) => (
                  <li key={child.path}>
                    <Link to={addressOf(child.path, account)} onClick={close}>
                      {child.name}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ))}
          <button type="button" onClick={() => void leave()}>
            <LogOut size={18} aria-hidden />
            Sign out
          </button>
        </div>
      </Drawer>
    </nav>
  );
}
