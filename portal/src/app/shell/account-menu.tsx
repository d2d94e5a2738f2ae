import { Menu, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useRouterState } from "@tanstack/react-router";
import { ChevronsUpDown, Search } from "lucide-react";
import { useState } from "react";
import { useAccount } from "../../api/account.ts";
import { isPartnerWide, type Session, useSession } from "../../api/session.ts";
import { useGo } from "../../ui/link.tsx";
import { Mark } from "../../ui/mark.tsx";
import { Monogram } from "../../ui/monogram.tsx";
import type { Brand } from "./brand.ts";
import { useAccountsLike } from "./data.ts";
import classes from "./shell.module.css";

/** Whether there is another account to go to. */
const hasChoice = (session: Session) =>
  session.partner !== null && (isPartnerWide(session) ? session.scopes.includes("clients:read") : session.accounts.length > 1);

/** Whose place this is. Leads to the CRM of any account that the person has. */
export function AccountMenu({ brand }: { brand: Brand }) {
  const choice = hasChoice(useSession());
  return (
    <Accounts>
      <button type="button" className={classes.switch} aria-label={choice ? `${brand.name}, choose account` : brand.name}>
        {brand.own ? <span className={classes.logo}>{brand.name.slice(0, 1)}</span> : <Mark size={22} />}
        <span className="cut">{brand.name}</span>
        {choice && <ChevronsUpDown size={14} aria-hidden />}
      </button>
    </Accounts>
  );
}

/** The account whose CRM is open. */
export function AccountChoice() {
  const account = useAccount();
  return (
    <Accounts>
      <button type="button" className={classes.account} aria-label={`${account?.company ?? ""}, choose account`}>
        <span className="cut">{account?.company}</span>
        <ChevronsUpDown size={12} aria-hidden />
      </button>
    </Accounts>
  );
}

function Accounts({ children }: { children: React.ReactNode }) {
  const [opened, setOpened] = useState(false);
  const [text, setText] = useState("");
  const [settled] = useDebouncedValue(text, 150);
  const session = useSession();
  const go = useGo();
  const address = useRouterState({ select: ({ location }) => location.pathname.replace(/^\/portal/, "") });
  const wide = isPartnerWide(session) && session.scopes.includes("clients:read");
  const found = useAccountsLike(settled, opened && wide);
  const own = session.accounts === "all" ? [] : session.accounts;
  const clients = wide ? (found.data ?? []) : own;
  const inCrm = /^\/crm\/[^/]+\/([^/]+)/.exec(address)?.[1];
  const open = (id: string) => go(`/crm/${id}/${inCrm ?? "contacts"}`);
  if (session.partner === null || !hasChoice(session)) return children;
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-start" width={240} trapFocus={false}>
      <Menu.Target>{children}</Menu.Target>
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
            <Menu.Item leftSection={<Mark size={16} />} onClick={() => (inCrm ? open(session.house_account_id ?? "") : go("/"))}>
              {session.partner.company}
            </Menu.Item>
            <Menu.Divider />
          </>
        )}
        {clients.map(({ id, company }) => (
          <Menu.Item key={id} leftSection={<Monogram name={company} />} onClick={() => open(id)}>
            {company}
          </Menu.Item>
        ))}
        {wide && found.data?.length === 0 && <Menu.Label>No account of this name</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  );
}
