/**
 * Credit notes in the terms of spec 5.5 and 9.3: the amounts that may be
 * credited, and that all credits of an invoice together equal the invoice, to the last minor unit.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { InvoiceId, LineId, ProductId } from "../../src/domain/base/brand.ts";
import type { CalendarDate } from "../../src/domain/base/calendar.ts";
import { currencyDigits } from "../../src/domain/base/currency.ts";
import { percentOf } from "../../src/domain/base/money.ts";
import { Problem } from "../../src/domain/base/problem.ts";
import {
  type BookedCredits,
  bookedFrom,
  type CreditableLine,
  type CreditInput,
  type CreditLine,
  creditDocumentOf,
  creditFaults,
  creditLinesFrom,
  decideCredit,
} from "../../src/domain/sales/credit-note.ts";
import type { DocumentSnapshot } from "../../src/domain/sales/document.ts";
import { type DocumentFacts, documentOf } from "../../src/domain/sales/invoice.ts";
import type { Line } from "../../src/domain/sales/line.ts";
import { type VatCode, vatCodes } from "../../src/domain/sales/vat-code.ts";
import { postingsOf } from "../../src/ledger/connectors/builtin/postings.ts";

const id = (text: string) => text as LineId;
const [ADVICE, HOSTING] = [id("advice"), id("hosting")];

/** A line of 100.00 and one of 50.00. */
const fresh: readonly CreditableLine[] = [
  { line_id: HOSTING, position: 2, amount: 50_00n, credited: 0n },
  { line_id: ADVICE, position: 1, amount: 100_00n, credited: 0n },
];

const less = (credits: readonly CreditLine[], lines = fresh): CreditableLine[] =>
  lines.map((line) => ({
    ...line,
    credited: credits
      .filter((credit) => credit.invoice_line_id === line.line_id)
      .reduce((total, credit) => total + credit.amount, line.credited),
  }));

const partial = (...credits: [LineId, bigint][]): CreditLine[] =>
  credits.map(([invoice_line_id, amount]) => ({ invoice_line_id, amount }));

function refusalOf(decide: () => unknown): Problem {
  try {
    decide();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("the faults of a request on its own", () => {
  const line = (invoice_line_id: string, amount: number) => ({ invoice_line_id, amount });

  it.each<[string, CreditInput, string[]]>([
    ["full without lines", { kind: "full", lines: [] }, []],
    ["partial with a line", { kind: "partial", lines: [line("a", 1)] }, []],
    [
      "partial with a line of 0 beside another",
      { kind: "partial", lines: [line("a", 0), line("b", 1)] },
      [],
    ],
    ["full with lines", { kind: "full", lines: [line("a", 1)] }, ["lines not_allowed"]],
    ["full with a line of 0", { kind: "full", lines: [line("a", 0)] }, ["lines not_allowed"]],
    ["partial without lines", { kind: "partial", lines: [] }, ["lines required"]],
    [
      "partial with amounts of 0 alone",
      { kind: "partial", lines: [line("a", 0), line("b", 0)] },
      ["lines too_small"],
    ],
    [
      "a line named twice",
      { kind: "partial", lines: [line("a", 1), line("b", 1), line("a", 2)] },
      ["lines[2].invoice_line_id duplicate"],
    ],
    [
      "a line named twice with 0",
      { kind: "partial", lines: [line("a", 0), line("a", 0)] },
      ["lines[1].invoice_line_id duplicate"],
    ],
  ])("%s", (_, input, expected) => {
    expect(creditFaults(input).map(({ field, code }) => `${field} ${code}`)).toEqual(expected);
  });
});

describe("reading the lines of a partial credit", () => {
  const read = (lines: CreditInput["lines"], digits = 2) => creditLinesFrom(lines, fresh, digits);

  it("turns amounts into minor units of the invoice's currency", () => {
    const sent = [{ invoice_line_id: ADVICE, amount: 12.5 }];
    expect(read(sent)).toEqual(partial([ADVICE, 12_50n]));
    expect(read(sent, 3)).toEqual(partial([ADVICE, 12_500n]));
    expect(read([{ invoice_line_id: ADVICE, amount: 12 }], 0)).toEqual(partial([ADVICE, 12n]));
    expect(read([{ invoice_line_id: ADVICE, amount: 0.001 }], 3)).toEqual(partial([ADVICE, 1n]));
  });

  it("leaves out a line of 0 and keeps the order of the others", () => {
    const sent = [
      { invoice_line_id: HOSTING, amount: 1 },
      { invoice_line_id: ADVICE, amount: 0 },
    ];
    expect(read(sent)).toEqual(partial([HOSTING, 1_00n]));
    expect(read([{ invoice_line_id: ADVICE, amount: 2 }, ...sent.slice(0, 1)])).toEqual(
      partial([ADVICE, 2_00n], [HOSTING, 1_00n]),
    );
  });

  it.each<[string, string, number, number, string]>([
    ["a line of another invoice", "elsewhere", 1, 2, "lines[0].invoice_line_id unknown_reference"],
    [
      "a line of another invoice with 0",
      "elsewhere",
      0,
      2,
      "lines[0].invoice_line_id unknown_reference",
    ],
    ["more decimals than the currency has", ADVICE, 1.005, 2, "lines[0].amount too_many_decimals"],
    ["half a yen", ADVICE, 100.5, 0, "lines[0].amount too_many_decimals"],
    ["a tiny amount", ADVICE, 1e-7, 2, "lines[0].amount too_many_decimals"],
    ["a huge amount", ADVICE, 1e300, 2, ""],
    ["an amount of 0 alone", ADVICE, 0, 2, "lines too_small"],
  ])("%s", (_, invoice_line_id, amount, digits, expected) => {
    const sent = [{ invoice_line_id, amount }];
    if (expected === "") {
      const huge = read(sent, digits);
      expect(refusalOf(() => decideCredit("partial", huge, fresh, 2)).code).toBe(
        "CREDIT_EXCEEDS_LINE",
      );
      return;
    }
    const { code, extras } = refusalOf(() => read(sent, digits));
    expect(code).toBe("VALIDATION_FAILED");
    expect(extras.field_errors?.map((fault) => `${fault.field} ${fault.code}`)).toEqual([expected]);
  });

  it("names all faults of the lines", () => {
    const sent = [
      { invoice_line_id: "elsewhere", amount: 1 },
      { invoice_line_id: ADVICE, amount: 0.001 },
    ];
    expect(refusalOf(() => read(sent)).extras.field_errors).toHaveLength(2);
  });
});

describe("the decision about a credit", () => {
  it("credits every line by position for a full credit", () => {
    expect(decideCredit("full", [], fresh, 2)).toEqual(
      partial([ADVICE, 100_00n], [HOSTING, 50_00n]),
    );
  });

  it("credits the requested amounts in their order for a partial credit", () => {
    const asked = partial([HOSTING, 50_00n], [ADVICE, 1n]);
    expect(decideCredit("partial", asked, fresh, 2)).toEqual(asked);
  });

  it("credits the remainder for a full credit after a partial one, without lines that have none", () => {
    const some = less(partial([ADVICE, 30_00n]));
    expect(decideCredit("full", [], some, 2)).toEqual(partial([ADVICE, 70_00n], [HOSTING, 50_00n]));
    const whole_line = less(partial([HOSTING, 50_00n]));
    expect(decideCredit("full", [], whole_line, 2)).toEqual(partial([ADVICE, 100_00n]));
  });

  it("refuses a full or partial credit after a full one", () => {
    const nothing = less(decideCredit("full", [], fresh, 2));
    expect(refusalOf(() => decideCredit("full", [], nothing, 2)).code).toBe(
      "INVOICE_FULLY_CREDITED",
    );
    const asked = partial([ADVICE, 1n]);
    expect(refusalOf(() => decideCredit("partial", asked, nothing, 2)).code).toBe(
      "INVOICE_FULLY_CREDITED",
    );
  });

  it("refuses a full credit after partial credits of everything", () => {
    const nothing = less(partial([ADVICE, 100_00n], [HOSTING, 50_00n]));
    expect(refusalOf(() => decideCredit("full", [], nothing, 2)).code).toBe(
      "INVOICE_FULLY_CREDITED",
    );
  });

  it.each<[string, readonly CreditableLine[], [LineId, bigint], number]>([
    ["of a line", fresh, [ADVICE, 100_01n], 100],
    ["that remains of it", less(partial([ADVICE, 30_00n])), [ADVICE, 70_01n], 70],
    ["of a line that is fully credited", less(partial([HOSTING, 50_00n])), [HOSTING, 1n], 0],
  ])("refuses 0.01 more than the amount %s", (_, lines, asked, remainder) => {
    const { code, extras } = refusalOf(() => decideCredit("partial", partial(asked), lines, 2));
    expect(code).toBe("CREDIT_EXCEEDS_LINE");
    expect(extras.details).toEqual({ line: asked[0], remainder });
    const exact = partial([asked[0], asked[1] - 1n]);
    if (exact[0]?.amount !== 0n) expect(decideCredit("partial", exact, lines, 2)).toEqual(exact);
  });

  it.each([
    [0, 10000],
    [3, 10],
  ])("reports the remainder in a currency of %i decimals", (digits, remainder) => {
    const decide = () => decideCredit("partial", partial([ADVICE, 100_01n]), fresh, digits);
    expect(refusalOf(decide).extras.details).toEqual({ line: ADVICE, remainder });
  });

  it("refuses the whole request because of one line, whatever remains of the others", () => {
    const asked = partial([ADVICE, 1_00n], [HOSTING, 50_01n]);
    expect(refusalOf(() => decideCredit("partial", asked, fresh, 2)).extras.details).toEqual({
      line: HOSTING,
      remainder: 50,
    });
  });

  it("credits nothing on lines of 0", () => {
    const free = [{ line_id: ADVICE, position: 1, amount: 0n, credited: 0n }];
    expect(refusalOf(() => decideCredit("full", [], free, 2)).code).toBe("INVOICE_FULLY_CREDITED");
    const mixed = [...free, { line_id: HOSTING, position: 2, amount: 5n, credited: 0n }];
    expect(decideCredit("full", [], mixed, 2)).toEqual(partial([HOSTING, 5n]));
  });
});

const customer: DocumentFacts["customer"] = {
  id: "01990000-0000-7000-8000-000000000001",
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
  readonly currency?: string;
  readonly rate_micro?: bigint;
  readonly domestic_rate?: number;
  /** Net and account of each line; their ids are line-1, line-2 and so on. */
  readonly lines: readonly (readonly [net: bigint, account: number])[];
  /** An account without an entry is an ordinary domestic one. */
  readonly codes?: ReadonlyMap<number, VatCode>;
}

function invoiceOf(sale: Sale): DocumentSnapshot {
  const lines = sale.lines.map(([agreed_value, account_number], index): Line => {
    return {
      id: id(`line-${index + 1}`),
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
  });
  const invoice = {
    id: "invoice" as InvoiceId,
    currency: sale.currency ?? "DKK",
    title: null,
    lines,
  };
  return documentOf(invoice, "2026-11-01" as CalendarDate, {
    account_name: "Nordlys",
    seller: null,
    customer,
    language: "da",
    functional_currency: "DKK",
    rate_micro: sale.rate_micro ?? null,
    rate_date: null,
    terms: { type: "Netto", days: 14 },
    vat: { domestic_rate: sale.domestic_rate ?? 25_00, domestic_country: "DK" },
    vat_codes: new Map(sale.codes ?? []),
    sales_accounts: new Map(),
    hours: new Map(),
  });
}

/** The documents of credits, booked one after the other. */
function creditsOf(
  document: DocumentSnapshot,
  requests: readonly (readonly CreditLine[])[],
): DocumentSnapshot[] {
  const credits: DocumentSnapshot[] = [];
  for (const lines of requests) {
    const number = credits.length + 1;
    credits.push(creditOf(document, lines, bookedFrom(credits), `credit-${number}`));
  }
  return credits;
}

function creditOf(
  document: DocumentSnapshot,
  lines: readonly CreditLine[],
  booked: BookedCredits,
  credit_id = "credit",
): DocumentSnapshot {
  const note = { id: credit_id, credit_date: "2026-12-05", lines };
  return creditDocumentOf(note, { document, number: 17n }, booked);
}

const of = (line: number, amount: bigint): CreditLine => ({
  invoice_line_id: id(`line-${line}`),
  amount,
});

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, each) => total + each, 0n);

describe("the document of a credit note", () => {
  const invoice = invoiceOf({
    lines: [
      [100_00n, 1010],
      [50_00n, 1010],
    ],
  });
  const [credit] = creditsOf(invoice, [[of(2, 20_00n), of(1, 4n)]]);

  it("names its invoice, is due on its own day, and otherwise equals the invoice", () => {
    expect(credit).toMatchObject({
      kind: "credit_note",
      document_id: "credit-1",
      issue_date: "2026-12-05",
      credits: { invoice_number: 17n, invoice_date: "2026-11-01" },
      payment: { type: "Netto", days: 14, due_date: "2026-12-05" },
      customer: invoice.customer,
      currency: "DKK",
    });
  });

  it("may be dated before the invoice", () => {
    const note = { id: "early", credit_date: "2026-10-01", lines: [of(1, 1n)] };
    const early = creditDocumentOf(
      note,
      { document: invoice, number: 17n },
      { by_line: new Map() },
    );
    expect(early).toMatchObject({
      issue_date: "2026-10-01",
      credits: { invoice_date: "2026-11-01" },
    });
  });

  it("has positive amounts in the order of the credit, each line as one unit at its amount", () => {
    expect(credit?.lines).toMatchObject([
      {
        line_id: "line-2",
        position: 1,
        net: 20_00n,
        rows: [{ quantity: 1_00, unit_price_scaled: 20_0000n, discount: 0, net: 20_00n }],
      },
      { line_id: "line-1", position: 2, net: 4n },
    ]);
    expect(credit?.totals).toEqual({ net: 20_04n, vat: 5_01n, gross: 25_05n });
  });

  it.each<[string, bigint]>([
    ["JPY", 7_0000n],
    ["KWD", 70n],
    ["EUR", 700n],
  ])("states the unit price in 1/10000 of a %s", (currency, expected) => {
    const foreign = invoiceOf({ currency, rate_micro: 1_000_000n, lines: [[10n, 1010]] });
    const [seven] = creditsOf(foreign, [[of(1, 7n)]]);
    expect(seven?.lines[0]?.rows[0]?.unit_price_scaled).toBe(expected);
  });
});

describe("VAT of partial credits", () => {
  const vats = (credits: readonly DocumentSnapshot[]) => credits.map(({ totals }) => totals.vat);

  it("is cumulative: 0.10 with VAT of 0.03, credited as 0.05 and 0.05, is 0.01 and 0.02", () => {
    const invoice = invoiceOf({ lines: [[10n, 1010]] });
    expect(invoice.totals).toEqual({ net: 10n, vat: 3n, gross: 13n });
    expect(vats(creditsOf(invoice, [[of(1, 5n)], [of(1, 5n)]]))).toEqual([1n, 2n]);
  });

  it("is cumulative across the lines of one code: three times 0.33 is 0.25 in all", () => {
    const invoice = invoiceOf({
      lines: [
        [33n, 1010],
        [33n, 1020],
        [33n, 1010],
      ],
    });
    expect(invoice.totals.vat).toBe(25n);
    const credits = creditsOf(invoice, [[of(1, 33n)], [of(2, 33n)], [of(3, 33n)]]);
    expect(vats(credits)).toEqual([8n, 9n, 8n]);
  });

  it("may be 0 for one credit, which the next one compensates", () => {
    const invoice = invoiceOf({ lines: [[4n, 1010]] });
    const credits = creditsOf(invoice, [[of(1, 1n)], [of(1, 1n)], [of(1, 1n)], [of(1, 1n)]]);
    expect(vats(credits)).toEqual([0n, 1n, 0n, 0n]);
    expect(sum(vats(credits))).toBe(invoice.totals.vat);
  });

  it("is computed for each code, and a code without a credit is not listed", () => {
    const invoice = invoiceOf({
      lines: [
        [100_00n, 1010],
        [40_00n, 1200],
      ],
      codes: new Map([[1200, "DK0"]]),
    });
    const [taxed, exempt, both] = creditsOf(invoice, [
      [of(1, 10_00n)],
      [of(2, 10_00n)],
      [of(2, 30_00n), of(1, 90_00n)],
    ]);
    expect(taxed?.vat).toMatchObject([{ vat_code: "DK25", base: 10_00n, vat: 2_50n }]);
    expect(exempt?.vat).toMatchObject([
      { vat_code: "DK0", base: 10_00n, vat: 0n, reason: "exempt" },
    ]);
    expect(both?.vat).toMatchObject([
      { vat_code: "DK25", base: 90_00n, vat: 22_50n },
      { vat_code: "DK0", base: 30_00n, vat: 0n },
    ]);
  });
});

describe("a credit in foreign currency", () => {
  it("uses the invoice's rate for each remainder: 0.01 USD three times of 0.03 at 6.4025", () => {
    const invoice = invoiceOf({ currency: "USD", rate_micro: 6_402_500n, lines: [[3n, 1010]] });
    expect(invoice.lines[0]?.net_functional).toBe(19n);
    const credits = creditsOf(invoice, [[of(1, 1n)], [of(1, 1n)], [of(1, 1n)]]);
    // 0.1921 less 0.1281, less 0.0640, less nothing, each rounded.
    expect(credits.map(({ lines }) => lines[0]?.net_functional)).toEqual([6n, 7n, 6n]);
  });

  it("equals exactly the invoice's amounts if it credits everything together", () => {
    const invoice = invoiceOf({
      currency: "EUR",
      rate_micro: 7_460_123n,
      lines: [
        [33_33n, 1010],
        [66_67n, 1020],
      ],
    });
    const [credit] = creditsOf(invoice, [[of(1, 33_33n), of(2, 66_67n)]]);
    expect(credit?.vat).toEqual(invoice.vat);
    expect(credit?.totals).toEqual(invoice.totals);
    expect(credit?.rate_micro).toBe(7_460_123n);
    expect(credit?.lines.map((line) => line.net_functional)).toEqual(
      invoice.lines.map((line) => line.net_functional),
    );
  });
});

describe("the credits of any invoice", () => {
  const accounts = [1010, 1020, 1050, 1200];
  const money = fc.oneof(
    fc.constant({ currency: "DKK" }),
    fc.record({
      currency: fc.constantFrom("EUR", "USD", "JPY", "KWD"),
      rate_micro: fc.bigInt({ min: 1n, max: 30_000_000n }),
    }),
  );
  const sale: fc.Arbitrary<Sale> = fc
    .record({
      money,
      domestic_rate: fc.constantFrom(25_00, 25_00, 23_33, 0, 100_00),
      lines: fc.array(
        fc.tuple(
          fc.oneof(fc.bigInt({ min: 0n, max: 60n }), fc.bigInt({ min: 0n, max: 10n ** 12n })),
          fc.constantFrom(...accounts),
        ),
        { minLength: 1, maxLength: 5 },
      ),
      codes: fc.dictionary(fc.constantFrom("1020", "1050", "1200"), fc.constantFrom(...vatCodes)),
    })
    .map(({ money: drawn, codes, ...rest }) => ({
      ...rest,
      ...drawn,
      codes: new Map(Object.entries(codes).map(([account, code]) => [Number(account), code])),
    }));
  /** Shares of the remaining amounts, in percent: by line, for one credit after the other. */
  const shares = fc.array(
    fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 5, maxLength: 5 }),
    {
      maxLength: 6,
    },
  );

  const creditable = (document: DocumentSnapshot, credits: readonly CreditLine[]) =>
    less(
      credits,
      document.lines.map((line) => ({
        line_id: id(line.line_id),
        position: line.position,
        amount: line.net,
        credited: 0n,
      })),
    );

  /** Partial credits as drawn, and optionally a full one for the rest. */
  function requestsOf(
    document: DocumentSnapshot,
    drawn: readonly (readonly number[])[],
    is_whole: boolean,
  ): CreditLine[][] {
    const requests: CreditLine[][] = [];
    for (const percentages of drawn) {
      const asked = creditable(document, requests.flat()).flatMap((line, index) => {
        const amount = percentOf(line.amount - line.credited, (percentages[index] ?? 0) * 100);
        return amount === 0n ? [] : [{ invoice_line_id: line.line_id, amount }];
      });
      if (asked.length > 0) {
        requests.push(decideCredit("partial", asked, creditable(document, requests.flat()), 2));
      }
    }
    const rest = creditable(document, requests.flat());
    const is_left = rest.some((line) => line.amount > line.credited);
    if (is_whole && is_left) requests.push(decideCredit("full", [], rest, 2));
    return requests;
  }

  const check = (
    is_whole: boolean,
    law: (invoice: DocumentSnapshot, credits: DocumentSnapshot[]) => void,
  ) =>
    fc.assert(
      fc.property(sale, shares, (drawn, percentages) => {
        const invoice = invoiceOf(drawn);
        law(invoice, creditsOf(invoice, requestsOf(invoice, percentages, is_whole)));
      }),
      { numRuns: 400 },
    );

  const nets = (documents: readonly DocumentSnapshot[], line_id: string) =>
    documents.flatMap(({ lines }) => lines.filter((line) => line.line_id === line_id));
  const taxes = (documents: readonly DocumentSnapshot[], code: VatCode) =>
    documents.flatMap(({ vat }) => vat.filter((entry) => entry.vat_code === code));

  it("total the invoice line by line, in both currencies", () => {
    check(true, (invoice, credits) => {
      for (const { line_id, net, net_functional } of invoice.lines) {
        const credited = nets(credits, line_id);
        expect(sum(credited.map((line) => line.net))).toBe(net);
        expect(sum(credited.map((line) => line.net_functional))).toBe(net_functional);
      }
    });
  });

  it("total the invoice by VAT code, in both currencies", () => {
    check(true, (invoice, credits) => {
      for (const entry of invoice.vat) {
        const credited = taxes(credits, entry.vat_code);
        expect(sum(credited.map(({ base }) => base))).toBe(entry.base);
        expect(sum(credited.map(({ vat }) => vat))).toBe(entry.vat);
        expect(sum(credited.map(({ vat_functional }) => vat_functional))).toBe(
          entry.vat_functional,
        );
      }
      for (const key of ["net", "vat", "gross"] as const) {
        expect(sum(credits.map(({ totals }) => totals[key]))).toBe(invoice.totals[key]);
      }
    });
  });

  it("together with the invoice leave 0 on every account of the ledger", () => {
    check(true, (invoice, credits) => {
      const balances = new Map<number, bigint>();
      for (const { account_number, amount } of [invoice, ...credits].flatMap(postingsOf)) {
        balances.set(account_number, (balances.get(account_number) ?? 0n) + amount);
      }
      expect([...balances.values()].every((balance) => balance === 0n)).toBe(true);
    });
  });

  it("never exceed the invoice on the way, and are never negative", () => {
    check(false, (invoice, credits) => {
      for (const credit of credits) {
        const amounts = [
          ...credit.lines.flatMap((line) => [line.net, line.net_functional]),
          ...credit.vat.flatMap((entry) => [entry.base, entry.vat, entry.vat_functional]),
        ];
        expect(amounts.every((amount) => amount >= 0n)).toBe(true);
      }
      for (const line of invoice.lines) {
        const credited = nets(credits, line.line_id).map((each) => each.net_functional);
        expect(sum(credited) <= line.net_functional).toBe(true);
      }
      for (const entry of invoice.vat) {
        const credited = taxes(credits, entry.vat_code);
        expect(sum(credited.map(({ vat }) => vat)) <= entry.vat).toBe(true);
        expect(
          sum(credited.map(({ vat_functional }) => vat_functional)) <= entry.vat_functional,
        ).toBe(true);
      }
    });
  });

  it("always have the VAT of the total credited so far", () => {
    check(false, (invoice, credits) => {
      for (const { vat_code, rate } of invoice.vat) {
        const entries = taxes(credits, vat_code);
        const base = sum(entries.map((entry) => entry.base));
        expect(sum(entries.map(({ vat }) => vat))).toBe(percentOf(base, rate));
      }
    });
  });

  it("are each consistent: lines, VAT and totals agree", () => {
    check(false, (_, credits) => {
      for (const { lines, vat, totals } of credits) {
        expect(totals.net).toBe(sum(lines.map((line) => line.net)));
        expect(totals.net).toBe(sum(vat.map((entry) => entry.base)));
        expect(totals.vat).toBe(sum(vat.map((entry) => entry.vat)));
        expect(totals.gross).toBe(totals.net + totals.vat);
        expect(lines.map((line) => line.position)).toEqual(lines.map((_line, index) => index + 1));
        for (const line of lines) expect(sum(line.rows.map(({ net }) => net))).toBe(line.net);
      }
    });
  });

  it("have equal amounts in both currencies if both are the same", () => {
    check(false, (invoice, credits) => {
      if (invoice.rate_micro !== null) return;
      expect(currencyDigits(invoice.currency)).toBe(invoice.functional_digits);
      for (const line of credits.flatMap(({ lines }) => lines)) {
        expect(line.net_functional).toBe(line.net);
      }
    });
  });

  it("depend only on the net amounts, as long as none is refused", () => {
    check(false, (invoice, credits) => {
      for (const [index, credit] of credits.entries()) {
        const { by_line } = bookedFrom(credits.slice(0, index));
        const lines = credit.lines.map(({ line_id, net }) => {
          return { invoice_line_id: id(line_id), amount: net };
        });
        expect(creditOf(invoice, lines, { by_line }, credit.document_id)).toEqual(credit);
      }
    });
  });

  it("total the invoice even if a ledger refuses some after others were rounded based on them", () => {
    const refused = fc.array(fc.boolean(), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(sale, shares, refused, (drawn, percentages, is_refused) => {
        const invoice = invoiceOf(drawn);
        const under_way = creditsOf(invoice, requestsOf(invoice, percentages, false));
        const booked = under_way.filter((_, index) => !is_refused[index]);
        const credited = booked.flatMap(({ lines }) =>
          lines.map(({ line_id, net }) => ({ invoice_line_id: id(line_id), amount: net })),
        );
        const left = creditable(invoice, credited);
        if (left.every((line) => line.amount === line.credited)) return;
        const rest = decideCredit("full", [], left, 2);
        const all = [...booked, creditOf(invoice, rest, bookedFrom(booked))];
        for (const { line_id, net_functional } of invoice.lines) {
          const amounts = nets(all, line_id).map((line) => line.net_functional);
          expect(sum(amounts)).toBe(net_functional);
          expect(amounts.every((amount) => amount >= 0n)).toBe(true);
        }
        for (const entry of invoice.vat) {
          const entries = taxes(all, entry.vat_code);
          expect(sum(entries.map(({ vat }) => vat))).toBe(entry.vat);
          expect(sum(entries.map((each) => each.vat_functional))).toBe(entry.vat_functional);
        }
      }),
      { numRuns: 400 },
    );
  });

  it("are never negative while some are uncertain or refused", () => {
    const ask = fc.tuple(fc.integer({ min: 1, max: 100 }), fc.boolean());
    fc.assert(
      fc.property(sale, fc.array(ask, { maxLength: 12 }), (drawn, asked) => {
        const invoice = invoiceOf({ ...drawn, lines: drawn.lines.slice(0, 1) });
        // A credit under way counts until the next one is done; then it is refused.
        let booked: DocumentSnapshot[] = [];
        let uncertain: DocumentSnapshot[] = [];
        for (const [percentage, is_uncertain] of asked) {
          const counted = [...booked, ...uncertain];
          const [line] = invoice.lines;
          const rest = (line?.net ?? 0n) - sum(nets(counted, "line-1").map(({ net }) => net));
          const amount = percentOf(rest, percentage * 100);
          if (amount === 0n) break;
          const credit = creditOf(invoice, [of(1, amount)], bookedFrom(counted));
          const amounts = [
            ...credit.lines.map((each) => each.net_functional),
            ...credit.vat.flatMap((entry) => [entry.vat, entry.vat_functional]),
          ];
          expect(amounts.every((each) => each >= 0n)).toBe(true);
          if (is_uncertain) uncertain = [credit];
          else {
            booked = [...booked, credit];
            uncertain = [];
          }
        }
      }),
      { numRuns: 400 },
    );
  });

  it("total the same in one credit or in many", () => {
    check(true, (invoice, credits) => {
      const all = creditable(invoice, []);
      if (all.every((line) => line.amount === 0n)) return;
      const [at_once] = creditsOf(invoice, [decideCredit("full", [], all, 2)]);
      expect(at_once?.totals).toEqual(invoice.totals);
      expect(sum(credits.map(({ totals }) => totals.gross))).toBe(at_once?.totals.gross);
    });
  });
});
