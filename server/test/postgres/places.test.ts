import { execFileSync } from "node:child_process";
import { chmod, cp, lstat, readFile, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { sized } from "../harness/size.ts";
import { makeCluster } from "../harness/templates.ts";
import { copyPackage, readLinks } from "./packages.ts";
import { cleanUp, makeFolder, NOBODY, ORDINARY, ORDINARY_CAN_RUN, query, ROOT, startMember, untilStopped } from "./processes.ts";

const copies: string[] = [];

afterEach(async () => {
  await cleanUp();
  for (const copy of copies.splice(0)) await rm(copy, { recursive: true, force: true });
});

// Only where it is empty: it may hold the database of a real DATA_DIR.
afterAll(() => rmdir("/var/lib/tributary").catch(() => undefined));

/** Like /root: only root gets in. */
async function makeClosedFolder(): Promise<string> {
  const folder = await makeFolder();
  await chmod(folder, 0o700);
  return folder;
}

describe.runIf(ROOT)("as root", () => {
  test("PostgreSQL runs as an unprivileged user that owns the data", async () => {
    const member = startMember({ dataDir: await makeFolder() });
    const { location } = await member.joined();
    const pid = Number.parseInt(await readFile(join(location.data, "postmaster.pid"), "utf8"), 10);
    const owner = (await stat(location.data)).uid;
    expect(owner).not.toBe(0);
    expect((await stat(`/proc/${pid}`)).uid).toBe(owner);
    expect(location.relocated).toBe(false);
    await member.leave();
  });

  test("a DATA_DIR that user cannot enter: the data goes elsewhere, and is found there next time", async () => {
    const dataDir = join(await makeClosedFolder(), "data");
    const first = startMember({ dataDir });
    const { connection, location } = await first.joined();
    expect(location.relocated).toBe(true);
    expect(location.data).toMatch(/^\/var\/lib\/tributary\/data-[0-9a-f]{10}\/postgres$/);
    expect((await readFile(join(dataDir, "postgres.location"), "utf8")).split("\n")[0]).toBe(dirname(location.data));
    expect((await lstat("/var/lib/tributary")).mode & 0o777).toBe(0o755);
    expect((await lstat(location.data)).mode & 0o777).toBe(0o700);
    await query(connection, "create table note (text text); insert into note values ('kept')");
    await first.leave();
    await untilStopped(location.data);

    const second = startMember({ dataDir });
    const again = await second.joined();
    expect([again.started, again.location]).toEqual(["started", location]);
    expect(await query(again.connection, "select text from note")).toEqual([{ text: "kept" }]);
    await second.leave();
  });

  test("a strict umask of root's makes no difference", async () => {
    const member = startMember({ dataDir: join(await makeFolder(), "data"), umask: 0o077 });
    expect((await member.joined()).location.relocated).toBe(true);
    await member.leave();
  });

  test("several processes at once on such a folder agree on one place", async () => {
    const dataDir = join(await makeClosedFolder(), "data");
    const several = Array.from({ length: sized(3, 5) }, () => startMember({ dataDir }));
    const joined = await Promise.all(several.map((member) => member.joined()));
    expect(new Set(joined.map(({ location }) => location.data)).size).toBe(1);
    await Promise.all(several.map((member) => member.leave()));
  });

  test("a relocated database follows its folder when moved, and is refused to a copy of it", async () => {
    const folder = await makeClosedFolder();
    const first = startMember({ dataDir: join(folder, "data") });
    const { location } = await first.joined();
    await first.leave();

    await cp(join(folder, "data"), join(folder, "copy"), { recursive: true });
    const { message } = await startMember({ dataDir: join(folder, "copy") }).refused();
    expect(message).toContain(`${join(folder, "copy")} is a copy of ${join(folder, "data")}`);

    await rm(join(folder, "copy"), { recursive: true });
    await rename(join(folder, "data"), join(folder, "moved"));
    const moved = startMember({ dataDir: join(folder, "moved") });
    expect((await moved.joined()).location).toEqual(location);
    await moved.leave();
  });

  test("a folder made afresh at the same path does not find the old one's data", async () => {
    const dataDir = join(await makeClosedFolder(), "data");
    const first = startMember({ dataDir });
    await first.joined();
    await first.leave();
    await rm(dataDir, { recursive: true });
    const second = startMember({ dataDir });
    expect((await second.joined()).started).toBe("initialised");
    await second.leave();
  });

  test("a relocated database that is gone is not silently replaced by an empty one", async () => {
    const dataDir = join(await makeClosedFolder(), "data");
    const first = startMember({ dataDir });
    const { location } = await first.joined();
    await first.leave();
    await rm(dirname(location.data), { recursive: true });
    const { message, remedy } = await startMember({ dataDir }).refused();
    expect(message).toContain(`says that the database is in ${dirname(location.data)}, but it is not there`);
    expect(remedy).toContain("delete postgres.location");
  });

  test("a database that its user can no longer reach is not silently replaced by an empty one", async () => {
    const folder = await makeFolder();
    const first = startMember({ dataDir: join(folder, "data") });
    await first.joined();
    await first.leave();
    await chmod(folder, 0o700);
    const { message, remedy } = await startMember({ dataDir: join(folder, "data") }).refused();
    expect(message).toContain(`can no longer enter ${folder}`);
    expect(remedy).toContain(`chmod o+x ${folder}`);
  });

  test("binaries that user cannot reach are copied, once", async () => {
    const version = `18.4.0-test-${process.pid}`;
    const binaries = await copyPackage(join(await makeClosedFolder(), "package"), version);
    const copy = `/var/lib/tributary/postgresql-${version}-${process.arch}`;
    copies.push(copy);
    const dataDir = await makeCluster();
    const member = startMember({ dataDir, binaries });
    expect((await member.joined()).location).toMatchObject({ binaries: copy, relocated: false });
    await member.leave();
    const made = (await stat(copy)).ctimeMs;
    const again = startMember({ dataDir, binaries });
    await again.joined();
    expect((await stat(copy)).ctimeMs).toBe(made);
    await again.leave();
  });

  test.runIf(ORDINARY_CAN_RUN)("takes over the database of an ordinary user, and gives it back", async () => {
    const folder = await makeFolder(NOBODY);
    for (const as of [NOBODY, {}, NOBODY]) {
      const member = startMember({ dataDir: folder }, { as });
      await member.joined();
      expect((await stat(join(folder, "postgres"))).uid).toBe(NOBODY.uid);
      await member.leave();
    }
  });

  test.runIf(ORDINARY_CAN_RUN)("an ordinary user is refused root's database, and told whose it is", async () => {
    const folder = await makeFolder(NOBODY);
    const root = startMember({ dataDir: folder });
    await root.joined();
    await root.leave();
    const owner = (await stat(join(folder, "postgres"))).uid;
    const { message } = await startMember({ dataDir: folder }, { as: NOBODY }).refused();
    expect(message).toContain(`belongs to uid ${owner}, not uid ${NOBODY.uid}`);
  });
});

describe.runIf(ORDINARY_CAN_RUN)("as an ordinary user", () => {
  test("it runs as that user, in DATA_DIR", async () => {
    const as = ROOT ? NOBODY : {};
    const dataDir = await makeFolder(as);
    const member = startMember({ dataDir }, { as });
    const { location, connection } = await member.joined();
    expect(location).toMatchObject({ data: join(dataDir, "postgres"), relocated: false });
    expect((await stat(location.data)).uid).toBe(ROOT ? NOBODY.uid : process.getuid?.());
    expect(await query(connection, "select 1 as one")).toEqual([{ one: 1 }]);
    await member.leave();
    await untilStopped(location.data);
  });
});

describe.runIf(ORDINARY_CAN_RUN)("a package whose install script did not run", () => {
  test.each([
    ["gets its missing library links", 0o755],
    ["is copied where its folder is read-only", 0o555],
  ])("%s", async (_name, mode) => {
    const folder = await makeFolder(ORDINARY);
    const unlinked = await copyPackage(join(folder, "package"));
    const lib = join(unlinked, "native/lib");
    for (const { target } of await readLinks(unlinked)) await rm(join(unlinked, target));
    if (ROOT) execFileSync("chown", ["-R", `${NOBODY.uid}:${NOBODY.gid}`, unlinked]);
    await chmod(lib, mode);
    const dataDir = join(folder, "data");
    const member = startMember({ dataDir, binaries: unlinked }, { as: ORDINARY });
    const { location } = await member.joined();
    const inside = mode === 0o755 ? unlinked : dataDir;
    expect(location.binaries.startsWith(inside)).toBe(true);
    await member.leave();
    await chmod(lib, 0o755);
  });
});

describe("a DATA_DIR", () => {
  test.each([
    ["a very long path", "long/".repeat(30)],
    ["a path with blanks, commas, quotes and accents", `a folder, "quoted", d'été`],
  ])("works under %s", async (_name, path) => {
    const dataDir = join(await makeFolder(), path);
    const member = startMember({ dataDir });
    const { connection } = await member.joined();
    const second = startMember({ dataDir });
    expect((await second.joined()).connection).toEqual(connection);
    expect(await query(connection, "select 1 as one")).toEqual([{ one: 1 }]);
    await member.leave();
    await second.leave();
  });
});
