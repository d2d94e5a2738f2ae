import { Drawer } from "@mantine/core";
import { useRouterState } from "@tanstack/react-router";
import { LogOut, Search } from "lucide-react";
import { useEffect, useState } from "react";
import { Link } from "../../ui/link.tsx";
import { AccountChoice } from "./account-menu.tsx";
import { addressOf, type Place } from "./places.ts";
import classes from "./shell.module.css";
import { useSignOut } from "./sign-out.ts";

type Props = { places: readonly Place[]; account: string | undefined; search(): void; close(): void };

/** On phones: every place. */
export default function More({ places, account, search, close: closed }: Props) {
  const [opened, setOpened] = useState(false);
  const leave = useSignOut();
  const close = () => setOpened(false);
  const address = useRouterState({ select: ({ location }) => location.pathname });
  const [from] = useState(address);
  // Another account has been chosen.
  useEffect(() => {
    if (address !== from) setOpened(false);
  }, [address, from]);
  // Opened after it is there, so that it knows to whom the focus returns.
  useEffect(() => setOpened(true), []);
  return (
    <Drawer
      opened={opened}
      onClose={close}
      onExitTransitionEnd={closed}
      position="bottom"
      size="85%"
      padding="md"
      title="All places"
    >
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
              {place.name === "CRM" && (
                <li>
                  <AccountChoice />
                </li>
              )}
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
  );
}
