import { Menu, useMantineColorScheme } from "@mantine/core";
import { LogOut, Monitor, Moon, Sun, UserRound } from "lucide-react";
import { useSession } from "../../api/session.ts";
import { useGo } from "../../ui/link.tsx";
import { type MenuProps, useOpenAtOnce } from "./lazy-menu.tsx";
import { useSignOut } from "./sign-out.ts";

const SCHEMES = [
  { scheme: "light", name: "Light", icon: <Sun /> },
  { scheme: "dark", name: "Dark", icon: <Moon /> },
  { scheme: "auto", name: "Like the system", icon: <Monitor /> },
] as const;

/** One's own page, light or dark, signing out. */
export default function YouList({ children }: MenuProps) {
  const { opened, setOpened, button } = useOpenAtOnce(children);
  const { user } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const leave = useSignOut();
  const go = useGo();
  return (
    <Menu opened={opened} onChange={setOpened} position="top-start" width={208}>
      <Menu.Target>{button}</Menu.Target>
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
