/** Refusals on pages, in both languages. */
import { describe, expect, it } from "vitest";
import { lockedInLedger } from "../../domain/base/period-lock.ts";
import { Problem, problemCatalogue } from "../../domain/base/problem.ts";
import { warningCodes } from "../../domain/sales/warning.ts";
import { da } from "./da.ts";
import { en } from "./en.ts";
import { refusalOf } from "./refusal.ts";

it("names the accounting system only if the lock is its own", () => {
  const remote = refusalOf(lockedInLedger("2026-03-10", "Dinero"));
  const own = refusalOf(new Problem("PERIOD_LOCKED"));
  expect([en.refused(remote), da.refused(remote), da.refused(own)]).toEqual([
    "The period of 2026-03-10 is locked in Dinero; nothing was booked.",
    "Datoen ligger i en periode, der er låst i Dinero.",
    "Datoen ligger i en låst periode.",
  ]);
});

describe("a refusal says the same in English and in Danish", () => {
  it.each(
    problemCatalogue().map(({ code, message }) => [
      code,
      message,
      da.refused(refusalOf(new Problem(code))),
    ]),
  )("%s: %s = %s", (code, english, danish) => {
    expect(danish).not.toBe(english);
    expect(danish).toMatch(/[.!]$/);
    // No code, no field name and no English word of the sentences that the two often share.
    expect(danish).not.toMatch(new RegExp(`${code}|[a-z]_[a-z]|\\b(the|is|not|has|been)\\b`));
    expect(danish.match(/\d+/g) ?? []).toEqual(english.match(/\d+/g) ?? []);
  });
});

describe("a warning about a document says the same in English and in Danish", () => {
  const NUMBER = "has a wrong check digit";
  const table: readonly (readonly [string, string, string])[] = [
    [
      "SELLER_INCOMPLETE",
      `The seller's VAT number ${NUMBER}.`,
      "Jeres eget momsnummer har et forkert kontrolciffer.",
    ],
    [
      "SELLER_INCOMPLETE",
      `The seller's VAT number ${NUMBER}. The seller's IBAN has a wrong length or check digits.`,
      "Jeres eget momsnummer har et forkert kontrolciffer. Jeres IBAN har en forkert længde eller forkerte kontrolcifre.",
    ],
    [
      "SELLER_INCOMPLETE",
      "The invoice will show no name and no bank account of the seller: set them in the configuration.",
      "Fakturaen kommer ikke til at vise jeres navn og bankkonto: udfyld dem i indstillingerne.",
    ],
    [
      "SELLER_INCOMPLETE",
      "The credit note shows no address of the seller, as its invoice. The seller's VAT number belongs to another country.",
      "Kreditnotaen viser ikke jeres adresse, ligesom dens faktura. Jeres eget momsnummer hører til et andet land.",
    ],
    [
      "BUYER_NUMBER_DOUBTFUL",
      `The customer's VAT number ${NUMBER}, so that domestic VAT is charged.`,
      "Kundens momsnummer har et forkert kontrolciffer, så der lægges dansk moms på.",
    ],
    [
      "BUYER_NUMBER_MISSING",
      "The customer has no VAT number: domestic VAT is charged.",
      "Kunden har intet momsnummer: der lægges dansk moms på.",
    ],
    [
      "BUYER_NUMBER_MISSING",
      "Reverse charge is for businesses, and the customer is a private person: domestic VAT is charged.",
      "Omvendt betalingspligt er for virksomheder, og kunden er en privatperson: der lægges dansk moms på.",
    ],
    [
      "CONSUMER_IN_EU",
      "The customer is a private person in another country of the EU: domestic VAT is charged, and the One Stop Shop is not supported.",
      "Kunden er en privatperson i et andet EU-land: der lægges dansk moms på, og One Stop Shop understøttes ikke.",
    ],
    [
      "LINE_WITHOUT_HOURS",
      "Lines 1 and 3 have no hours and are not printed.",
      "Linje 1 og 3 har ingen timer og kommer ikke med på fakturaen.",
    ],
    [
      "RATE_OLD",
      "The exchange rate of EUR is of 2026-02-01, 37 days before the invoice.",
      "Kursen på EUR er fra 1.2.2026, 37 dage før fakturaen.",
    ],
    [
      "DATE_FAR",
      "The credit note is dated 2028-03-10, more than a year from today.",
      "Kreditnotaen er dateret 10.3.2028, mere end et år fra i dag.",
    ],
    [
      "DATE_BEFORE_LAST_NUMBER",
      "The invoice is dated 2026-03-09, and the last invoice has the date 2026-03-10: numbers and dates will not be in the same order.",
      "Fakturaen er dateret 9.3.2026, og den seneste har datoen 10.3.2026: numre og datoer får ikke samme rækkefølge.",
    ],
    [
      "NOBODY_ASSIGNED",
      "Line 2 has no assignee: its revenue will be unassigned.",
      "Linje 2 har ingen medarbejder: omsætningen tildeles ikke nogen.",
    ],
    [
      "EINVOICE_INCOMPLETE",
      "The invoice cannot be sent as an e-invoice: it lacks buyer_reference and customer.einvoice_address.",
      "Fakturaen kan ikke sendes som e-faktura: Den mangler buyer_reference og customer.einvoice_address.",
    ],
  ];

  it.each(table)("%s: %s = %s", (code, english, danish) => {
    expect([en.invoice.warning(code, english), da.invoice.warning(code, english)]).toEqual([
      english,
      danish,
    ]);
  });

  it("has every code in the table", () => {
    expect(new Set(table.map(([code]) => code))).toEqual(new Set(warningCodes));
  });
});
