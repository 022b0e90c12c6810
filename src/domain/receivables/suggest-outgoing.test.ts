/** What money out probably is. */
import { describe, expect, it } from "vitest";
import { type OutgoingLine, suggestOutgoing } from "./suggest-outgoing.ts";

const names = new Map([
  ["C", "Nordlys ApS"],
  ["D", "Fjord A/S"],
]);
const line: OutgoingLine = {
  reference: "",
  end_to_end_id: "",
  text: "",
  moved: 500_00n,
  currency: "DKK",
  counterparty_name: "",
  counterparty_account: "",
};
const credit = { id: "n", kind: "credit_note" as const, customer_id: "C", number: "12" };
const note = { ...credit, currency: "DKK", open: 500_00n };
const payment = {
  id: "p",
  customer_id: "D",
  number: "7",
  bank_amount: 500_00n,
  currency: "DKK",
  counterparty_account: "DK1",
};
/** `confidence id: reasons` of each suggestion. */
const said = (changes: Partial<OutgoingLine>, credits = [note], payments = [payment]) =>
  suggestOutgoing({ ...line, ...changes }, credits, payments, names).map(
    ({ confidence, reasons, credit: of, returned }) =>
      `${confidence} ${of?.id ?? returned?.id}: ${reasons.join(", ")}`,
  );

describe("money out", () => {
  it.each([
    ["an amount alone", {}, ["possible n: amount", "possible p: amount"]],
    [
      "a number and the amount",
      { text: "kreditnota nr. 12" },
      ["likely n: number, amount", "possible p: amount"],
    ],
    ["a number and a part of the credit", { text: "nr. 12", moved: 200_00n }, ["likely n: number"]],
    ["more than the credit", { text: "nr. 12", moved: 600_00n }, []],
    [
      "the account that has paid",
      { counterparty_account: "DK1" },
      ["likely p: counterparty, amount", "possible n: amount"],
    ],
    [
      "the name of a customer",
      { counterparty_name: "Fjord" },
      ["possible p: amount, name", "possible n: amount"],
    ],
    ["another currency", { currency: "EUR" }, []],
    ["another amount", { moved: 499_99n }, []],
  ])("of %s", (_case, changes, expected) => {
    expect(said(changes)).toEqual(expected);
  });

  it("has at most three suggestions", () => {
    const many = ["a", "b", "c", "d"].map((id) => ({ ...note, id }));
    expect(said({}, many)).toHaveLength(3);
  });
});
