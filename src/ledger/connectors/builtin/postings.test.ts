/** The postings of documents: the worked entries of spec 9.5, and the laws of double entry for any document. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { InvoiceId, LineId, ProductId } from "../../../domain/base/brand.ts";
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import { type DocumentFacts, documentOf } from "../../../domain/sales/invoice.ts";
import type { Line } from "../../../domain/sales/line.ts";
import { type VatCode, vatCodes } from "../../../domain/sales/vat-code.ts";
import type { Posting } from "../../ledger.ts";
import { OUTPUT_VAT, RECEIVABLES } from "./chart.ts";
import { postingsOf } from "./postings.ts";

const CUSTOMER = "01990000-0000-7000-8000-000000000001";
const customer: DocumentFacts["customer"] = {
  id: CUSTOMER,
  external_id: null,
  name: "Havnegadens Bryggeri A/S",
  is_person: false,
  street: null,
  zip_code: null,
  city: null,
  country_key: "DK",
  att_person: null,
  phone: null,
  email: null,
  vat_number: "DK10150817",
  ean_number: null,
  se_number: null,
  p_number: null,
  external_reference: null,
  invoice_mail_out_option_key: null,
  payment_mean: null,
};

interface Sale {
  readonly kind?: DocumentSnapshot["kind"];
  readonly country_key?: string;
  readonly vat_number?: string | null;
  readonly currency?: string;
  readonly rate_micro?: bigint;
  /** Net and account of each line. */
  readonly lines: readonly (readonly [net: bigint, account: number])[];
  readonly codes?: ReadonlyMap<number, VatCode | null>;
}

const standardCodes = new Map<number, VatCode>([
  [1010, "DK25"],
  [1150, "EU_SERVICES_RC"],
  [1200, "EXPORT_SERVICES"],
]);

function documentFor(sale: Sale): DocumentSnapshot {
  const currency = sale.currency ?? "DKK";
  const lines = sale.lines.map(([net, account], index) => lineOf(net, account, index));
  const invoice = { id: "invoice" as InvoiceId, currency, title: null, lines };
  const document = documentOf(invoice, "2026-11-01" as CalendarDate, {
    account_name: "Nordlys",
    seller: null,
    customer: {
      ...customer,
      country_key: sale.country_key ?? "DK",
      vat_number: sale.vat_number === undefined ? customer.vat_number : sale.vat_number,
    },
    language: "da",
    functional_currency: "DKK",
    rate_micro: sale.rate_micro ?? null,
    rate_date: null,
    terms: { type: "Netto", days: 14 },
    vat: { domestic_rate: 25_00, domestic_country: "DK" },
    vat_codes: sale.codes ?? standardCodes,
    sales_accounts: new Map(),
    hours: new Map(),
  });
  return { ...document, kind: sale.kind ?? "invoice" };
}

function lineOf(agreed_value: bigint, account_number: number, index: number): Line {
  return {
    id: `line-${index}` as LineId,
    product_id: "product" as ProductId,
    recognition_method: "value",
    agreed_value,
    hourly_rate: null,
    discount: 0,
    description_override: null,
    position: index + 1,
    assignees: [],
    service_from: null,
    service_to: null,
    budget_hours: null,
    product_name: "Rådgivning",
    product_number: null,
    account_number,
    unit: "parts",
  };
}

const amountsOf = (sale: Sale) =>
  postingsOf(documentFor(sale)).map(({ account_number, amount }) => [account_number, amount]);

describe("worked entries", () => {
  it("a domestic invoice of 12,000 and 25 %", () => {
    expect(amountsOf({ lines: [[12_000_00n, 1010]] })).toEqual([
      [RECEIVABLES, 15_000_00n],
      [1010, -12_000_00n],
      [OUTPUT_VAT, -3_000_00n],
    ]);
  });

  it("services of EUR 1,000 to an EU company at 7.46, without a VAT posting", () => {
    const sale: Sale = {
      country_key: "DE",
      vat_number: "DE136695976",
      currency: "EUR",
      rate_micro: 7_460_000n,
      lines: [[1_000_00n, 1150]],
    };
    expect(postingsOf(documentFor(sale))).toEqual([
      {
        account_number: RECEIVABLES,
        amount: 7_460_00n,
        currency_amount: 1_000_00n,
        vat_code: null,
        customer_id: CUSTOMER,
      },
      {
        account_number: 1150,
        amount: -7_460_00n,
        currency_amount: -1_000_00n,
        vat_code: "EU_SERVICES_RC",
        customer_id: null,
      },
    ]);
  });

  it("services of USD 500 outside the EU at 6.4025", () => {
    const sale: Sale = {
      country_key: "US",
      currency: "USD",
      rate_micro: 6_402_500n,
      lines: [[500_00n, 1200]],
    };
    expect(amountsOf(sale)).toEqual([
      [RECEIVABLES, 3_201_25n],
      [1200, -3_201_25n],
    ]);
  });

  it("a credit note reverses the postings", () => {
    expect(amountsOf({ kind: "credit_note", lines: [[2_000_00n, 1010]] })).toEqual([
      [RECEIVABLES, -2_500_00n],
      [1010, 2_000_00n],
      [OUTPUT_VAT, 500_00n],
    ]);
  });

  it("adds up the lines of one account and code, and orders accounts by number", () => {
    const lines = [
      [33n, 1200],
      [33n, 1010],
      [33n, 1010],
    ] as const;
    expect(amountsOf({ lines })).toEqual([
      [RECEIVABLES, 124n],
      [1010, -66n],
      [1200, -33n],
      [OUTPUT_VAT, -25n],
    ]);
  });

  it("posts nothing for lines of 0", () => {
    expect(amountsOf({ lines: [[0n, 1010]] })).toEqual([]);
    expect(
      amountsOf({
        lines: [
          [0n, 1010],
          [4n, 1200],
        ],
      }),
    ).toEqual([
      [RECEIVABLES, 5n],
      [1200, -4n],
      [OUTPUT_VAT, -1n],
    ]);
  });
});

describe("any document", () => {
  const accounts = [1000, 1010, 1050, 1150, 1200];
  const sale: fc.Arbitrary<Sale> = fc
    .record({
      kind: fc.constantFrom<DocumentSnapshot["kind"]>("invoice", "credit_note"),
      country_key: fc.constantFrom("DK", "DE", "US", "GL"),
      vat_number: fc.constantFrom(null, " ", "DE136695976"),
      money: fc.oneof(
        fc.constant({ currency: "DKK" }),
        fc.record({
          currency: fc.constantFrom("EUR", "JPY", "KWD"),
          rate_micro: fc.bigInt({ min: 1n, max: 30_000_000n }),
        }),
      ),
      lines: fc.array(
        fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 12n }), fc.constantFrom(...accounts)),
        { minLength: 1, maxLength: 20 },
      ),
      codes: fc
        .array(fc.constantFrom<VatCode | null>(...vatCodes, null), { minLength: 5, maxLength: 5 })
        .map((codes) => new Map(accounts.map((account, index) => [account, codes[index] ?? null]))),
    })
    .map(({ money, ...rest }) => ({ ...rest, ...money }));

  const check = (law: (postings: Posting[], document: DocumentSnapshot, sign: bigint) => void) =>
    fc.assert(
      fc.property(sale, (drawn) => {
        const document = documentFor(drawn);
        law(postingsOf(document), document, document.kind === "invoice" ? 1n : -1n);
      }),
      { numRuns: 300 },
    );

  it("has postings that sum to 0, none of them 0", () => {
    check((postings) => {
      expect(sum(postings.map((posting) => posting.amount))).toBe(0n);
      expect(postings.every((posting) => posting.amount !== 0n)).toBe(true);
    });
  });

  it("has at most one receivable, which alone names the customer and has the gross amount", () => {
    check((postings, document, sign) => {
      const named = postings.filter((posting) => posting.customer_id !== null);
      const receivables = postings.filter((posting) => posting.account_number === RECEIVABLES);
      expect(named).toEqual(receivables);
      expect(receivables.length).toBe(postings.length === 0 ? 0 : 1);
      for (const receivable of receivables) {
        expect(receivable.customer_id).toBe(CUSTOMER);
        expect(receivable.currency_amount).toBe(sign * document.totals.gross);
      }
    });
  });

  it("credits each account with the stored sum of its lines", () => {
    check((postings, document, sign) => {
      for (const account of accounts) {
        const posted = postings.filter((posting) => posting.account_number === account);
        const lines = document.lines.filter((line) => line.account_number === account);
        expect(sum(posted.map((posting) => posting.amount))).toBe(
          -sign * sum(lines.map((line) => line.net_functional)),
        );
      }
    });
  });

  it("posts VAT for the codes that charge it and for no other", () => {
    check((postings, document, sign) => {
      const posted = postings.filter((posting) => posting.account_number === OUTPUT_VAT);
      expect(sum(posted.map((posting) => posting.amount))).toBe(
        -sign * sum(document.vat.map((entry) => entry.vat_functional)),
      );
      expect(posted.every((posting) => posting.vat_code === "DK25")).toBe(true);
    });
  });

  it("posts equal amounts in both currencies without an exchange rate", () => {
    check((postings, document) => {
      if (document.rate_micro !== null) return;
      expect(currencyDigits(document.currency)).toBe(2);
      for (const posting of postings) expect(posting.currency_amount).toBe(posting.amount);
    });
  });

  it("is reversed by a credit note of the same content", () => {
    fc.assert(
      fc.property(sale, (drawn) => {
        const invoice = postingsOf(documentFor({ ...drawn, kind: "invoice" }));
        const credit = postingsOf(documentFor({ ...drawn, kind: "credit_note" }));
        expect(credit.map((posting) => -posting.amount)).toEqual(
          invoice.map((posting) => posting.amount),
        );
      }),
    );
  });
});

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
