import { afterAll, describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import { killCommands, runCommand, runHere, startLine } from "../harness/command.ts";

/** Usage is refused before anything is opened: this address must not matter. */
const environment = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing", SECRET_KEY: "0123456789abcdef0123456789abcdef" };

afterAll(killCommands);

const WRONG: [line: string, says: string][] = [
  ["", "The command is missing"],
  ["serv", "Did you mean serve?"],
  ["zebra", "There is no command zebra."],
  ["keys", "tributary keys needs one of create, list, revoke."],
  ["keys lst", "Did you mean list?"],
  ["keys --partner x", "tributary keys needs one of create, list, revoke."],
  ["--partner x keys list", "The command comes first"],
  ["keys list --partnr x", "Did you mean --partner?"],
  ["keys list -x", "has no option -x"],
  ["keys list extra", 'does not take "extra"'],
  ["keys list --json=yes", "--json takes no value."],
  ["keys list --partner", "--partner needs a value"],
  ["keys list --partner --json", "--partner needs a value"],
  ["keys list --partner a --partner b", "--partner may be used only once"],
  ["keys list --limit many", "--limit must be a whole number"],
  ["keys create", "--name is required."],
  ["keys create --name x", "--scopes or --operator is required."],
  ["keys create --name x --scopes client:read", "Did you mean clients:read?"],
  ["keys create --name x --scopes all --expires-in soon", "--expires-in must be a duration such as 90d"],
  ["keys create --operator --name x --scopes all", "--scopes cannot be combined with --operator"],
  ["keys create --name x --scopes all --allowed-cidrs home", "--allowed-cidrs"],
  ["keys revoke", "KEY is required."],
  ["partners create --company x", "--owner-email and --owner-name are required."],
  ["partners create --company x --owner-email nobody --owner-name x", "--owner-email"],
  ["partners create --company x --owner-email a@b.example --owner-name x --grade Tin", "--grade must be"],
  ["partners list --status gone", "--status must be one of"],
  ["users invite --name x --email a@b.example --role king", "--role must be one of"],
  ["clients create --company x --mrr-cents=-1", "--mrr-cents"],
  ["clients create --company x --metadata blank", "--metadata must be NAME=VALUE"],
  ["clients create --company x --contact-email nobody", "--contact-email"],
  ["clients list --limit 1000", "--limit"],
  ["clients list --sort colour", "--sort must be one of"],
  ["clients suspend", "CLIENT is required."],
  ["events tail --type client.gone", "--type"],
  ["doctor now", 'does not take "now"'],
  ["serve --port 1", "has no option --port"],
];

const words = (line: string) => line.split(" ").filter((word) => word !== "");

describe("a command that is typed wrongly", () => {
  test.each(WRONG)("tributary %s: exit code 2, what is wrong and where it is shown", async (line, says) => {
    const { code, stdout, stderr } = await runHere(words(line), environment);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(says);
    expect(stderr).toMatch(/tributary [a-z ]*--help shows how/);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test("with --json the error is one object", async () => {
    const { code, stderr } = await runCommand(["keys", "lst", "--json"], environment);
    expect(code).toBe(2);
    expect(JSON.parse(stderr)).toEqual({
      error: { code: "usage", message: expect.stringContaining("Did you mean list?"), remedy: expect.any(String) },
    });
  });
});

describe("help", () => {
  test("names every command, and each exit code", async () => {
    for (const line of ["--help", "-h", "help"]) {
      const { code, stdout } = await runCommand([line], environment);
      expect(code).toBe(0);
      for (const { name, summary } of COMMANDS) expect(stdout.replaceAll(/\s+/g, " ")).toContain(`${name} ${summary}`);
      expect(stdout).toContain("0 done, 1 refused or failed, 2 wrong usage");
    }
  });

  test("of a command is the same asked for before or after its name", async () => {
    const { code, stdout } = await runCommand(["keys", "create", "--help"], environment);
    expect(code).toBe(0);
    expect(stdout).toContain("--expires-in TIME");
    expect((await runCommand(["help", "keys", "create"], environment)).stdout).toBe(stdout);
  });

  test("of a group shows its commands", async () => {
    const { code, stdout } = await runCommand(["keys", "--help"], environment);
    expect(code).toBe(0);
    for (const verb of ["create", "list", "revoke"]) expect(stdout).toContain(`keys ${verb}`);
  });

  test("as JSON is the table of commands", async () => {
    const { stdout } = await runCommand(["--help", "--json"], environment);
    expect(JSON.parse(stdout).commands.map(({ name }: { name: string }) => name)).toEqual(COMMANDS.map(({ name }) => name));
  });

  test("fits a narrow terminal", async () => {
    const { stdout } = await runCommand(["clients", "list", "--help"], { ...environment, COLUMNS: "60" });
    const [prose = ""] = stdout.split("Examples:");
    expect(Math.max(...prose.split("\n").map((line) => line.length))).toBeLessThanOrEqual(60);
  });
});

test("--version is the version of the package", async () => {
  const { default: manifest } = await import("../../package.json", { with: { type: "json" } });
  expect((await runCommand(["--version"], environment)).stdout).toBe(`${manifest.version}\n`);
});

test("openapi prints the committed document, whole also into a pipe, and needs no configuration", async () => {
  const { default: committed } = await import("../../openapi.json", { with: { type: "json" } });
  const { code, stdout } = await runCommand(["openapi"], { PORT: "wrong" });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual(committed);
});

test("a reader that has seen enough is no error", async () => {
  const { code, stdout, stderr } = await startLine("(tributary openapi; echo $? >&2) | head -n 1", environment, "/").ended;
  expect([code, stdout, stderr]).toEqual([0, "{\n", "0\n"]);
});

test("a wrong environment is refused with all its faults, and --json has them as a list", async () => {
  const wrong = { PORT: "x", LOG_LEVEL: "loud" };
  const plain = await runCommand(["keys", "list"], wrong);
  expect(plain.code).toBe(1);
  expect(plain.stderr).toMatch(/PORT is "x".*LOG_LEVEL is "loud"/s);
  const { error } = JSON.parse((await runCommand(["keys", "list", "--json"], wrong)).stderr);
  expect(error.faults).toHaveLength(2);
});
