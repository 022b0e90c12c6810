/** The additional texts on a document besides parties, lines and amounts, and which source decides them. */
import { describe, expect, it } from "vitest";
import { printedOf, printedWith } from "./printed.ts";

describe("printedWith", () => {
  const before = { buyer_reference: "Ida", hours_specification: true };

  it("changes the fields that are sent, removes those that are null, and keeps the rest", () => {
    expect(printedWith(before, {})).toEqual(before);
    expect(printedWith(before, { order_reference: "PO 1", buyer_reference: undefined })).toEqual({
      ...before,
      order_reference: "PO 1",
    });
    expect(printedWith(before, { buyer_reference: null, hours_specification: false })).toEqual({
      hours_specification: false,
    });
    expect(printedWith(before, { buyer_reference: "" })).toEqual({
      ...before,
      buyer_reference: "",
    });
  });

  it("takes no other fields", () => {
    const sent = { buyer_reference: "Bo", title: "x" };
    expect(printedWith({}, sent)).toEqual({ buyer_reference: "Bo" });
  });
});

describe("printedOf", () => {
  it.each([
    [{}, { buyer_reference: "Ida" }, { buyer_reference: "Ida" }],
    [{ buyer_reference: "Bo" }, { buyer_reference: "Ida" }, { buyer_reference: "Bo" }],
    [{ buyer_reference: "" }, { buyer_reference: "Ida" }, { buyer_reference: "" }],
    [{ hours_specification: false }, { hours_specification: true }, { hours_specification: false }],
    [{ footer: "Thanks" }, { order_reference: null }, { footer: "Thanks" }],
  ])("merges %j over %j to %j", (invoice, customer, expected) => {
    expect(printedOf(invoice, customer)).toEqual(expected);
  });
});
