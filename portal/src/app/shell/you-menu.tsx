import { Menu, useMantineColorScheme } from "@mantine/core";
import { LogOut, Monitor, Moon, Sun, UserRound } from "lucide-react";
import { signOut, useSession } from "../../api/session.ts";
import { useGo } from "../../ui/link.tsx";
import { Monogram } from "../../ui/monogram.tsx";
import { Dot } from "../../ui/state.tsx";
import type { LiveState } from "../live.ts";
import { useEnter } from "../session/enter.ts";
import classes from "./shell.module.css";

const SCHEMES = [
  { scheme: "light", name: "Light", icon: <Sun /> },
  { scheme: "dark", name: "Dark", icon: <Moon /> },
  { scheme: "auto", name: "Like the system", icon: <Monitor /> },
] as const;

/** Ends the session and shows the sign-in page. */
export function useSignOut(): () => Promise<void> {
  const enter = useEnter();
  const go = useGo();
  return async () => {
    await signOut();
    go("/", { replace: true });
    await enter(null);
  };
}

export function YouMenu({ live }: { live: LiveState }) {
  const { user } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const leave = useSignOut();
  const go = useGo();
  return (
    <Menu position="top-start" width={208}>
      <Menu.Target>
        <button type="button" className={classes.you} aria-label={`${user.name}, you and your settings`}>
          <Monogram name={user.name} person size={24} />
          <span className="cut">{user.name}</span>
          {live !== "off" && (
            <span
              className={classes.live}
              title={live === "live" ? "Changes appear by themselves" : "Read again every 10 seconds"}
            >
              <Dot tone={live === "live" ? "live" : "wait"} size={7} />
              {live === "live" ? "Live" : "Polling"}
            </span>
          )}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user.email}</Menu.Label>
        <Menu.Item leftSection={<UserRound />} onClick={() => go("/settings/you")}>
          You
        </Menu.Item>
        <Menu.Divider />
        {SCHEMES.map(({ scheme, name, icon }) => (
          <Menu.Item
            key={scheme}
            leftSection={icon}
            aria-current={scheme === colorScheme ? "true" : undefined}
            onClick={() => setColorScheme(scheme)}
          >
            {name}
            {scheme === colorScheme && <span className="muted"> · now</span>}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<LogOut />} onClick={() => void leave()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
