import { expect, test } from "vitest";
import { expectAccessible, inBrowser } from "../support.ts";

inBrowser("imports", (portal) => {
  const CSV = [
    "Full name,Mobile,E-mail,Shoe",
    "Ida Fern,+1 415 555 2601,ida@import.example,41",
    "Olof Birk,12,olof@import.example,42",
    ",+14155552603,nobody@import.example,43",
    "Petra Elm,+14155552604,petra@import.example,44",
  ].join("\n");
  const file = (name: string, text: string) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
  const harbour = async () => (await portal.call("GET", "/v1/partners/clients?q=harbour")).body.data[0].id as string;
  const found = async (account: string, q: string) =>
    (await portal.call("GET", `/v1/contacts?account_id=${account}&q=${encodeURIComponent(q)}`)).body.data.length as number;

  test("a file with faults is checked first, imported, explained row by row, and taken back", async () => {
    const account = await harbour();
    const page = await portal.open(`/crm/${account}/imports/new`);
    await page.setInputFiles("input[type=file]", file("people.csv", CSV));
    const columns = page.getByRole("table", { name: "Columns" });
    await columns.getByText("Ida Fern · Olof Birk · Petra Elm").waitFor();
    expect(await columns.getByRole("combobox", { name: "Field of Mobile" }).inputValue()).toBe("phone");
    expect(await columns.getByRole("combobox", { name: "Field of Shoe" }).inputValue()).toBe("");

    await page.getByRole("button", { name: "Check the file" }).click();
    await page.getByRole("button", { name: "Import 2 rows" }).waitFor();
    await page.getByRole("row", { name: /^3 Mobile 12/ }).waitFor();
    await page.getByRole("row", { name: /^4 Full name/ }).waitFor();
    expect(await found(account, "ida@import.example")).toBe(0);
    await expectAccessible(page);

    await page.getByRole("button", { name: "Import 2 rows" }).click();
    await page.waitForURL(/imports\/imp_/);
    await page.getByText("2 of 4 rows imported, 2 failed").waitFor();
    expect(await found(account, "ida@import.example")).toBe(1);
    const downloading = page.waitForEvent("download");
    await page.getByRole("link", { name: "Failed rows as a file" }).click();
    const stream = await (await downloading).createReadStream();
    const text = (await stream.toArray()).join("");
    expect(text).toContain("Olof Birk,12,olof@import.example,42,");
    expect(text).not.toContain("Ida Fern");

    await page.getByRole("button", { name: "Take it back…" }).click();
    const dialog = page.getByRole("dialog", { name: "Take this import back?" });
    await dialog.getByText("2 contacts that it created are deleted").waitFor();
    await dialog.getByRole("button", { name: "Take it back" }).click();
    await page.getByText("2 removed, 0 restored").waitFor();
    expect(await found(account, "ida@import.example")).toBe(0);
  });

  test("a required column that is missing is said before anything is sent, and another one can be chosen for it", async () => {
    const page = await portal.open(`/crm/${await harbour()}/imports/new`);
    await page.setInputFiles("input[type=file]", file("other.csv", "Wer;Nummer\nUlla Tann;+14155552611\n"));
    await page.getByText("No column for name or first name or last name").waitFor();
    await page.getByText("No column for phone").waitFor();
    expect(await page.getByRole("button", { name: "Check the file" }).isDisabled()).toBe(true);
    for (const [column, field] of [
      ["Wer", "name"],
      ["Nummer", "phone"],
    ]) {
      await page.getByRole("combobox", { name: `Field of ${column}` }).click();
      await page.getByRole("option", { name: field as string, exact: true }).click();
    }
    await page.getByRole("button", { name: "Check the file" }).click();
    await page.getByRole("button", { name: "Import 1 row" }).waitFor();
    await page.reload();
    await page.getByText("Choose the file again", { exact: true }).waitFor();
    await page.getByText("Would be created").waitFor();
  });

  test("a running import shows its progress in every tab, and goes on when they are closed", async () => {
    const account = await harbour();
    const rows = Array.from({ length: 1_500 }, (_, index) => `Row ${index},+1212555${String(index).padStart(4, "0")}`);
    const page = await portal.open(`/crm/${account}/imports/new`);
    await page.setInputFiles("input[type=file]", file("many.csv", ["name,phone", ...rows].join("\n")));
    await page.getByRole("button", { name: "Check the file" }).click();
    await page.getByRole("button", { name: "Import 1,500 rows" }).click();
    await page.waitForURL(/imports\/imp_/);
    const address = new URL(page.url()).pathname.replace("/portal", "");
    await page.close();
    const again = await portal.open(address);
    await again.getByText("1,500 of 1,500 rows imported").waitFor();
  });
});
