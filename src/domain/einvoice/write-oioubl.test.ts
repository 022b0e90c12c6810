/** What OIOUBL says otherwise than BIS 3. The official rules judge whole documents in test/einvoice. */
import { describe, expect, it } from "vitest";
import {
  creditNote,
  danish,
  line,
  reverseCharge,
} from "../../../test/support/documents/documents.ts";
import { contentOf } from "../../../test/support/einvoice/content.ts";
import type { ElectronicPayment } from "./electronic-invoice.ts";
import { missingOf } from "./missing.ts";
import { writeOioubl } from "./write-oioubl.ts";

describe("writeOioubl", () => {
  it("states Danish numbers with their letters, and a location number with its agency", () => {
    const xml = writeOioubl(contentOf(danish()));
    expect(xml).toContain('<cbc:EndpointID schemeID="DK:CVR">DK25313763</cbc:EndpointID>');
    expect(xml).toContain(
      '<cbc:EndpointID schemeAgencyID="9" schemeID="GLN">5798009811578</cbc:EndpointID>',
    );
    expect(xml).toContain('<cbc:CompanyID schemeID="DK:SE">DK25313763</cbc:CompanyID>');
    expect(xml).toContain('<cbc:CompanyID schemeID="DK:CVR">DK10150817</cbc:CompanyID>');
  });

  it("turns a discount into the price of one piece, with the discount in words", () => {
    const [template] = danish().lines;
    const discounted = line("Drift", 95_000n, [[1_000, 1_000_000n, 500, 95_000n]]);
    const lines = [{ ...template, ...discounted, vat_code: "DK25" as const, vat_rate: 2500 }];
    const xml = writeOioubl(contentOf({ ...danish(), lines }));
    expect(xml).toContain('<cbc:InvoicedQuantity unitCode="C62">1</cbc:InvoicedQuantity>');
    expect(xml).toContain('<cbc:PriceAmount currencyID="DKK">950.00</cbc:PriceAmount>');
    expect(xml).toContain("10 timer à 100,00 DKK, rabat 5 %");
    expect(xml).not.toContain("AllowanceCharge");
  });

  it("has a code of its own for kilometres", () => {
    const lines = danish().lines.map((printed) => ({ ...printed, unit: "km" }));
    expect(writeOioubl(contentOf({ ...danish(), lines }))).toContain('unitCode="KTM"');
  });

  it("writes two decimals in a currency without any", () => {
    const invoice = { ...contentOf(danish()), currency: "ISK", currency_digits: 0 };
    const totals = { net: 400n, vat: 100n, gross: 500n };
    expect(writeOioubl({ ...invoice, totals })).toContain(
      '<cbc:PayableAmount currencyID="ISK">500.00</cbc:PayableAmount>',
    );
  });

  it("states the VAT in kroner beside the VAT that is charged, and not beside reverse charge", () => {
    const functional = { currency: "DKK", digits: 2, vat: 7_460n };
    const stated = writeOioubl({ ...contentOf(danish()), currency: "EUR", functional });
    expect(stated).toContain("<cbc:TaxCurrencyCode>DKK</cbc:TaxCurrencyCode>");
    expect(stated).toContain(
      '<cbc:TransactionCurrencyTaxAmount currencyID="DKK">74.60</cbc:TransactionCurrencyTaxAmount>',
    );
    const shifted = writeOioubl({ ...contentOf(reverseCharge()), functional });
    expect(shifted).not.toContain("TaxCurrencyCode");
    expect(shifted).not.toContain("TransactionCurrencyTaxAmount");
    expect(shifted).toContain(">ReverseCharge</cbc:ID>");
  });

  it.each<[string, ElectronicPayment, string[]]>([
    [
      "a payment slip",
      {
        code: "93",
        card_type: "71",
        payment_id: "000000000010017",
        creditor: "81234567",
        reference: "x",
      },
      [
        "DK:FIK",
        "<cbc:InstructionID>000000000010017<",
        ">71</cbc:PaymentID>",
        "<cbc:AccountID>81234567<",
      ],
    ],
    [
      "a Danish account",
      {
        code: "42",
        registration_number: "0040",
        account_number: "0440116243",
        reference: "RF871001",
      },
      ["DK:BANK", "<cbc:ID>0440116243<", "<cbc:PaymentNote>RF871001<", "<cbc:ID>0040<"],
    ],
    [
      "an IBAN to a country outside of SEPA",
      { code: "30", iban: "DK5000400440116243", swift: "DABADKKK", reference: "1".repeat(21) },
      ["<cbc:PaymentMeansCode>58<", ">IBAN</cbc:PaymentChannelCode>", "<cbc:ID>DABADKKK<"],
    ],
  ])("says how to pay: %s", (_, payment, expected) => {
    const xml = writeOioubl({ ...contentOf(danish()), payment });
    for (const text of expected) expect(xml).toContain(text);
    // The note of a transfer has 20 characters, and half of a reference pays nothing.
    expect(xml).not.toContain("1".repeat(20));
  });

  it("refers to the credited invoice, and has neither terms nor date of payment", () => {
    const xml = writeOioubl(contentOf(creditNote()));
    expect(xml).toContain("<cac:InvoiceDocumentReference>");
    expect(xml).toContain("<cac:CreditNoteLine>");
    expect(xml).not.toContain("PaymentTerms");
    expect(xml).not.toContain("PaymentDueDate");
  });

  it("cannot state sales to other countries, a currency that is younger than it, or a bank account of letters", () => {
    const invoice = contentOf(danish());
    const abroad = invoice.lines.map((sold) => ({ ...sold, category: "K" as const }));
    const payment = {
      code: "42",
      registration_number: "none",
      account_number: "12345678901",
      reference: null,
    } as const;
    const missing = missingOf(
      { ...invoice, lines: abroad, currency: "XCG", payment },
      "oioubl-2.1",
    );
    expect(missing.map(({ rule, field }) => `${rule} ${field}`)).toEqual([
      "F-LIB309 customer.einvoice_format",
      "F-LIB298 currency",
      "F-LIB311 seller.bank_registration_number",
      "F-LIB131 seller.bank_account_number",
    ]);
  });
});
