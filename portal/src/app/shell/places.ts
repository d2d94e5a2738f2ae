import {
  Activity,
  Award,
  Banknote,
  Bot,
  Braces,
  Building2,
  ClipboardCheck,
  Handshake,
  HeartPulse,
  House,
  Inbox,
  KeyRound,
  Layers,
  Link,
  type LucideIcon,
  ReceiptText,
  Scale,
  ScrollText,
  Settings,
  Store,
  Users,
  Wallet,
} from "lucide-react";
import { isPartnerWide, type Session } from "../../api/session.ts";
import type { PageRoute } from "../../ui/route.ts";

/** A page in the navigation. It is shown if it exists and the person has its scope. */
export type Spot = {
  name: string;
  path: string;
  scope?: string;
  /** Done once rather than daily: at the side it is folded away until one is there. */
  setup?: true;
};
export type Place = Spot & { icon: LucideIcon; children?: readonly Spot[] };

const CRM: readonly Spot[] = [
  { name: "Inbox", path: "/crm/$account/inbox", scope: "conversations:read" },
  { name: "Leads", path: "/crm/$account/leads", scope: "leads:read" },
  { name: "Contacts", path: "/crm/$account/contacts", scope: "contacts:read" },
  { name: "Deals", path: "/crm/$account/deals", scope: "deals:read" },
  { name: "Agents", path: "/crm/$account/agents", scope: "agents:read" },
  { name: "Approvals", path: "/crm/$account/approvals", scope: "agents:read" },
  { name: "Knowledge", path: "/crm/$account/knowledge", scope: "agents:read" },
  { name: "Payment links", path: "/crm/$account/payment-links", scope: "billing:read" },
  { name: "Payments", path: "/crm/$account/payments", scope: "billing:read" },
  { name: "Imports", path: "/crm/$account/imports", scope: "contacts:read" },
  { name: "Pipelines", path: "/crm/$account/pipelines", scope: "deals:read", setup: true },
  { name: "Custom fields", path: "/crm/$account/fields", scope: "contacts:read", setup: true },
  { name: "Tags", path: "/crm/$account/tags", scope: "contacts:read", setup: true },
  { name: "Channels", path: "/crm/$account/channels", scope: "conversations:read", setup: true },
  { name: "Templates", path: "/crm/$account/templates", scope: "conversations:read", setup: true },
  { name: "Payment providers", path: "/crm/$account/payment-providers", scope: "billing:read", setup: true },
];

const PARTNER: readonly Place[] = [
  { name: "Home", path: "/", icon: House },
  { name: "Clients", path: "/clients", icon: Users, scope: "clients:read" },
  { name: "Deals", path: "/deals", icon: Handshake, scope: "deals:read" },
  {
    name: "Snapshots",
    path: "/snapshots",
    icon: Layers,
    scope: "snapshots:read",
    children: [
      { name: "Catalogue", path: "/snapshots" },
      { name: "Rollouts", path: "/snapshots/rollouts" },
      { name: "Marketplace", path: "/snapshots/marketplace" },
      { name: "Purchases", path: "/snapshots/purchases" },
    ],
  },
  {
    name: "Earn",
    path: "/earn",
    icon: Wallet,
    children: [
      { name: "Commissions", path: "/earn/commissions", scope: "commissions:read" },
      { name: "Charges", path: "/earn/charges", scope: "commissions:read" },
      { name: "Payouts", path: "/earn/payouts", scope: "payouts:read" },
      { name: "Ledger", path: "/earn/ledger", scope: "commissions:read" },
      { name: "Links", path: "/earn/links", scope: "affiliate_links:read" },
      { name: "Tier", path: "/earn/tier", scope: "account:read" },
      { name: "Sub-partners", path: "/earn/sub-partners", scope: "account:read" },
    ],
  },
  { name: "CRM", path: "/crm", icon: Inbox, children: CRM },
  {
    name: "Developers",
    path: "/developers",
    icon: Braces,
    children: [
      { name: "Webhooks", path: "/developers/webhooks", scope: "webhooks:read" },
      { name: "Events", path: "/developers/events", scope: "events:read" },
      { name: "Audit log", path: "/developers/audit-log", scope: "audit:read" },
      { name: "Reference", path: "/developers/reference" },
    ],
  },
  {
    name: "Settings",
    path: "/settings",
    icon: Settings,
    children: [
      { name: "Company", path: "/settings/company", scope: "account:read" },
      { name: "Team", path: "/settings/team", scope: "account:read" },
      { name: "Payout method", path: "/settings/payout-method", scope: "payouts:read" },
      { name: "Pipelines", path: "/settings/pipelines", scope: "deals:read" },
      { name: "API", path: "/settings/api", scope: "keys:read" },
      { name: "You", path: "/settings/you" },
    ],
  },
];

const CLIENT: readonly Place[] = [
  { name: "Inbox", path: "/crm/$account/inbox", icon: Inbox, scope: "conversations:read" },
  { name: "Leads", path: "/crm/$account/leads", icon: ClipboardCheck, scope: "leads:read" },
  { name: "Contacts", path: "/crm/$account/contacts", icon: Users, scope: "contacts:read" },
  { name: "Deals", path: "/crm/$account/deals", icon: Handshake, scope: "deals:read" },
  {
    name: "Agents",
    path: "/crm/$account/agents",
    icon: Bot,
    children: [
      { name: "All agents", path: "/crm/$account/agents", scope: "agents:read" },
      { name: "Approvals", path: "/crm/$account/approvals", scope: "agents:read" },
      { name: "Knowledge", path: "/crm/$account/knowledge", scope: "agents:read" },
    ],
  },
  {
    name: "Payments",
    path: "/crm/$account/payment-links",
    icon: Wallet,
    children: [
      { name: "Links", path: "/crm/$account/payment-links", scope: "billing:read" },
      { name: "Received", path: "/crm/$account/payments", scope: "billing:read" },
    ],
  },
  {
    name: "Settings",
    path: "/settings",
    icon: Settings,
    children: [
      { name: "You", path: "/settings/you" },
      { name: "Imports", path: "/crm/$account/imports", scope: "contacts:read" },
      { name: "Custom fields", path: "/crm/$account/fields", scope: "contacts:read" },
      { name: "Tags", path: "/crm/$account/tags", scope: "contacts:read" },
      { name: "Channels", path: "/crm/$account/channels", scope: "conversations:read" },
      { name: "Templates", path: "/crm/$account/templates", scope: "conversations:read" },
      { name: "Payment providers", path: "/crm/$account/payment-providers", scope: "billing:read" },
    ],
  },
];

const OPERATOR: readonly Place[] = [
  { name: "Overview", path: "/", icon: Activity },
  { name: "Partners", path: "/partners", icon: Building2 },
  { name: "Registrations", path: "/registrations", icon: ClipboardCheck },
  { name: "Access", path: "/access-requests", icon: KeyRound },
  {
    name: "Programme",
    path: "/programme",
    icon: Scale,
    children: [
      { name: "Settings", path: "/programme" },
      { name: "Rules", path: "/programme/rules" },
      { name: "Tiers", path: "/programme/tiers" },
      { name: "Plans", path: "/programme/plans" },
      { name: "Providers", path: "/programme/providers" },
    ],
  },
  { name: "Charges", path: "/charges", icon: ReceiptText },
  { name: "Commissions", path: "/commissions", icon: Wallet },
  { name: "Links", path: "/links", icon: Link },
  {
    name: "Payouts",
    path: "/payout-runs",
    icon: Banknote,
    children: [
      { name: "Runs", path: "/payout-runs" },
      { name: "All payouts", path: "/payouts" },
    ],
  },
  {
    name: "Marketplace",
    path: "/marketplace",
    icon: Store,
    children: [
      { name: "Review", path: "/marketplace" },
      { name: "Purchases", path: "/marketplace/purchases" },
    ],
  },
  { name: "Certifications", path: "/certifications", icon: Award },
  {
    name: "Operators",
    path: "/operators",
    icon: Users,
    children: [
      { name: "People", path: "/operators/people" },
      { name: "Keys", path: "/operators/keys" },
      { name: "You", path: "/settings/you" },
    ],
  },
  { name: "System", path: "/system", icon: HeartPulse },
  { name: "Audit log", path: "/audit-log", icon: ScrollText },
];

/** The places of a person: those whose pages exist and whose scope they have. A place without children of its own is a page. */
export function placesOf(session: Session, pages: readonly PageRoute[]): readonly Place[] {
  const exists = new Set(pages.map(({ path }) => path));
  const may = ({ path, scope }: Spot) => exists.has(path) && (scope === undefined || session.scopes.includes(scope));
  const all = session.user.role === "operator" ? OPERATOR : isPartnerWide(session) ? PARTNER : CLIENT;
  return all.flatMap((place): Place[] => {
    const children = place.children?.filter(may) ?? [];
    const first = children[0];
    if (place.children === undefined) return may(place) ? [place] : [];
    return first === undefined ? [] : [{ ...place, path: first.path, children }];
  });
}

/** The address of a place in an account: "/crm/$account/leads" in cli_1 is "/crm/cli_1/leads". */
export const addressOf = (path: string, account: string | undefined) => path.replace("$account", account ?? "house");

/** Whether an address is at a place, or below it. */
export function isAt(address: string, path: string): boolean {
  const pattern = path.replace("$account", "[^/]+");
  return path === "/" ? address === "/" : new RegExp(`^${pattern}(/|$)`).test(address);
}
