import { expect, test } from "vitest";
import { exampleId } from "../../../../kernel/ids.ts";
import { fieldsOf, portableView } from "./model.ts";

const view = (query: string, page = "contacts") => ({ name: "Mine", page, query });

test("the filters of a view name custom fields, each once", () => {
  const query = "custom.size=m&custom.size=l&tag=custom.x&custom.budget=1&xcustom.no=1";
  expect(fieldsOf(view(query))).toEqual([
    { pointer: "/query", type: "custom_field", key: "contact.size" },
    { pointer: "/query", type: "custom_field", key: "contact.budget" },
  ]);
  expect(fieldsOf(view("custom.a=1", "leads"))[0]?.key).toBe("lead.a");
  expect(fieldsOf(view("custom.a=1", "deals"))[0]?.key).toBe("deal.a");
  expect(fieldsOf(view("custom.a=1", "conversations"))).toEqual([]);
});

test("filters that name records of the account do not leave it", () => {
  const [owner, pipeline] = [exampleId("user"), exampleId("pipeline")];
  const { spec, left_out } = portableView(view(`tag=vip&owner=${owner}&pipeline_id=${pipeline}&owner=${owner}&status=open`));
  expect(spec).toEqual(view("tag=vip&status=open"));
  expect(left_out).toEqual([
    "The filter owner of the view Mine names what only this account has.",
    "The filter pipeline_id of the view Mine names what only this account has.",
  ]);
});

test("an id counts within a value, and what only looks like one does not", () => {
  const id = exampleId("user");
  for (const value of [`in:${id}`, `${id},x`, `a-${id}`]) expect(portableView(view(`owner=${value}`)).left_out).toHaveLength(1);
  for (const value of [`${id}0`, `${id}z`, id.slice(0, -1), id.replace("_", "-"), `usr_8${id.slice(5)}`, "vip"]) {
    expect(portableView(view(`owner=${value}`)), value).toEqual({ spec: view(`owner=${value}`), left_out: [] });
  }
});
