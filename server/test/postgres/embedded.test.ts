import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { makeCluster } from "../harness/templates.ts";
import { cleanUp, eventually, makeFolder, postgresProcesses, query, startMember, untilStopped } from "./processes.ts";

afterEach(cleanUp);

describe("the embedded database", () => {
  test.each([{}, { LC_ALL: "POSIX" }, { LANG: "de_DE.ISO-8859-1", LC_ALL: "de_DE.ISO-8859-1" }])(
    "is UTF-8 whatever the environment says: %o",
    async (environment) => {
      const member = startMember({ dataDir: await makeFolder() }, { environment });
      const { connection, started } = await member.joined();
      expect(started).toBe("initialised");
      const [row] = await query(
        connection,
        `select current_setting('server_encoding') as encoding, datlocprovider as provider, datlocale as locale,
                lower('ÄÖÉ') as lower, 'é' > 'z' as by_code_point, current_setting('TimeZone') as zone
           from pg_database where datname = current_database()`,
      );
      expect(row).toEqual({ encoding: "UTF8", provider: "b", locale: "C.UTF-8", lower: "äöé", by_code_point: true, zone: "UTC" });
      await member.leave();
    },
  );

  test("a second process joins it, and the last one out stops it, so that the next start is clean", async () => {
    const dataDir = await makeCluster();
    const first = startMember({ dataDir });
    const { connection, location } = await first.joined();
    const second = startMember({ dataDir });
    expect((await second.joined()).started).toBe("adopted");

    await first.leave();
    expect(await query(connection, "select 1 as one")).toEqual([{ one: 1 }]);
    await second.leave();
    await untilStopped(location.data);

    const third = startMember({ dataDir });
    expect((await third.joined()).started).toBe("started");
    await third.leave();
    await untilStopped(location.data);
  });

  test("five processes at once on a fresh folder make one cluster, and all are connected", async () => {
    const dataDir = await makeFolder();
    const five = Array.from({ length: 5 }, () => startMember({ dataDir }));
    const joined = await Promise.all(five.map((member) => member.joined()));
    expect(joined.filter(({ started }) => started === "initialised")).toHaveLength(1);

    const systems = await Promise.all(
      joined.map(({ connection }) => query(connection, "select system_identifier::text as id from pg_control_system()")),
    );
    expect(new Set(systems.map(([row]) => row?.id)).size).toBe(1);
    expect((await readdir(dataDir)).sort()).toEqual(["postgres", "postgres.log", "postgres.socket"]);

    await Promise.all(five.map((member) => member.leave()));
    await untilStopped(join(dataDir, "postgres"));
  });

  test("processes that come and go all the time never find it broken", async () => {
    const dataDir = await makeCluster();
    const comeAndGo = async () => {
      for (let round = 0; round < 4; round++) {
        const member = startMember({ dataDir });
        const { connection } = await member.joined();
        expect(await query(connection, "select 1 as one")).toEqual([{ one: 1 }]);
        await member.leave();
      }
    };
    await Promise.all([comeAndGo(), comeAndGo(), comeAndGo()]);
    await untilStopped(join(dataDir, "postgres"));
  });

  test("Ctrl-C in the terminal of a member does not stop the server under it", async () => {
    const member = startMember({ dataDir: await makeCluster() });
    const { connection, location } = await member.joined();
    const before = postgresProcesses(location.data);
    process.kill(-(member.child.pid ?? Number.NaN), "SIGINT");
    await eventually("the interrupt", () => member.events.find((event) => event.kind === "interrupted") ?? null);
    expect(await query(connection, "select 1 as one")).toEqual([{ one: 1 }]);
    expect(postgresProcesses(location.data)).toEqual(expect.arrayContaining(before));
    await member.leave();
  });

  test("listens on no port, and only its own user can enter the socket's folder", async () => {
    const member = startMember({ dataDir: await makeCluster(), settings: { listen_addresses: "127.0.0.1" } });
    const { connection, location } = await member.joined();
    const [row] = await query(connection, "select current_setting('listen_addresses') as addresses");
    expect(row).toEqual({ addresses: "" });
    const [socket, data] = [await stat(location.socket), await stat(location.data)];
    expect([socket.mode & 0o777, socket.uid]).toEqual([0o700, data.uid]);
    await member.leave();
  });

  test("the owner may create in the public schema and clone databases, the service may not", async () => {
    const member = startMember({ dataDir: await makeCluster() });
    const owner = (await member.joined()).connection;
    const service = { ...owner, user: "tributary_service" };
    await query(owner, "create table public.note (id int); alter schema public rename to p; alter schema p rename to public");
    await query({ ...owner, database: "postgres" }, "create database clone template tributary");
    await query({ ...owner, database: "clone" }, "insert into public.note values (1); create table public.other (id int)");
    await expect(query(service, "create table public.mine (id int)")).rejects.toThrow(/permission denied for schema public/);
    await expect(query(service, "select from public.note")).rejects.toThrow(/permission denied for table note/);
    await expect(query(service, "create database mine")).rejects.toThrow(/permission denied/);
    await member.leave();
  });
});
