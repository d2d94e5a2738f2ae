import { Menu as MenuIcon } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Link } from "../../ui/link.tsx";
import { addressOf, isAt, type Place } from "./places.ts";
import classes from "./shell.module.css";
import { Mark, useMark } from "./waiting.tsx";

const More = lazy(() => import("./more.tsx"));

type Props = { places: readonly Place[]; address: string; account: string | undefined; search(): void };

const THUMBS = 4;
const FIRST = ["Home", "Clients", "Deals", "CRM"];
const isOpen = (address: string, { path, children }: Place) =>
  isAt(address, path) || (children?.some((child) => isAt(address, child.path)) ?? false);

/** On phones: four places under the thumb, the rest behind More. */
export function Thumbs({ places, address, account, search }: Props) {
  const [more, setMore] = useState(false);
  const first = places.toSorted((a, b) => Number(FIRST.includes(b.name)) - Number(FIRST.includes(a.name))).slice(0, THUMBS);
  return (
    <nav className={classes.thumbs} aria-label="Main, phone">
      {first.map((place) => (
        <Thumb key={place.name} place={place} account={account} open={isOpen(address, place)} />
      ))}
      <button
        type="button"
        onClick={() => setMore(true)}
        aria-current={first.some((place) => isOpen(address, place)) ? undefined : "page"}
      >
        <MenuIcon size={20} strokeWidth={1.75} aria-hidden />
        More
      </button>
      {more && (
        <Suspense>
          <More places={places} account={account} search={search} close={() => setMore(false)} />
        </Suspense>
      )}
    </nav>
  );
}

function Thumb({ place, account, open }: { place: Place; account: string | undefined; open: boolean }) {
  const mark = useMark(place, account, false);
  return (
    <Link to={addressOf(place.path, account)} aria-current={open ? "page" : undefined} aria-description={mark?.description}>
      <span className={classes.thumbIcon}>
        <place.icon size={20} strokeWidth={1.75} aria-hidden />
        <Mark mark={mark} />
      </span>
      {place.name}
    </Link>
  );
}
