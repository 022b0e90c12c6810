import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { danish, line } from "../../../../test/support/documents/documents.ts";
import { lessDiscount, round, scaledFromNumber } from "../../../domain/base/money.ts";
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import type { DocumentBooking, MappedAccount } from "../../ledger.ts";
import { accountFor, documentBody } from "./draft-document.ts";

const account = (
  account_number: number,
  vat_code: MappedAccount["vat_code"],
  ledger_account: string,
): MappedAccount => ({ account_number, vat_code, ledger_account, ledger_vat_code: null });

function sent(change: Partial<DocumentSnapshot> = {}) {
  const document = { ...danish(), ...change };
  const booking: DocumentBooking = {
    kind: document.kind,
    guid: document.document_id,
    payload_hash: new Uint8Array(32),
    document,
    requested_by: "user:1",
    accounts: [account(1010, "DK25", "1000")],
  };
  return documentBody(booking) as {
    readonly [field: string]: unknown;
    readonly ProductLines: readonly Readonly<Record<string, number>>[];
  };
}

/** Dinero's net amount of a line, in hundredths: price times quantity less the discount, rounded once. */
function remoteNet({ BaseAmountValue = 0, Quantity = 0, Discount = 0 }): bigint {
  const [price, quantity, discount] = [
    scaledFromNumber(BaseAmountValue, 4),
    scaledFromNumber(Quantity, 2),
    scaledFromNumber(Discount, 2),
  ];
  if (typeof price === "string" || typeof quantity === "string" || typeof discount === "string") {
    throw new Error("an amount has too many decimals");
  }
  return round(price * quantity * (10_000n - discount), 10n ** 8n);
}

describe("a line sent to Dinero", () => {
  it("has the same amount in Dinero for any price, discount and rounding", () => {
    const row = fc.record({
      quantity: fc.integer({ min: -100_000, max: 100_000 }),
      unit_price_scaled: fc.bigInt(-(10n ** 10n), 10n ** 10n),
      discount: fc.integer({ min: 0, max: 10_000 }),
      rest: fc.bigInt(-2n, 2n),
      currency_digits: fc.constantFrom(0, 2),
    });
    fc.assert(
      fc.property(row, ({ quantity, unit_price_scaled, discount, rest, currency_digits }) => {
        const whole = round(
          BigInt(quantity) * unit_price_scaled,
          10n ** BigInt(6 - currency_digits),
        );
        const net = lessDiscount(whole, discount) + rest;
        const [line] = danish().lines;
        if (line === undefined) throw new Error("a document has a line");
        const rows = [{ quantity, unit_price_scaled, discount, net }];
        const { ProductLines } = sent({ currency_digits, lines: [{ ...line, net, rows }] });
        expect(ProductLines.map(remoteNet)).toEqual([net * 10n ** BigInt(2 - currency_digits)]);
      }),
    );
  });

  it("has a product line for each of its rows with the service period, and none without rows", () => {
    const { lines } = danish();
    const without_hours = line("Uden timer", 0n, []);
    expect(sent({ lines: [...lines, without_hours] }).ProductLines).toEqual([
      {
        Description: "Rådgivning om nyt bogholderi",
        AccountNumber: 1000,
        LineType: "Product",
        Unit: "hours",
        BaseAmountValue: 1200,
        Quantity: 27.5,
        Discount: 5,
      },
      expect.objectContaining({ BaseAmountValue: 1050, Quantity: 18.5, Discount: 0 }),
      expect.objectContaining({ Unit: "month", Comments: "2026-11-01 - 2026-11-30" }),
      expect.objectContaining({ Description: "Vi ses den 3. december", BaseAmountValue: 0 }),
    ]);
  });
});

describe("a document sent to Dinero", () => {
  it("names the credited invoice in its own language, without payment terms, for a credit note", () => {
    const credits = { invoice_id: "guid", invoice_number: 17n, invoice_date: "2026-11-01" };
    const danish_note = sent({ kind: "credit_note", credits });
    expect(danish_note).toMatchObject({
      CreditNoteFor: "guid",
      Comment: "Krediterer faktura 17 af 2026-11-01",
      Language: "da-DK",
    });
    expect(danish_note).not.toHaveProperty("PaymentConditionType");
    expect(sent({ kind: "credit_note", credits, language: "en" }).Comment).toBe(
      "Credits invoice 17 of 2026-11-01",
    );
  });

  it("has no payment days for cash payment", () => {
    const payment = { type: "NettoCash", days: 0, due_date: "2026-11-20" } as const;
    expect(sent({ payment })).toMatchObject({
      PaymentConditionType: "NettoCash",
      PaymentConditionNumberOfDays: null,
    });
  });
});

describe("the account of a line", () => {
  const rows = [
    account(1010, "DK25", "1000"),
    account(1010, "EU_SERVICES_RC", "1150"),
    account(6240, null, "57000"),
    account(8070, "DK25", "63000"),
    account(3610, null, "no number"),
  ];
  it.each([
    [1010, "EU_SERVICES_RC", 1150],
    [1010, "DK0", null],
    [6240, "DK25", 57000],
    // For a voucher, whose entries may have no code: the only row of the account.
    [8070, null, 63000],
    [1010, null, null],
    [3610, null, null],
  ])("%i with the code %s is %s", (number, vat_code, expected) => {
    expect(accountFor(rows, number, vat_code)).toBe(expected);
  });
});
