import { actFor, findPartner, PARTNER_OPTION } from "./acting.ts";
import { command } from "./shell/command.ts";
import { CommandRefusal } from "./shell/errors.ts";
import { diffLines } from "./snapshot-diff.ts";
import { writeFolder, writeHeader } from "./snapshot-folder.ts";
import {
  CHANGELOG_OPTION,
  compareFolder,
  findSnapshot,
  manifestOf,
  pushFolder,
  refuseLosses,
  schemasOfSpecs,
} from "./snapshot-source.ts";

const FOLDER = { folder: { description: "The folder of the snapshot." } } as const;

export const pullSnapshot = command({
  name: "snapshots pull",
  summary: "Write a snapshot into a folder of YAML files",
  description:
    "The folder has snapshot.yaml and a file for each asset, such as pipeline/sales.yaml; texts of message templates stand beside as .txt. Files of assets that the snapshot does not have are removed. It suits version control: equal content is written as equal files.",
  args: { snapshot: { description: "The snapshot's id or name." }, ...FOLDER },
  options: {
    ...PARTNER_OPTION,
    version: { type: "integer", value: "N", description: "Another version than the latest." },
    force: { type: "flag", description: "Overwrite changes in the folder that were not pushed." },
  },
  examples: [
    { title: "Write a snapshot into a folder", run: 'tributary snapshots pull "Dental practice" dental --partner northwind' },
  ],
  async run({ args, options, out, services: open }) {
    const services = await open();
    const ctx = actFor(services, await findPartner(services, options.partner));
    const { id, name, description, latest_version } = await findSnapshot(ctx, args.snapshot);
    const version = options.version ?? latest_version;
    if (version === null)
      throw new CommandRefusal("no_version", `${name} has no version yet.`, "tributary snapshots push adds one.");
    const manifest = await manifestOf(ctx, id, version);
    if (!options.force) await refuseLosses(ctx, args.folder, id);
    const header = { id, name, description, format: manifest.format, version };
    const files = await writeFolder(args.folder, header, manifest, await schemasOfSpecs());
    out.result({ id, name, version, folder: args.folder, files }, () => [
      `Version ${version} of ${name} is in ${args.folder}: ${files.length} files.`,
    ]);
  },
});

export const diffSnapshot = command({
  name: "snapshots diff",
  summary: "Compare a folder with the latest version of its snapshot",
  description: "Shows what a push would change.",
  args: FOLDER,
  options: PARTNER_OPTION,
  examples: [{ title: "Show what a push would change", run: "tributary snapshots diff dental --partner northwind --json" }],
  async run({ args, options, out, services: open }) {
    const services = await open();
    const ctx = actFor(services, await findPartner(services, options.partner));
    const { header, latest, steps } = await compareFolder(ctx, args.folder);
    const version = latest?.latest_version ?? null;
    out.result({ id: header.id ?? null, name: header.name, folder_version: header.version ?? null, version, steps }, () =>
      diffLines(steps, out.paint),
    );
    if (steps.length === 0) out.note("There are no differences.");
    if (version !== null && version !== header.version)
      out.note(`The folder is at version ${header.version}, the latest is ${version}.`);
  },
});

export const pushSnapshot = command({
  name: "snapshots push",
  summary: "Add the content of a folder as a version of its snapshot",
  description:
    "A folder whose snapshot.yaml has no id becomes a new snapshot. If the content is that of the latest version, nothing changes. The new version is written into snapshot.yaml.",
  args: FOLDER,
  options: {
    ...PARTNER_OPTION,
    ...CHANGELOG_OPTION,
    force: { type: "flag", description: "Push although the folder was made from another version than the latest." },
  },
  examples: [
    {
      title: "Push a folder after a change",
      run: 'mkdir -p dental/tag && printf "name: VIP\\n" > dental/tag/vip.yaml && tributary snapshots push dental --partner northwind --changelog "A tag"',
    },
  ],
  async run({ args, options, out, services: open }) {
    const services = await open();
    const ctx = actFor(services, await findPartner(services, options.partner));
    const compared = await compareFolder(ctx, args.folder);
    const { header, latest, steps } = compared;
    const at = latest?.latest_version ?? undefined;
    if (at !== header.version && !options.force)
      throw new CommandRefusal(
        "version_mismatch",
        `The folder was made from version ${header.version}, the latest is ${at}.`,
        "tributary snapshots pull gets the latest version; --force pushes all the same.",
      );
    const { id, version } = await pushFolder(ctx, compared, options.changelog);
    const name = latest?.name ?? header.name;
    await writeHeader(args.folder, { ...header, id, name, version });
    out.result({ id, name, version, steps }, () => [
      ...diffLines(steps, out.paint),
      version === at ? `${name} is at version ${version}: nothing has changed.` : `${name} is at version ${version}.`,
    ]);
  },
});
