/** What CII says otherwise than BIS 3. Validators judge whole documents in test/einvoice. */
import { describe, expect, it } from "vitest";
import { creditNote, danish, reverseCharge } from "../../../test/support/documents/documents.ts";
import { contentOf as contentTo } from "../../../test/support/einvoice/content.ts";
import type { DocumentSnapshot } from "../sales/document.ts";
import { missingOf } from "./missing.ts";
import { writeCii } from "./write-cii.ts";

describe("writeCii", () => {
  it("states the booked totals, and days without separators", () => {
    const { totals } = danish();
    const xml = writeCii(contentOf(danish()));
    expect(xml).toContain('<udt:DateTimeString format="102">20261120</udt:DateTimeString>');
    const gross = `${totals.gross / 100n}.${String(totals.gross % 100n).padStart(2, "0")}`;
    expect(xml).toContain(`<ram:DuePayableAmount>${gross}</ram:DuePayableAmount>`);
    expect(xml).toContain("<ram:ID>urn:cen.eu:en16931:2017</ram:ID>");
  });

  it("needs neither an electronic address nor a reference", () => {
    const invoice = { ...contentOf(reverseCharge()), buyer_reference: null };
    expect(invoice.buyer.endpoint).toBeNull();
    expect(missingOf(invoice, "factur-x")).toEqual([]);
    const buyer = /<ram:BuyerTradeParty>.*<\/ram:BuyerTradeParty>/s.exec(writeCii(invoice))?.[0];
    expect(buyer).not.toContain("<ram:URIUniversalCommunication>");
    expect(writeCii(invoice)).toContain("<ram:ExemptionReasonCode>VATEX-EU-AE<");
  });

  it("names one identifier of the buyer, and needs a number of the seller", () => {
    const invoice = contentOf({
      ...danish(),
      customer: { ...danish().customer, p_number: "1003456789" },
    });
    expect(invoice.buyer.identifiers).toHaveLength(2);
    expect(writeCii(invoice).match(/<ram:GlobalID/g)).toHaveLength(1);
    const seller = { ...invoice.seller, registration_number: null, vat_number: null };
    const outside = invoice.lines.map((line) => ({ ...line, category: "O" as const }));
    expect(missingOf({ ...invoice, seller, lines: outside }, "factur-x")).toMatchObject([
      { rule: "BR-CO-26", field: "seller.registration_number" },
    ]);
  });

  it("always has a date of delivery, and leaves out the rate of what is outside the scope of VAT", () => {
    const invoice = contentOf(danish());
    const outside = invoice.lines.map((line) => ({ ...line, category: "O" as const, rate: 0 }));
    const xml = writeCii({ ...invoice, lines: outside, vat: [] });
    expect(xml).toContain("<ram:ActualDeliverySupplyChainEvent>");
    expect(xml).not.toContain("RateApplicablePercent");
  });

  it("is type 381 for a credit note, with the number and date of the invoice", () => {
    const xml = writeCii(contentOf(creditNote()));
    expect(xml).toContain("<ram:TypeCode>381</ram:TypeCode>");
    expect(xml).toMatch(
      /<ram:InvoiceReferencedDocument>\n<ram:IssuerAssignedID>\d+<\/ram:IssuerAssignedID>\n<ram:FormattedIssueDateTime>\n<qdt:/,
    );
    expect(xml).not.toContain("SpecifiedTradePaymentTerms");
  });
});

function contentOf(document: DocumentSnapshot) {
  return contentTo(document, null);
}
