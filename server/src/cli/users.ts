import { actFor, actForOperator, createOnce, findClients, findPartner, IDEMPOTENCY_OPTION, PARTNER_OPTION } from "./acting.ts";
import { checked } from "./checked.ts";
import { command } from "./shell/command.ts";
import { renderFields } from "./shell/table.ts";

type User = { id: string; name: string; email: string; role: string; accounts: "all" | string[]; state: string };

export const inviteUser = command({
  name: "users invite",
  summary: "Invite a user to a partner's team",
  options: {
    ...PARTNER_OPTION,
    name: { type: "text", value: "NAME", required: true, description: "The user's name." },
    email: { type: "text", value: "EMAIL", required: true, description: "The user's e-mail address." },
    role: { type: "text", value: "ROLE", default: "member", description: "owner, admin, member or read_only." },
    accounts: {
      type: "list",
      value: "all|CLIENT,…",
      description: "The clients that the user works on, by id or external id. Default: all.",
    },
    ...IDEMPOTENCY_OPTION,
  },
  examples: [
    {
      title: "Invite an administrator",
      run: 'tributary users invite --partner northwind --name "Sofia Reyes" --email sofia@northwind.example --role admin',
    },
  ],
  async run(call) {
    const { partner, name, email, role, accounts = ["all"] } = call.options;
    const { inviteUser, UserCreate } = await import("../features/programme/users/index.ts");
    const fields = { name, email, role, accounts: "all" };
    await checked("users invite", UserCreate, "body", fields);
    const services = await call.services();
    const partner_id = await findPartner(services, partner);
    const found = await findClients(actFor(services, partner_id), accounts);
    const input = await checked("users invite", UserCreate, "body", { ...fields, accounts: found });
    const user = await createOnce<User>(call, services, { operation: "users.create", partner_id }, (ctx) =>
      inviteUser(ctx, input),
    );
    call.out.result(user, () =>
      renderFields({
        id: user.id,
        name: user.name,
        email: user.email,
        role: user.role,
        accounts: Array.isArray(user.accounts) ? user.accounts.join(", ") : user.accounts,
        state: user.state,
      }),
    );
  },
});

const EMAIL_ARGUMENT = { email: { description: "The e-mail address of the user." } };

export const makeSignInLink = command({
  name: "users sign-in-link",
  summary: "Make a link that signs a user in",
  description:
    "For somebody who is locked out. The link is valid for 15 minutes and can be used once; the audit log has an entry. For a user who has not accepted the invitation yet, it is a new invitation.",
  args: EMAIL_ARGUMENT,
  examples: [{ title: "Sign in as the demo owner", run: "tributary users sign-in-link nora@northwind.example" }],
  async run(call) {
    const { makeSignInLink } = await import("../features/programme/users/index.ts");
    const { url, expires_at, user_id } = await makeSignInLink(actForOperator(await call.services()), call.args.email);
    call.out.result({ url, expires_at, user_id }, () => [url]);
    call.out.note(`Valid until ${expires_at.toISOString()}, once.`);
  },
});

export const resetTotp = command({
  name: "users reset-totp",
  summary: "Remove the authenticator app of a user",
  description: "For somebody who lost the phone and the recovery codes. The password stays; the audit log has an entry.",
  args: EMAIL_ARGUMENT,
  examples: [{ title: "Remove the app of the demo owner", run: "tributary users reset-totp nora@northwind.example" }],
  async run(call) {
    const { resetTotp } = await import("../features/programme/sessions/index.ts");
    const removed = await resetTotp(actForOperator(await call.services()), call.args.email);
    const text = removed ? "The password alone signs in now." : "The user has no authenticator app: nothing was changed.";
    call.out.result({ removed }, () => [text]);
  },
});
