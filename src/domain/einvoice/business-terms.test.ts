/** Reads small documents in each syntax: what stands where, and what is found when an amount is wrong. */
import { SaxesParser } from "saxes";
import { describe, expect, it } from "vitest";
import { type EinvoiceElement, readBusinessTerms, termValue } from "./business-terms.ts";
import { amountFaults } from "./compare-amounts.ts";

const UBL = `<Invoice><CustomizationID>urn:cen.eu:en16931:2017</CustomizationID><ID>1001</ID>
<IssueDate>2026-03-05</IssueDate><DueDate>2026-03-19</DueDate><InvoiceTypeCode>380</InvoiceTypeCode>
<DocumentCurrencyCode>EUR</DocumentCurrencyCode><TaxCurrencyCode>DKK</TaxCurrencyCode><BuyerReference>7301</BuyerReference>
<AdditionalDocumentReference><ID>1</ID><Attachment><EmbeddedDocumentBinaryObject mimeCode="application/pdf" filename="timer-1001.pdf">AA==</EmbeddedDocumentBinaryObject></Attachment></AdditionalDocumentReference>
<AccountingSupplierParty><Party><EndpointID schemeID="0184">25313763</EndpointID><PartyLegalEntity><RegistrationName>Firma ApS</RegistrationName></PartyLegalEntity></Party></AccountingSupplierParty>
<AccountingCustomerParty><Party><EndpointID schemeID="0088">5798009811578</EndpointID><PostalAddress><Country><IdentificationCode>DK</IdentificationCode></Country></PostalAddress></Party></AccountingCustomerParty>
<TaxTotal><TaxAmount currencyID="EUR">2.50</TaxAmount><TaxSubtotal><TaxableAmount currencyID="EUR">10.00</TaxableAmount><TaxAmount currencyID="EUR">2.50</TaxAmount><TaxCategory><ID>S</ID><Percent>25</Percent></TaxCategory></TaxSubtotal></TaxTotal>
<TaxTotal><TaxAmount currencyID="DKK">18.65</TaxAmount></TaxTotal>
<LegalMonetaryTotal><LineExtensionAmount currencyID="EUR">10.00</LineExtensionAmount><TaxExclusiveAmount currencyID="EUR">10.00</TaxExclusiveAmount><TaxInclusiveAmount currencyID="EUR">12.50</TaxInclusiveAmount><PayableAmount currencyID="EUR">12.50</PayableAmount></LegalMonetaryTotal>
<InvoiceLine><ID>1</ID><InvoicedQuantity unitCode="HUR">1</InvoicedQuantity><LineExtensionAmount currencyID="EUR">10.00</LineExtensionAmount><Item><Name>Design</Name></Item></InvoiceLine></Invoice>`;

const OIOUBL = UBL.replace("urn:cen.eu:en16931:2017", "OIOUBL-2.1").replace(
  '<TaxExclusiveAmount currencyID="EUR">10.00',
  '<TaxExclusiveAmount currencyID="EUR">2.50',
);

const CII = `<CrossIndustryInvoice><ExchangedDocument><ID>1001</ID><TypeCode>381</TypeCode><IssueDateTime><DateTimeString format="102">20260305</DateTimeString></IssueDateTime></ExchangedDocument>
<SupplyChainTradeTransaction><IncludedSupplyChainTradeLineItem><AssociatedDocumentLineDocument><LineID>1</LineID></AssociatedDocumentLineDocument>
<SpecifiedLineTradeSettlement><SpecifiedTradeSettlementLineMonetarySummation><LineTotalAmount>10.00</LineTotalAmount></SpecifiedTradeSettlementLineMonetarySummation></SpecifiedLineTradeSettlement></IncludedSupplyChainTradeLineItem>
<ApplicableHeaderTradeSettlement><InvoiceCurrencyCode>EUR</InvoiceCurrencyCode><ApplicableTradeTax><CalculatedAmount>2.50</CalculatedAmount><BasisAmount>10.00</BasisAmount><CategoryCode>S</CategoryCode><RateApplicablePercent>25.00</RateApplicablePercent></ApplicableTradeTax>
<SpecifiedTradeSettlementHeaderMonetarySummation><LineTotalAmount>10.00</LineTotalAmount><TaxBasisTotalAmount>10.00</TaxBasisTotalAmount><TaxTotalAmount currencyID="EUR">2.50</TaxTotalAmount><TaxTotalAmount currencyID="DKK">18.65</TaxTotalAmount><GrandTotalAmount>12.50</GrandTotalAmount><DuePayableAmount>12.50</DuePayableAmount></SpecifiedTradeSettlementHeaderMonetarySummation></ApplicableHeaderTradeSettlement></SupplyChainTradeTransaction></CrossIndustryInvoice>`;

const read = (xml: string) => readBusinessTerms(treeOf(xml));

describe("the terms of an e-invoice", () => {
  it("are read from UBL with their qualifiers", () => {
    const { kind, document, seller, buyer, totals, lines, attachments } = read(UBL);
    expect(kind).toBe("invoice");
    expect(termValue(document, "BT-1")).toBe("1001");
    expect(termValue(document, "BT-10")).toBe("7301");
    expect(seller[1]).toEqual({ term: "BT-34", value: "25313763", qualifier: "0184" });
    expect(termValue(buyer, "BT-55")).toBe("DK");
    expect(totals.map(({ term, value }) => `${term} ${value}`)).toEqual([
      "BT-106 10.00",
      "BT-109 10.00",
      "BT-110 2.50",
      "BT-111 18.65",
      "BT-112 12.50",
      "BT-115 12.50",
    ]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContainEqual({ term: "BT-129", value: "1", qualifier: "HUR" });
    expect(attachments).toEqual(["timer-1001.pdf"]);
  });

  it("are read from OIOUBL, whose total without VAT is that of its lines", () => {
    const { syntax, totals } = read(OIOUBL);
    expect(syntax).toBe("oioubl");
    expect(termValue(totals, "BT-109")).toBe("10.00");
    expect(termValue(totals, "BT-110")).toBe("2.50");
  });

  it("are read from CII with days in the usual form", () => {
    const { syntax, kind, document, totals } = read(CII);
    expect([syntax, kind, termValue(document, "BT-2")]).toEqual([
      "cii",
      "credit_note",
      "2026-03-05",
    ]);
    expect(termValue(totals, "BT-111")).toBe("18.65");
  });
});

const BOOKED = {
  kind: "invoice",
  currency: "EUR",
  currency_digits: 2,
  functional_currency: "DKK",
  functional_digits: 2,
  totals: { net: 1000n, vat: 250n, gross: 1250n },
  vat: [
    { vat_code: "DK25", rate: 2500, base: 1000n, vat: 250n, vat_functional: 1865n, reason: null },
  ],
  lines: [
    {
      line_id: "a",
      position: 1,
      text: "Design",
      product_number: null,
      unit: "hours",
      service_from: null,
      service_to: null,
      account_number: 1010,
      vat_code: "DK25",
      vat_rate: 2500,
      net: 1000n,
      net_functional: 7460n,
      rows: [{ quantity: 100, unit_price_scaled: 100_000n, discount: 0, net: 1000n }],
    },
  ],
} as const;

describe("the amounts of an e-invoice", () => {
  it.each([
    ["UBL", UBL, "invoice"],
    ["OIOUBL", OIOUBL, "invoice"],
    ["CII", CII, "credit_note"],
  ] as const)("agree with the books in %s", (_, xml, kind) => {
    expect(amountFaults(read(xml), { ...BOOKED, kind })).toEqual([]);
  });

  it("agree with books that have VAT of hours that were not worked", () => {
    const [taxed] = BOOKED.vat;
    const vat = [...BOOKED.vat, { ...taxed, rate: 1200, base: 0n, vat: 0n, vat_functional: 0n }];
    expect(amountFaults(read(UBL), { ...BOOKED, vat })).toEqual([]);
  });

  it.each([
    [
      '<PayableAmount currencyID="EUR">12.50',
      '<PayableAmount currencyID="EUR">12.51',
      "BT-115 is 12.51, and not 12.50",
    ],
    [
      '<PayableAmount currencyID="EUR">12.50',
      '<PayableAmount currencyID="DKK">12.50',
      "BT-115 is in DKK, and not in EUR",
    ],
    [
      '<TaxableAmount currencyID="EUR">10.00',
      '<TaxableAmount currencyID="EUR">9.99',
      "its VAT is 25.00 %: 9.99 and 2.50, and not 25.00 %: 10.00 and 2.50",
    ],
    [
      '<TaxAmount currencyID="DKK">18.65',
      '<TaxAmount currencyID="DKK">18.66',
      "BT-111 is 18.66, and not 18.65",
    ],
    ['<TaxAmount currencyID="DKK">18.65</TaxAmount>', "", "BT-111 is missing, and not 18.65"],
    ["<InvoiceLine>", "<Line>", "it has 0 lines, and not 1"],
    ["<DocumentCurrencyCode>EUR</DocumentCurrencyCode>", "", "BT-5 is missing, and not EUR"],
  ])("differ after %s becomes %s", (from, to, fault) => {
    const bent = UBL.replaceAll(from, to).replaceAll(
      to === "<Line>" ? "</InvoiceLine>" : "\u0000",
      "</Line>",
    );
    expect(amountFaults(read(bent), BOOKED)).toContain(fault);
  });
});

/** Reads XML without namespaces to elements. */
function treeOf(xml: string): EinvoiceElement {
  type Open = { name: string; attributes: Record<string, string>; children: Open[]; text: string };
  const path: Open[] = [{ name: "", attributes: {}, children: [], text: "" }];
  const parser = new SaxesParser();
  parser.on("opentag", ({ name, attributes }) => {
    const element: Open = { name, attributes: { ...attributes }, children: [], text: "" };
    path.at(-1)?.children.push(element);
    path.push(element);
  });
  parser.on("text", (text) => {
    const open = path.at(-1);
    if (open !== undefined) open.text += text;
  });
  parser.on("closetag", () => path.pop());
  parser.write(xml).close();
  const [root] = path[0]?.children ?? [];
  if (root === undefined) throw new Error("no root");
  return root;
}
