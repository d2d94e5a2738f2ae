import { Menu, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useRouterState } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { useState } from "react";
import { useOwnLogo, usePartnerLogo } from "../../api/logo.ts";
import { isPartnerWide, useSession } from "../../api/session.ts";
import { useGo } from "../../ui/link.tsx";
import { Logo } from "../../ui/logo.tsx";
import { Mark } from "../../ui/mark.tsx";
import { Monogram } from "../../ui/monogram.tsx";
import { useAccountsLike } from "./data.ts";
import { type MenuProps, useOpenAtOnce } from "./lazy-menu.tsx";

/** The accounts that the person has, found by name. Leads to the CRM of one. */
export default function AccountList({ children }: MenuProps) {
  const { opened, setOpened, button } = useOpenAtOnce(children);
  const [text, setText] = useState("");
  const [settled] = useDebouncedValue(text, 150);
  const session = useSession();
  const go = useGo();
  const ownLogo = useOwnLogo();
  const partnerLogo = usePartnerLogo();
  const address = useRouterState({ select: ({ location }) => location.pathname.replace(/^\/portal/, "") });
  const wide = isPartnerWide(session) && session.scopes.includes("clients:read");
  const found = useAccountsLike(settled, opened && wide);
  const own = session.accounts === "all" ? [] : session.accounts;
  const clients = wide ? (found.data ?? []) : own;
  const inCrm = /^\/crm\/[^/]+\/([^/]+)/.exec(address)?.[1];
  const open = (id: string) => go(`/crm/${id}/${inCrm ?? "contacts"}`);
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-start" width={240} trapFocus={false}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {wide && (
          <TextInput
            m={4}
            placeholder="Find an account"
            aria-label="Find an account"
            value={text}
            autoFocus
            leftSection={<Search size={14} />}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        )}
        {session.house_account_id !== null && text === "" && (
          <>
            <Menu.Item
              leftSection={
                <Logo src={partnerLogo}>
                  <Mark size={16} />
                </Logo>
              }
              onClick={() => (inCrm ? open(session.house_account_id ?? "") : go("/"))}
            >
              {session.partner?.company}
            </Menu.Item>
            <Menu.Divider />
          </>
        )}
        {clients.map((client) => (
          <Menu.Item
            key={client.id}
            leftSection={
              <Logo src={ownLogo(client)}>
                <Monogram name={client.company} />
              </Logo>
            }
            onClick={() => open(client.id)}
          >
            {client.company}
          </Menu.Item>
        ))}
        {wide && found.data?.length === 0 && <Menu.Label>No account of this name</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  );
}
