import { ChevronsUpDown } from "lucide-react";
import { lazy } from "react";
import { useAccount } from "../../api/account.ts";
import { isPartnerWide, type Session, useSession } from "../../api/session.ts";
import { Logo } from "../../ui/logo.tsx";
import { Mark } from "../../ui/mark.tsx";
import type { Brand } from "./brand.ts";
import { LazyMenu, type MenuProps } from "./lazy-menu.tsx";
import classes from "./shell.module.css";

const AccountList = lazy(() => import("./account-list.tsx"));

/** Whether there is another account to go to. */
const hasChoice = (session: Session) =>
  session.partner !== null && (isPartnerWide(session) ? session.scopes.includes("clients:read") : session.accounts.length > 1);

/** Whose place this is. Leads to the CRM of any account that the person has. */
export function AccountMenu({ brand }: { brand: Brand }) {
  const choice = hasChoice(useSession());
  return (
    <Accounts>
      <button type="button" className={classes.switch} aria-label={choice ? `${brand.name}, choose account` : brand.name}>
        <BrandMark brand={brand} />
        <span className="cut">{brand.name}</span>
        {choice && <ChevronsUpDown size={14} aria-hidden />}
      </button>
    </Accounts>
  );
}

/** The logo of whose place this is, its initial in its colour, or our mark. */
export function BrandMark({ brand: { name, own, logo } }: { brand: Brand }) {
  return (
    <Logo src={logo} size={22}>
      {own ? <span className={classes.logo}>{name.slice(0, 1)}</span> : <Mark size={22} />}
    </Logo>
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

function Accounts({ children }: MenuProps) {
  return hasChoice(useSession()) ? <LazyMenu menu={AccountList}>{children}</LazyMenu> : children;
}
