import { actFor, createOnce, findClients, findPartner, IDEMPOTENCY_OPTION, PARTNER_OPTION } from "./acting.ts";
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
