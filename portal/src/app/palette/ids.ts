/** The page that shows a record, by the prefix of its id. */
const PAGES: Record<string, (id: string, account: string) => string> = {
  cli: (id) => `/clients/${id}`,
  deal: (id) => `/deals/${id}`,
  con: (id, account) => `/crm/${account}/contacts/${id}`,
  lead: (id, account) => `/crm/${account}/leads/${id}`,
  cnv: (id, account) => `/crm/${account}/inbox/${id}`,
  chn: (id, account) => `/crm/${account}/channels?open=${id}`,
  plk: (id, account) => `/crm/${account}/payment-links/${id}`,
  pmt: (id, account) => `/crm/${account}/payments/${id}`,
  ppr: (id, account) => `/crm/${account}/payment-providers?open=${id}`,
  imp: (id, account) => `/crm/${account}/imports/${id}`,
  whe: (id) => `/developers/webhooks/${id}`,
  evt: (id) => `/developers/events?open=${id}`,
  key: (id) => `/settings/api?open=${id}`,
  usr: (id) => `/settings/team?open=${id}`,
  com: (id) => `/earn/commissions/${id}`,
  chr: (id) => `/earn/charges?open=${id}`,
  lnk: (id) => `/earn/links/${id}`,
  pay: (id) => `/earn/payouts/${id}`,
  aud: (id) => `/developers/audit-log?open=${id}`,
};

/** The same for the operator. */
const OPERATOR_PAGES: typeof PAGES = {
  ptr: (id) => `/partners/${id}`,
  deal: (id) => `/registrations?state=all&open=${id}`,
  chr: (id) => `/charges/${id}`,
  com: (id) => `/commissions/${id}`,
  lnk: (id) => `/links?state=all&open=${id}`,
  rul: (id) => `/programme/rules/${id}`,
  pay: (id) => `/payouts/${id}`,
  prn: (id) => `/payout-runs/${id}`,
};

/** Where a pasted id leads; null for what is no id. */
export function pageOfId(text: string, account = "house", operator = false): string | null {
  const prefix = /^([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}$/.exec(text)?.[1];
  const pages = operator ? OPERATOR_PAGES : PAGES;
  return (prefix !== undefined && pages[prefix]?.(text, account)) || null;
}
