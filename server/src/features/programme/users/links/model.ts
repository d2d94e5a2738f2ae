const MINUTE_MS = 60_000;

/** What a link is for: how long it is valid, and the page of the portal that it opens. */
export const LINKS = {
  sign_in: { life_ms: 15 * MINUTE_MS, page: "link" },
  password_reset: { life_ms: 60 * MINUTE_MS, page: "reset" },
  invitation: { life_ms: 7 * 24 * 60 * MINUTE_MS, page: "invitation" },
} as const;

export type Purpose = keyof typeof LINKS;
export const PURPOSES = Object.keys(LINKS) as Purpose[];

/** The token is in the fragment, which browsers send to no server: it is in no log, and in no Referer. */
export function linkUrl(base_url: string, purpose: Purpose, token: string): string {
  return `${base_url}/portal/${LINKS[purpose].page}#${token}`;
}
