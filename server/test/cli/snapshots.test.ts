import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { runHere, runHereForJson } from "../harness/command.ts";
import { auditEntries, useInstallation } from "../harness/installation.ts";
import { makeFolder } from "../postgres/processes.ts";

const installation = useInstallation();
const run = (...args: string[]) => runHere(["snapshots", ...args], installation.environment);
const json = (...args: string[]) => runHereForJson(["snapshots", ...args], installation.environment);

async function refusal(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, "--json");
  expect([code, stdout]).toEqual([1, ""]);
  return JSON.parse(stderr).error;
}

let folder: string;

/** The files of a folder, with their texts. */
async function texts(path: string): Promise<Record<string, string>> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(files.sort().map(async (file) => [file.slice(path.length + 1), await readFile(file, "utf8")])),
  );
}

async function write(path: string, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(path, name, ".."), { recursive: true });
    await writeFile(join(path, name), text);
  }
}

const WELCOME = "Hello {{contact.name}},\n\nnice to meet you.";

beforeAll(async () => {
  folder = join(await makeFolder(), "practice");
  await write(folder, {
    "snapshot.yaml": "name: Practice\nformat: 1\n",
    "README.md": "# Ours\n",
    "tag/vip.yaml": "name: VIP\n",
    "tag/recall.json": '{"name": "Recall", "description": "Twice a year"}',
    "message_template/welcome.yaml": "channel: sms\nname: Welcome\n",
    "message_template/welcome.txt": `${WELCOME}\n`,
  });
});

describe("a folder", () => {
  test("without an id becomes a snapshot, and knows it from then on", async () => {
    const pushed = await json("push", folder, "--changelog", "First");
    expect(pushed).toMatchObject({ id: expect.stringMatching(/^snap_/), name: "Practice", version: 1 });
    expect(await readFile(join(folder, "snapshot.yaml"), "utf8")).toBe(
      `id: ${pushed.id}\nname: Practice\nformat: 1\nversion: 1\n`,
    );
    expect((await auditEntries(installation.db, installation.partner_id)).at(-1)).toMatchObject({
      action: "snapshots.create",
      target: pushed.id,
      actor: { id: "system" },
    });
    expect((await run("list")).stdout).toMatch(/^ID +NAME +VERSION +STATUS.*\nsnap_\w+ +Practice +1 +published/);
  });

  test("is written as readable files, equal ones for equal content, and nothing else in it is touched", async () => {
    const copy = join(await makeFolder(), "copy");
    await json("pull", "practice", copy);
    const written = await texts(copy);
    expect(Object.keys(written)).toEqual([
      "message_template/welcome.txt",
      "message_template/welcome.yaml",
      "snapshot.yaml",
      "tag/recall.yaml",
      "tag/vip.yaml",
    ]);
    expect(written["message_template/welcome.yaml"]).toBe(
      "name: Welcome\nchannel: sms\nsubject: null\nprovider_template: null\n",
    );
    expect(written["message_template/welcome.txt"]).toBe(`${WELCOME}\n`);
    expect(written["tag/recall.yaml"]).toBe("name: Recall\ndescription: Twice a year\n");
    const [pushed] = await Promise.all([json("push", copy), json("pull", "Practice", folder)]);
    expect(pushed).toMatchObject({ version: 1, steps: [] });
    expect(await texts(copy)).toEqual(written);
    expect(await texts(folder)).toEqual({ ...written, "README.md": "# Ours\n" });
  });

  test("is compared with the latest version, and pushed as the next one", async () => {
    await write(folder, {
      "message_template/welcome.txt": "Hello\r\nyou\r\n",
      "tag/new.yaml": "name: New\n",
    });
    await rm(join(folder, "tag/vip.yaml"));
    const [{ stdout }, refused] = await Promise.all([run("diff", folder), refusal("pull", "Practice", folder)]);
    expect(refused).toMatchObject({ code: "folder_in_use" });
    expect(stdout).toMatch(/^- tag\/vip$/m);
    expect(stdout).toMatch(/^\+ tag\/new$/m);
    expect(stdout).toMatch(/^~ message_template\/welcome\n {4}\/?text\n {6}- "Hello .*\n {6}\+ "Hello\\nyou"$/m);
    expect((await json("push", folder)).version).toBe(2);
    expect((await run("diff", folder)).stdout).toBe("");
    expect((await json("pull", "Practice", folder, "--version", "1")).version).toBe(1);
  });

  test("of an earlier version is not pushed, unless it is forced", async () => {
    await write(folder, { "tag/late.yaml": "name: Late\n" });
    const refused = await refusal("push", folder);
    expect([refused.code, refused.message]).toEqual(["version_mismatch", "The folder was made from version 1, the latest is 2."]);
    expect((await json("push", folder, "--force")).version).toBe(3);
  });

  test("with faults is refused whole, with the file of each", async () => {
    const [wrong, broken] = [join(await makeFolder(), "wrong"), join(await makeFolder(), "broken")];
    const snapshot = { "snapshot.yaml": "name: Wrong\nformat: 1\n" };
    await write(wrong, { ...snapshot, "tag/a.yaml": "name: 3\n", "robots/r.yaml": "name: R\n" });
    await write(broken, { ...snapshot, "tag/a.yaml": "name: [\n" });
    const [faulty, invalid, missing] = await Promise.all([
      refusal("push", wrong),
      refusal("push", broken),
      refusal("diff", join(wrong, "nowhere")),
    ]);
    expect(faulty.errors.map(({ detail }: { detail: string }) => detail)).toEqual([
      expect.stringMatching(/^robots\/r\.yaml/),
      expect.stringMatching(/^tag\/a\.yaml\/name: /),
    ]);
    expect(invalid).toMatchObject({
      code: "invalid_folder",
      message: expect.stringMatching(/tag\/a\.yaml is not valid YAML: .* line 1|line 2/),
    });
    expect(missing).toMatchObject({ code: "invalid_folder" });
    expect(await installation.db.sql("select s.id from snapshots s where s.name = 'Wrong'")).toEqual([]);
  });
});
