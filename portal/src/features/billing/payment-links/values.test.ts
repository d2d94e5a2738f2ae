import { expect, test } from "vitest";
import { bodyOf, changesOf, newValues, questionsOf, tipsOf, totalOf } from "./values.ts";

const item = (name: string, quantity: number, unit_cents: number, tax_cents: number | string = "") => ({
  name,
  quantity,
  unit_cents,
  tax_cents,
});

test("the total of items has their quantities and taxes, in minor units of the currency", () => {
  const line_items = [item("Check-up", 2, 60.5, 3), item("Brush", 1, 4)];
  expect(totalOf({ ...newValues("eur"), line_items })).toBe(12_800);
  expect(totalOf({ ...newValues("jpy"), line_items: [item("Tea", 3, 350)] })).toBe(1_050);
  expect(totalOf({ ...newValues("kwd"), amount_cents: "1.05" })).toBe(1_050);
});

test("questions have keys that differ, and a star makes an answer required", () => {
  expect(questionsOf({ ...newValues("usd"), collect: "Which seat? *\n\nWhich seat?\nМесто" })).toEqual([
    { key: "which_seat", label: "Which seat?", required: true },
    { key: "which_seat_1", label: "Which seat?", required: false },
    { key: "answer_3", label: "Место", required: false },
  ]);
});

test("tips are read with commas, spaces and percent signs", () => {
  expect(tipsOf({ ...newValues("usd"), tip: "10 %, 15%,20" })).toEqual([10, 15, 20]);
});

test("a new link names the contact, or the person with what is known", () => {
  const values = { ...newValues("usd"), amount_cents: "10.50", customer: { name: " Ada ", phone: "", email: "a@b.example" } };
  expect(bodyOf(values, "cli_1")).toMatchObject({
    account_id: "cli_1",
    customer: { name: "Ada", email: "a@b.example" },
    amount_cents: 1_050,
    partial: null,
    tip: null,
  });
  expect(bodyOf({ ...values, contact_id: "con_1" }, "cli_1").customer).toBe("con_1");
});

test("what happens once it is paid takes what it is about", () => {
  const on_paid = { move_deal: { stage: "stg_1" }, add_tags: ["customer"], send_message: { text: " Thank you " } };
  const values = { ...newValues("usd"), amount_cents: 10, on_paid };
  expect(bodyOf(values, "cli_1").on_paid).toBeNull();
  const known = { ...values, contact_id: "con_1", deal_id: "deal_1", conversation_id: "cnv_1" };
  expect(bodyOf(known, "cli_1")).toMatchObject({
    on_paid: { move_deal: { stage: "stg_1" }, add_tags: ["customer"], send_message: { text: "Thank you" } },
    deal_id: "deal_1",
    conversation_id: "cnv_1",
  });
  expect(bodyOf({ ...known, on_paid: newValues("usd").on_paid }, "cli_1")).not.toHaveProperty("conversation_id");
});

test("a charge names its client or leaves it to the deal, and is without tips and a provider of one's own", () => {
  const values = { ...newValues("usd"), amount_cents: 10, tip: "10", provider_id: "ppr_1" };
  expect(bodyOf(values, "cli_1")).not.toHaveProperty("charge");
  const charged = bodyOf({ ...values, charge: { on: true, client_id: null } }, "cli_1");
  expect(charged).toMatchObject({ charge: {}, tip: null, provider_id: null });
  expect(bodyOf({ ...values, charge: { on: true, client_id: "cli_2" } }, "cli_1").charge).toEqual({ client_id: "cli_2" });
});

test("only what was changed is sent", () => {
  const before = { ...newValues("usd"), amount_cents: 100, description: "Invoice 1" };
  expect(changesOf(before, { ...before, description: "Invoice 2" })).toEqual({ description: "Invoice 2" });
});
