import { expect, test } from "vitest";
import { detect, sampleOf } from "./csv.ts";

test("columns and rows are read with quotes, line breaks within cells, and any of the delimiters", () => {
  expect(sampleOf('\uFEFFName;Note\r\n"Ada; O";"says ""hi""\nthere"\r\n\r\nBo;\r\n')).toEqual({
    columns: ["Name", "Note"],
    rows: [
      ["Ada; O", 'says "hi"\nthere'],
      ["Bo", ""],
    ],
  });
  expect(sampleOf("a\tb\n1\t2").columns).toEqual(["a", "b"]);
  expect(sampleOf("")).toEqual({ columns: [], rows: [] });
});

test("a column is taken for the field of its name, each field once", () => {
  const fields = [
    { name: "phone", synonyms: ["mobile"] },
    { name: "custom.shoe_size", synonyms: ["shoe_size"] },
  ];
  expect(detect(["Mobile", "Phone", "Shoe size", "Other"], fields)).toEqual({
    Mobile: "phone",
    Phone: null,
    "Shoe size": "custom.shoe_size",
    Other: null,
  });
});
