import { actFor, findClient, findPartner, PARTNER_OPTION } from "./acting.ts";
import { checked } from "./checked.ts";
import { LIST_OPTIONS, printList, shortTime } from "./listing.ts";
import { command } from "./shell/command.ts";
import { renderFields } from "./shell/table.ts";
import { CHANGELOG_OPTION, type Snapshot } from "./snapshot-source.ts";

export const listSnapshots = command({
  name: "snapshots list",
  summary: "List the snapshots of a partner",
  options: {
    ...PARTNER_OPTION,
    status: { type: "list", value: "STATUS", description: "Only snapshots that are draft, published, deprecated or archived." },
    origin: { type: "text", value: "ORIGIN", choices: ["own", "bought"], description: "Only the partner's own, or bought ones." },
    q: { type: "text", value: "TEXT", description: "Only snapshots with this text in their name." },
    ...LIST_OPTIONS,
  },
  examples: [{ title: "List the snapshots of a partner", run: "tributary snapshots list --partner northwind --json" }],
  async run(call) {
    const { options } = call;
    const { listSnapshots, SnapshotListQuery } = await import("../features/snapshots/catalogue/index.ts");
    const services = await call.services();
    const ctx = actFor(services, await findPartner(services, options.partner));
    const { status, origin, q, limit } = options;
    const filter = await checked("snapshots list", SnapshotListQuery, "query", { status, origin, q, limit });
    await printList<Snapshot>(call, {
      noun: "snapshots",
      options,
      columns: [
        { title: "id", of: ({ id }) => id, whole: true },
        { title: "name", of: ({ name }) => name },
        { title: "version", of: ({ latest_version }) => latest_version, right: true },
        { title: "status", of: ({ status }) => status },
        { title: "origin", of: ({ origin }) => origin, spare: true },
        { title: "changed", of: ({ updated_at }) => shortTime(updated_at), whole: true },
      ],
      page: (query) => listSnapshots(ctx, { ...filter, ...query }),
    });
  },
});

export const captureSnapshot = command({
  name: "snapshots capture",
  summary: "Capture the configuration of a client as a snapshot",
  description: "Creates a snapshot, or adds a version to the one that has this name.",
  args: { client: { description: "The client's id or external id." } },
  options: {
    ...PARTNER_OPTION,
    name: { type: "text", value: "NAME", required: true, description: "The name of the snapshot." },
    ...CHANGELOG_OPTION,
  },
  examples: [
    { title: "Capture a client", run: 'tributary snapshots capture acme-1 --partner northwind --name "Dental practice"' },
  ],
  async run({ args, options, out, services: open }) {
    const { createSnapshot, createVersion, snapshotNamedOrNull } = await import("../features/snapshots/catalogue/index.ts");
    const services = await open();
    const ctx = actFor(services, await findPartner(services, options.partner));
    const source_client_id = await findClient(ctx, args.client);
    const { name, changelog } = options;
    const content = { source_client_id, ...(changelog === undefined ? {} : { changelog }) };
    const existing = await snapshotNamedOrNull(ctx.db, ctx.scope, name);
    const made: { id?: string; version: number; json: string } =
      existing === null ? await createSnapshot(ctx, { name, ...content }) : await createVersion(ctx, existing, content);
    const id = existing ?? made.id;
    const { left_out }: { left_out: string[] } = JSON.parse(made.json);
    const shown = { id, name, version: existing === null ? 1 : made.version };
    out.result({ ...shown, left_out }, () => renderFields(shown));
    for (const sentence of left_out) out.note(`Left out: ${sentence}`);
  },
});
