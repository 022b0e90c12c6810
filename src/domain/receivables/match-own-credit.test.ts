/** The match of a credit note with its own invoice. */
import { describe, expect, it } from "vitest";
import type { CalendarDate } from "../base/calendar.ts";
import { matchOwnCredit } from "./match-own-credit.ts";
import { type OpenItem, openAtLast } from "./open-item.ts";

const DAY = "2026-03-02" as CalendarDate;

function itemOf(fields: Partial<OpenItem> & Pick<OpenItem, "amount">): OpenItem {
  const usual = { id: "one", kind: "invoice", is_credit: false, customer_id: "acme" } as const;
  const money = { currency: "EUR", functional: fields.amount * 7n };
  return { ...usual, ...money, date: DAY, ended_on: null, takes: [], ...fields };
}

const creditOf = (amount: bigint, fields: Partial<OpenItem> = {}): OpenItem =>
  itemOf({ amount, id: "credit", kind: "credit_note", is_credit: true, ...fields });

const paid = (amount: bigint) => {
  const take = { date: DAY, reversed_on: null, amount, functional: amount * 7n };
  return itemOf({ amount: 1000n, takes: [take] });
};

describe("a credit note of an invoice", () => {
  it.each([
    ["takes what it credits", paid(0n), 400n, [600n, 0n]],
    ["takes all", paid(0n), 1000n, [0n, 0n]],
    ["takes what is still open, and keeps the rest", paid(800n), 400n, [0n, 200n]],
  ])("%s", (_, invoice, credited, left) => {
    const match = matchOwnCredit(invoice, creditOf(credited));
    const items = match === null ? [] : [match.debit, match.credit];
    expect(items.map((item) => openAtLast(item).open)).toEqual(left);
  });

  it("takes nothing of an invoice that is paid, or settled elsewhere", () => {
    expect(matchOwnCredit(paid(1000n), creditOf(400n))).toBeNull();
    expect(matchOwnCredit({ ...paid(0n), ended_on: DAY }, creditOf(400n))).toBeNull();
  });

  it("takes what the credit note posted, also where a share of the invoice would be another amount", () => {
    const match = matchOwnCredit(paid(0n), creditOf(333n, { functional: 2330n }));
    const { debit_functional, credit_functional, exchange_difference } = match?.allocation ?? {};
    expect([debit_functional, credit_functional, exchange_difference]).toEqual([2330n, 2330n, 0n]);
  });

  it("closes the invoice with what is left of it: the rest is an exchange difference", () => {
    const match = matchOwnCredit(paid(0n), creditOf(1000n, { functional: 6990n }));
    expect(match?.allocation).toMatchObject({
      debit_functional: 7000n,
      exchange_difference: -10n,
    });
  });
});
