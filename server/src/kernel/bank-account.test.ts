import fc from "fast-check";
import { expect, test } from "vitest";
import { ibanHint, readBic, readIban } from "./bank-account.ts";

const BERLIN = "DE89370400440532013000";

test("an IBAN is read as people write it", () => {
  for (const written of [BERLIN, "DE89 3704 0044 0532 0130 00", "de89370400440532013000", " DE89\u00a03704 0044\t0532 0130 00 "])
    expect(readIban(written)).toEqual({ iban: BERLIN });
  for (const iban of [
    "NL91ABNA0417164300",
    "GB29NWBK60161331926819",
    "CH9300762011623852957",
    "FR1420041010050500013M02606",
    "RS35260005601001611379",
  ])
    expect(readIban(iban)).toEqual({ iban });
});

test("what is wrong with an IBAN is told by its rule", () => {
  const wrong: [text: string, code: string][] = [
    ["", "unknown_country"],
    ["370400440532013000", "unknown_country"],
    ["XX89370400440532013000", "unknown_country"],
    ["US89370400440532013000", "unknown_country"],
    ["DE8937040044053201300", "wrong_length"],
    ["DE893704004405320130000", "wrong_length"],
    ["DE8937040044053201300A", "wrong_format"],
    ["DE90370400440532013000", "wrong_checksum"],
    ["CH4431999123000889012", "qr_iban"],
    ["TR330006100519786457841326", "not_sepa"],
  ];
  for (const [text, code] of wrong) expect(readIban(text), text).toMatchObject({ iban: null, code });
});

test("a swapped pair or a changed digit of an IBAN is always found", () => {
  fc.assert(
    fc.property(fc.integer({ min: 4, max: BERLIN.length - 1 }), fc.integer({ min: 1, max: 9 }), (index, by) => {
      const digit = (Number(BERLIN[index]) + by) % 10;
      expect(readIban(`${BERLIN.slice(0, index)}${digit}${BERLIN.slice(index + 1)}`).iban).toBeNull();
    }),
  );
  for (let index = 4; index < BERLIN.length - 1; index++) {
    const swapped = `${BERLIN.slice(0, index)}${BERLIN[index + 1]}${BERLIN[index]}${BERLIN.slice(index + 2)}`;
    if (swapped !== BERLIN) expect(readIban(swapped).iban, swapped).toBeNull();
  }
});

test("a BIC has 8 or 11 characters", () => {
  expect(readBic("cobadeff xxx")).toBe("COBADEFFXXX");
  expect(readBic("COBADEFF")).toBe("COBADEFF");
  for (const none of ["", "COBADEF", "COBADEFFXX", "12BADEFF", "COBAXXFF"]) expect(readBic(none), none).toBeNull();
});

test("a hint shows the ends of an IBAN alone", () => {
  expect(ibanHint(BERLIN)).toBe("DE89 … 3000");
});
