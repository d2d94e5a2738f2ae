import { createContext, useContext } from "react";
import { portal } from "./portal.ts";

export type Branding = {
  product_name?: string;
  logo_url?: string;
  primary_color?: string;
  domain?: string;
  support_email?: string;
};

export type AccountOfSession = { id: string; company: string; branding: Branding | null };

/** Who is signed in, and what they may do. */
export type Session = {
  id: string;
  user: { id: string; name: string; email: string; role: "owner" | "admin" | "member" | "read_only" | "operator"; totp: boolean };
  scopes: readonly string[];
  partner: null | {
    id: string;
    company: string;
    grade: string;
    currency: string;
    status: string;
    api_access: boolean;
    branding: Branding | null;
  };
  house_account_id: string | null;
  accounts: "all" | readonly AccountOfSession[];
  programme: { name: string };
  demo: boolean;
  smtp: boolean;
  authenticated_at: string;
  expires_at: string;
};

export type Credentials = { email: string; password: string; code?: string };

export const readSession = () => portal<Session>("GET", "/session");
export const signIn = (credentials: Credentials) => portal<Session>("POST", "/session", credentials);
export const signInByLink = (token: string) => portal<Session>("POST", "/session/link", { token });
export const signOut = () => portal<void>("DELETE", "/session");
export const confirmPassword = (body: { password: string; code?: string }) => portal<void>("POST", "/session/confirm", body);
export const requestReset = (email: string) => portal<void>("POST", "/password-resets", { email });
export const completeReset = (token: string, password: string) =>
  portal<void>("POST", "/password-resets/complete", { token, password });

export type Invitation = { name: string; email: string; company: string };
export const lookAtInvitation = (token: string) => portal<Invitation>("POST", "/invitations/look", { token });
export const acceptInvitation = (body: { token: string; password: string; name?: string }) =>
  portal<Session>("POST", "/invitations/accept", body);

export const SessionContext = createContext<Session | null>(null);

/** The session of whoever is signed in. Pages are shown only to people who are. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("useSession is for pages of people who are signed in");
  return session;
}

/** Reads the session again, after something about the person has changed. The page stays. */
export const RefreshContext = createContext<() => Promise<void>>(async () => {});
export const useRefreshSession = () => useContext(RefreshContext);

/** Whether the person may: `const may = useMay(); may("clients:write")`. */
export function useMay(): (scope: string) => boolean {
  const { scopes } = useSession();
  return (scope) => scopes.includes(scope);
}

/** Works for the whole partner, and not only for some of its clients. */
export const isPartnerWide = (session: Session) => session.partner !== null && session.accounts === "all";
