/** The way to the form of a new customer and back. */
import { expect, it } from "vitest";
import { backToDraft, backWithCustomer, newCustomerFrom } from "./back-to-draft.ts";

const DRAFT = "/invoices/0190a5b2-7c1d-7e3f-8a4b-5c6d7e8f9a0b";

it("names the page to return to, and the typed name", () => {
  expect(newCustomerFrom("/invoices/new")).toBe("/customers/new?back=%2Finvoices%2Fnew");
  expect(newCustomerFrom("/invoices/new", "Å & B")).toBe(
    "/customers/new?name=%C3%85+%26+B&back=%2Finvoices%2Fnew",
  );
});

it.each([
  [DRAFT, `${DRAFT}?customer=c1`],
  ["/invoices/new", "/invoices/new?q=Havnens+Bryggeri"],
  [undefined, null],
  ["", null],
  ["/customers", null],
  ["//evil.example", null],
  ["https://evil.example/invoices/new", null],
  [`${DRAFT}/issue`, null],
  [`/x${DRAFT}`, null],
])("leads from %j to %j", (back, to) => {
  expect(backWithCustomer(back, { id: "c1", name: "Havnens Bryggeri" })).toBe(to);
});

it("leads a changed customer to the draft alone", () => {
  expect([DRAFT, "/invoices/new", `${DRAFT}/issue`, undefined].map(backToDraft)).toEqual([
    DRAFT,
    null,
    null,
    null,
  ]);
});
