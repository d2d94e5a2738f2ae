import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { claimsOf, domainOf, inLockOrder, nameOf, searchWords, subtractClaims } from "./model.ts";

describe("a company's domain", () => {
  test.each([
    ["harbour.example", "harbour.example"],
    [" WWW.Harbour.Example. ", "harbour.example"],
    ["https://www.harbour.example:8443/about?x=1#y", "harbour.example"],
    ["http://user:secret@shop.harbour.example/", "harbour.example"],
    ["ada@mail.harbour.co.uk", "harbour.co.uk"],
    ["harbour.github.io/shop", "harbour.github.io"],
    ["harbour.example/contact", "harbour.example"],
    ["Ada.Okafor@Harbour.example", "harbour.example"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["XN--BCHER-KVA.example", "xn--bcher-kva.example"],
    ["www2.harbour.example", "harbour.example"],
    ["www.io", "www.io"],
  ])("of %s is %s", (text, domain) => expect(domainOf(text)).toBe(domain));

  test.each([
    "",
    "harbour",
    "localhost",
    "127.0.0.1",
    "[::1]",
    "http://",
    "a b.example",
    "gmail.com",
    "ada@GMAIL.com",
    "https://www.outlook.com/x",
    "mailto:",
    `${"a".repeat(300)}.example`,
    ..."hotmail.es hotmail.co.th yahoo.com.br yahoo.com.ar outlook.es gmx.fr mail.de fastmail.com tuta.com posteo.de uol.com.br".split(
      " ",
    ),
    "ada@mail.yahoo.co.uk",
    ..."com co.uk github.io blogspot.com s3.amazonaws.com".split(" "),
  ])("is none of %s", (text) => expect(domainOf(text)).toBeNull());
});

describe("a company's name", () => {
  test.each([
    ["Harbour Dental GmbH", "harbour dental"],
    ["HARBOUR  DENTAL, Inc.", "harbour dental"],
    ["harbour-dental Ltd", "harbour dental"],
    ["Harbour Dental GmbH & Co. KG", "harbour dental"],
    ["Harbour Dental UG (haftungsbeschränkt)", "harbour dental"],
    ["Harbour Dental S.A.", "harbour dental"],
    ["Harbour Dental Sp. z o.o.", "harbour dental"],
    ["Harbour Dental Pty. Limited", "harbour dental"],
    ["Müller & Söhne AG", "muller and sohne"],
    ["MÜLLER und SÖHNE", "muller und sohne"],
    ["Müller AG", "muller"],
    ["Straße 7", "strasse 7"],
    ["Smørrebrød ApS", "smorrebrod"],
    ["Joe’s Diner", "joes diner"],
    ["Ｈａｒｂｏｕｒ", "harbour"],
    ["株式会社山田", "株式会社山田"],
    ["Co", "co"],
    ["The Company Ltd", "the"],
    ["Co Labs", "co labs"],
    ["San Diego Zoo", "san diego zoo"],
  ])("of %s is %s", (text, name) => expect(nameOf(text)).toBe(name));

  test.each(["", "  ", "!!!", "-"])("is none of %j", (text) => expect(nameOf(text)).toBeNull());

  test("is idempotent, and short enough for an index", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
        const name = nameOf(text);
        if (name === null) return;
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(800);
        expect(name.isWellFormed()).toBe(true);
        if ([...name].length < 200) expect(nameOf(name)).toBe(name);
      }),
      { examples: [["ﷺ".repeat(200)]] },
    );
  });
});

describe("the claims of a company", () => {
  test("are each value that identifies it, once and in lock order", () => {
    const contact = { email: "ada@harbour.example", phone: "+8860223456789" };
    expect(claimsOf({ company: "Harbour Dental Ltd", company_domain: "https://www.harbour.example", contact })).toEqual([
      { kind: "domain", value: "harbour.example" },
      { kind: "name", value: "harbour dental" },
      { kind: "phone", value: "+886223456789" },
    ]);
  });

  test("leave out what does not identify it", () => {
    expect(claimsOf({ company: null, company_domain: null, contact: { email: "ada@gmail.com", phone: "+1" } })).toEqual([]);
    expect(claimsOf({ contact: null })).toEqual([]);
  });

  test("subtracted from others leave the rest", () => {
    const [domain, name] = claimsOf({ company: "Harbour", company_domain: "harbour.example" });
    expect(
      subtractClaims(
        [domain, name].flatMap((claim) => claim ?? []),
        claimsOf({ company: "HARBOUR" }),
      ),
    ).toEqual([domain]);
  });
});

test.each([
  ["Müller & Söhne GmbH", ["müller", "söhne"]],
  ["Joe's Diner S.A.", ["diner", "joe"]],
  ["AB 7", ["ab", "7"]],
  ["Company Ltd", ["company", "ltd"]],
  ["one two three four five six seven eight nine", ["three", "seven", "eight", "four", "five", "nine", "one", "two"]],
])("the search words of %s are %j", (text, words) => expect(searchWords(text)).toEqual(words));

test("every name has search words", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => nameOf(text) === null || searchWords(text).length > 0),
    {
      examples: [["㈀"], ["&"]],
    },
  );
});

test("claims are locked in one order, whatever order they come in", () => {
  const claim = (kind: "domain" | "name" | "phone", value: string) => ({ kind, value });
  const ordered = [claim("domain", "a.example"), claim("domain", "b.example"), claim("name", "a"), claim("phone", "+1")];
  expect(inLockOrder(ordered.toReversed())).toEqual(ordered);
  expect(inLockOrder([ordered[2], ordered[0], ordered[3], ordered[1]] as typeof ordered)).toEqual(ordered);
});

test("claims are subtracted by kind and value together", () => {
  const [domain, name] = [{ kind: "domain", value: "a" } as const, { kind: "name", value: "a" } as const];
  const other = { kind: "domain", value: "b" } as const;
  expect(subtractClaims([domain, name, other], [domain])).toEqual([name, other]);
  expect(subtractClaims([domain, name], [other, name])).toEqual([domain]);
});

test.each([
  ["Ada <ada@harbour.example", "harbour.example"],
  ["see http://harbour.example", null],
  ["ada@x@harbour.example", "harbour.example"],
])("the domain of %s is %s", (text, domain) => {
  expect(domainOf(text)).toBe(domain);
});

test.each([
  ["Harbour Sp.zo.o.", "harbour"],
  ["Harbour sp z oo", "harbour"],
  ["Harbour -- Dental", "harbour dental"],
])("the name of %s is %s", (text, name) => {
  expect(nameOf(text)).toBe(name);
});

test("a search is for the longest significant words, or for what there is", () => {
  expect(searchWords("The HARBOUR, Dental Ltd")).toEqual(["harbour", "dental", "the"]);
  expect(searchWords("Ab -- cde")).toEqual(["cde"]);
  expect(searchWords(" & ")).toEqual(["&"]);
  expect(searchWords("AB Co")).toEqual(["ab", "co"]);
});
