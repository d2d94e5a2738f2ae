import { OPERATOR_TENANT } from "../kernel/principal.ts";
import { actForOperator, createOnce, findPartner, IDEMPOTENCY_OPTION } from "./acting.ts";
import { checked } from "./checked.ts";
import { LIST_OPTIONS, printList, shortTime } from "./listing.ts";
import { command } from "./shell/command.ts";
import { renderFields } from "./shell/table.ts";

type Partner = {
  id: string;
  parent_id: string | null;
  company: string;
  grade: string;
  pinned: boolean;
  pinned_until: string | null;
  grace_until: string | null;
  status: string;
  suspension_reason: string | null;
  api_access: boolean;
  currency: string;
  house_account_id: string;
  owner: { name: string; email: string } | null;
  created_at: string;
};

/** The grade, and what it is held by or lost at. */
function describeGrade({ grade, pinned, pinned_until, grace_until }: Partner): string {
  if (grace_until !== null) return `${grade}, until ${grace_until}`;
  if (!pinned) return grade;
  return pinned_until === null ? `${grade}, pinned` : `${grade}, pinned until ${pinned_until}`;
}

const describePartner = (partner: Partner, more: Record<string, string> = {}) =>
  renderFields({
    id: partner.id,
    company: partner.company,
    owner: partner.owner === null ? null : `${partner.owner.name} <${partner.owner.email}>`,
    grade: describeGrade(partner),
    status: partner.suspension_reason === null ? partner.status : `${partner.status}: ${partner.suspension_reason}`,
    "API access": partner.api_access ? "yes" : "no",
    currency: partner.currency,
    parent: partner.parent_id,
    "house account": partner.house_account_id,
    created: partner.created_at,
    ...more,
  });

type Standing = {
  grade: string;
  next: { grade: string } | null;
  progress: { metric: string; value: number; required: number; currency?: string }[];
};

/** How far a partner is from the next grade, in a line. */
function describeProgress({ next, progress }: Standing): string {
  if (next === null) return "the highest grade";
  const parts = progress.map(({ metric, value, required, currency }) =>
    [metric.replaceAll("_", " "), `${value} of ${required}`, currency].filter(Boolean).join(" "),
  );
  return `${next.grade}: ${parts.join(", ")}`;
}

export const createPartner = command({
  name: "partners create",
  summary: "Create a partner",
  description: "Creates its house account and invites its owner.",
  options: {
    company: { type: "text", value: "NAME", required: true, description: "The company's name." },
    "owner-email": {
      type: "text",
      value: "EMAIL",
      required: true,
      description: "E-mail address of the owner, who is invited as the first user.",
    },
    "owner-name": { type: "text", value: "NAME", required: true, description: "Name of the owner." },
    grade: { type: "text", value: "GRADE", description: "The partner's grade, such as gold. Default: registered." },
    parent: { type: "text", value: "PARTNER", description: "The parent partner, by id or a unique part of its name." },
    currency: { type: "text", value: "CODE", description: "An ISO 4217 code such as usd. Default: the programme's currency." },
    "api-access": { type: "flag", description: "Grant access to the partner API, which is in private beta." },
    ...IDEMPOTENCY_OPTION,
  },
  examples: [
    {
      title: "Create a partner with API access",
      run: 'tributary partners create --company "Brightside Media" --owner-email ines@brightside.example --owner-name "Ines Moreau" --api-access',
    },
    {
      title: "Create a sub-partner, safe to retry",
      run: 'tributary partners create --company "Brightside Lisbon" --owner-email rui@brightside.example --owner-name "Rui Alves" --parent "brightside media" --currency eur --idempotency-key lisbon-1',
    },
  ],
  async run(call) {
    const { options, out } = call;
    const { PartnerCreate, registerPartner } = await import("../features/programme/partners/index.ts");
    const fields = {
      company: options.company,
      owner: { name: options["owner-name"], email: options["owner-email"] },
      grade: options.grade,
      currency: options.currency,
      api_access: options["api-access"],
    };
    const input = await checked("partners create", PartnerCreate, "body", fields);
    const services = await call.services();
    if (options.parent !== undefined) input.parent_id = await findPartner(services, options.parent);
    const made = await createOnce<Partner>(call, services, { operation: "partners.create", partner_id: OPERATOR_TENANT }, (ctx) =>
      registerPartner(ctx, input),
    );
    out.result(made, () => describePartner(made));
  },
});

export const listPartners = command({
  name: "partners list",
  summary: "List partners",
  options: {
    status: { type: "list", value: "STATUS", description: "Only partners with this status: active or suspended." },
    grade: { type: "list", value: "GRADE", description: "Only partners of these grades." },
    parent: { type: "text", value: "PARTNER", description: "Only direct sub-partners of this partner." },
    q: { type: "text", value: "TEXT", description: "Only partners whose name starts with this text, ignoring case." },
    ...LIST_OPTIONS,
  },
  examples: [
    { title: "List the newest partners", run: "tributary partners list" },
    { title: "List all gold partners as JSON", run: "tributary partners list --grade gold --all --json" },
  ],
  async run(call) {
    const { status, grade, parent, q, ...paging } = call.options;
    const { listPartners, PartnerListQuery } = await import("../features/programme/partners/index.ts");
    const filter = await checked("partners list", PartnerListQuery, "query", { status, grade, q, limit: paging.limit });
    const services = await call.services();
    if (parent !== undefined) filter.parent_id = await findPartner(services, parent);
    const ctx = actForOperator(services);
    await printList<Partner>(call, {
      noun: "partners",
      options: paging,
      columns: [
        { title: "id", of: ({ id }) => id, whole: true },
        { title: "company", of: ({ company }) => company },
        { title: "grade", of: ({ grade }) => grade },
        { title: "status", of: ({ status }) => status },
        { title: "api", of: ({ api_access }) => (api_access ? "yes" : "no"), spare: true },
        { title: "created", of: ({ created_at }) => shortTime(created_at), whole: true, spare: true },
      ],
      page: (query) => listPartners(ctx, { ...filter, ...query }),
    });
  },
});

export const showPartner = command({
  name: "partners show",
  summary: "Show a partner",
  args: { partner: { description: "The partner's id, or a unique part of its name.", optional: true } },
  examples: [
    { title: "Show a partner by a part of its name", run: "tributary partners show northwind" },
    { title: "Show a partner as JSON", run: "tributary partners show northwind --json" },
  ],
  async run({ args, out, services }) {
    const opened = await services();
    const { getPartner } = await import("../features/programme/partners/index.ts");
    const { getStanding } = await import("../features/money/standing/index.ts");
    const ctx = actForOperator(opened);
    const id = await findPartner(opened, args.partner);
    const partner: Partner = JSON.parse((await getPartner(ctx, id)).json);
    const tier: Standing = JSON.parse((await getStanding(ctx, id)).json);
    out.result({ ...partner, tier }, () => describePartner(partner, { "next grade": describeProgress(tier) }));
  },
});

export const grantAccess = command({
  name: "partners grant-access",
  summary: "Grant a partner access to the partner API",
  description:
    "The partner API is in private beta. Also closes the partner's open request for access. The general API needs no access.",
  args: { partner: { description: "The partner's id, or a unique part of its name.", optional: true } },
  examples: [{ title: "Grant access by a part of the name", run: "tributary partners grant-access lisbon" }],
  async run({ args, out, services }) {
    const opened = await services();
    const { updatePartner } = await import("../features/programme/partners/index.ts");
    const id = await findPartner(opened, args.partner);
    const { json } = await updatePartner(actForOperator(opened), id, { api_access: true });
    const partner: Partner = JSON.parse(json);
    out.result(partner, () => describePartner(partner));
  },
});
