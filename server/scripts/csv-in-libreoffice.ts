// Takes an export through LibreOffice and back and compares every cell. It needs a running service and `soffice`:
//   API_KEY=trb_… node server/scripts/csv-in-libreoffice.ts http://127.0.0.1:8080
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { parse } from "csv-parse/sync";
import { unguard } from "../src/platform/http/csv.ts";

const run = promisify(execFile);
const [base_url = "http://127.0.0.1:8080"] = process.argv.slice(2);
const headers = { authorization: `Bearer ${process.env.API_KEY}`, "content-type": "application/json" };

/** Cells that spreadsheets are known to spoil. None has a tab: LibreOffice drops tabs from the text of a cell. */
const CELLS = [
  "plain",
  'a "quoted" word',
  "two\nlines",
  "comma, semicolon;",
  "=1+1",
  '=HYPERLINK("http://evil.example","click")',
  "@SUM(1)",
  "+cmd",
  "-2+3",
  "🌊 Ärger, naïve, 日本語, עברית",
  " spaces around ",
  "'apostrophe",
  "00123",
  "1e5",
  "2026-11-02",
  "TRUE",
];

async function ask(method: string, path: string, body?: object): Promise<Response> {
  const reply = await fetch(`${base_url}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!reply.ok) throw new Error(`${method} ${path} answered ${await reply.text()}`);
  return reply;
}

/** Converts a file with every column of the CSV taken as text, as people are told to import phones and ids. */
async function convert(folder: string, file: string, format: "ods" | "csv", columns: number): Promise<void> {
  const asText = Array.from({ length: columns }, (_, index) => `${index + 1}/2`).join("/");
  const options = `44,34,76,1,${asText},0,false,true,false`;
  const filter =
    format === "ods"
      ? [`--infilter=CSV:${options}`, "--convert-to", "ods"]
      : ["--convert-to", `csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false`];
  await run("soffice", [
    "--headless",
    `-env:UserInstallation=file://${folder}/profile`,
    ...filter,
    "--outdir",
    folder,
    join(folder, file),
  ]);
}

const { id: account_id } = (await (await ask("POST", "/v1/partners/clients", { company: "Cells" })).json()) as { id: string };
const contacts = CELLS.map((cell, index) => ({
  account_id,
  name: cell.trim().replaceAll("\n", " "),
  phone: `+1415556${1000 + index}`,
  notes: cell,
}));
await ask("POST", "/v1/contacts/bulk", { action: "create", contacts });
const exported = await (await ask("GET", `/v1/contacts?account_id=${account_id}&sort=created_at&format=csv`)).text();

const folder = await mkdtemp(join(tmpdir(), "csv-in-libreoffice-"));
try {
  await writeFile(join(folder, "contacts.csv"), exported);
  const sent: string[][] = parse(exported);
  await convert(folder, "contacts.csv", "ods", sent[0]?.length ?? 0);
  await rm(join(folder, "contacts.csv"));
  await convert(folder, "contacts.ods", "csv", 0);
  const back: string[][] = parse(await readFile(join(folder, "contacts.csv")), { bom: true });
  const notes = sent[0]?.indexOf("notes") ?? -1;
  const differing = sent.flatMap((row, line) =>
    row.flatMap((cell, column) => (back[line]?.[column] === cell ? [] : [{ line, column, cell, back: back[line]?.[column] }])),
  );
  const lost = CELLS.filter((cell, index) => unguard(back[index + 1]?.[notes] ?? "") !== cell);
  process.stdout.write(
    `${sent.length} rows, ${sent.length * (sent[0]?.length ?? 0)} cells; ${differing.length} differ; ${lost.length} of ${CELLS.length} notes are not what was sent\n`,
  );
  for (const one of differing) process.stdout.write(`${JSON.stringify(one)}\n`);
  process.exitCode = differing.length + lost.length === 0 ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
