/**
 * Credit notes (spec 5.5): what may be credited, and the document of a credit. VAT and functional amounts follow running totals,
 * so that the partial credits of an invoice add up to it exactly (spec 2.7 and 9.3).
 */
import type { LineId } from "../base/brand.ts";
import type { CalendarDate } from "../base/calendar.ts";
import { type Money, percentOf, scaledFromNumber, scaledToNumber } from "../base/money.ts";
import { type FieldError, invalidField, Problem, requireValid } from "../base/problem.ts";
import { creditedService, type ServiceCut } from "./cancellation.ts";
import type { DocumentLine, DocumentSnapshot, DocumentVat } from "./document.ts";
import { type Conversion, functional } from "./totals.ts";
import type { VatCode } from "./vat-code.ts";

export const creditKinds = ["full", "partial"] as const;
export type CreditKind = (typeof creditKinds)[number];

/** A line of an issued invoice, with its issued, queued and pending credits. */
export interface CreditableLine {
  readonly line_id: LineId;
  readonly position: number;
  readonly amount: Money;
  /** Issued, queued and pending credits. */
  readonly credited: Money;
}

export interface CreditInput {
  readonly kind: CreditKind;
  readonly lines: readonly { readonly invoice_line_id: string; readonly amount: number }[];
}

export interface CreditLine {
  readonly invoice_line_id: LineId;
  readonly amount: Money;
}

/** The date of a credit note's document, entry, VAT and revenue (spec 5.5): never before the invoice's own date. */
export function creditDateOf(asked: CalendarDate, invoice_date: CalendarDate | null): CalendarDate {
  return invoice_date !== null && asked < invoice_date ? invoice_date : asked;
}

/** Returns the faults in the lines of the request that do not depend on the invoice. */
export function creditFaults({ kind, lines }: CreditInput): FieldError[] {
  if (kind === "full") {
    if (lines.length === 0) return [];
    return [{ field: "lines", code: "not_allowed", message: "A full credit takes no lines." }];
  }
  if (lines.length === 0) {
    return [{ field: "lines", code: "required", message: "A partial credit needs lines." }];
  }
  const seen = new Set<string>();
  const twice = lines.flatMap(({ invoice_line_id }, index): FieldError[] => {
    const repeated = seen.has(invoice_line_id);
    seen.add(invoice_line_id);
    const field = `lines[${index}].invoice_line_id`;
    return repeated ? [{ field, code: "duplicate", message: "The line is named twice." }] : [];
  });
  if (twice.length > 0 || lines.some((line) => line.amount > 0)) return twice;
  return [
    { field: "lines", code: "too_small", message: "At least one amount must be more than 0." },
  ];
}

/**
 * Returns the lines of a partial credit in minor units, without lines of amount 0. Throws VALIDATION_FAILED for a line that is
 * not on the invoice, or an amount with more decimals than its currency.
 */
export function creditLinesFrom(
  lines: CreditInput["lines"],
  invoice_lines: readonly CreditableLine[],
  currency_digits: number,
): CreditLine[] {
  const known = new Map(invoice_lines.map((line) => [line.line_id as string, line]));
  const faults: FieldError[] = [];
  const credits = lines.flatMap(({ invoice_line_id, amount }, index): CreditLine[] => {
    const line = known.get(invoice_line_id);
    if (line === undefined) {
      const field = `lines[${index}].invoice_line_id`;
      faults.push({ field, code: "unknown_reference", message: "Not a line of this invoice." });
      return [];
    }
    const scaled = scaledFromNumber(amount, currency_digits);
    if (typeof scaled === "string") {
      const message = `The currency has ${currency_digits} decimals.`;
      faults.push({ field: `lines[${index}].amount`, code: scaled, message });
      return [];
    }
    return scaled === 0n ? [] : [{ invoice_line_id: line.line_id, amount: scaled }];
  });
  requireValid(faults);
  if (credits.length === 0) throw invalidField("lines", "too_small", "Nothing would be credited.");
  return credits;
}

/** Decides what is credited: `full` means every line's rest. Throws INVOICE_FULLY_CREDITED, CREDIT_EXCEEDS_LINE. */
export function decideCredit(
  kind: CreditKind,
  requested: readonly CreditLine[],
  invoice_lines: readonly CreditableLine[],
  currency_digits: number,
): CreditLine[] {
  const rests = new Map(invoice_lines.map((line) => [line.line_id, line.amount - line.credited]));
  const left = [...rests.values()].reduce((sum, rest) => sum + rest, 0n);
  if (left <= 0n) throw new Problem("INVOICE_FULLY_CREDITED");
  if (kind === "full") {
    return [...invoice_lines]
      .sort((a, b) => a.position - b.position)
      .map((line) => ({ invoice_line_id: line.line_id, amount: line.amount - line.credited }))
      .filter((line) => line.amount > 0n);
  }
  for (const { invoice_line_id, amount } of requested) {
    const rest = rests.get(invoice_line_id) ?? 0n;
    if (amount > rest) {
      const details = { line: invoice_line_id, remainder: scaledToNumber(rest, currency_digits) };
      throw new Problem("CREDIT_EXCEEDS_LINE", { details });
    }
  }
  return [...requested];
}

/**
 * Amounts in minor units that the invoice's other credit notes have booked or are booking, rounded as posted. They do
 * not always follow from the nets: a credit note rounded after one that a ledger refuses keeps its amounts.
 */
export interface BookedCredits {
  /** Net by line. */
  readonly by_line: ReadonlyMap<string, Money>;
  /** Absent when the amounts follow from the nets. */
  readonly functional_by_line?: ReadonlyMap<string, Money>;
  readonly vat_by_code?: ReadonlyMap<VatCode, PostedVat>;
}

type PostedVat = Pick<DocumentVat, "vat" | "vat_functional">;

/** Adds up the documents of credit notes. */
export function bookedFrom(documents: readonly DocumentSnapshot[]): Required<BookedCredits> {
  const by_line = new Map<string, Money>();
  const functional_by_line = new Map<string, Money>();
  const vat_by_code = new Map<VatCode, PostedVat>();
  for (const { lines, vat } of documents) {
    for (const { line_id, net, net_functional } of lines) {
      by_line.set(line_id, (by_line.get(line_id) ?? 0n) + net);
      functional_by_line.set(line_id, (functional_by_line.get(line_id) ?? 0n) + net_functional);
    }
    for (const entry of vat) {
      const before = vat_by_code.get(entry.vat_code) ?? { vat: 0n, vat_functional: 0n };
      vat_by_code.set(entry.vat_code, {
        vat: before.vat + entry.vat,
        vat_functional: before.vat_functional + entry.vat_functional,
      });
    }
  }
  return { by_line, functional_by_line, vat_by_code };
}

/** An invoice as it was issued. */
export interface CreditedDocument {
  readonly document: DocumentSnapshot;
  readonly number: bigint;
  /** The invoice's guid in the ledger, when it may differ from its id. */
  readonly ledger_guid?: string;
  /** Present when a ledger booked the invoice that the account has left since: it has the guid, and the new ledger has not. */
  readonly left?: { readonly year: number | null } | null;
}

/** Returns the document of a credit note: positive amounts, with the VAT treatment and rate of the invoice. */
export function creditDocumentOf(
  credit_note: {
    readonly id: string;
    readonly credit_date: string;
    readonly lines: readonly (CreditLine & Partial<ServiceCut>)[];
    /** Why the invoice is credited; printed under the lines. */
    readonly reason?: string | null;
  },
  invoice: CreditedDocument,
  booked: BookedCredits,
): DocumentSnapshot {
  const { document, ledger_guid = document.document_id, left = null } = invoice;
  const { rate_micro, currency_digits: from_digits, functional_digits: to_digits } = document;
  const conversion = rate_micro === null ? null : { rate_micro, from_digits, to_digits };
  const original = new Map(document.lines.map((line) => [line.line_id, line]));
  const lines = credit_note.lines.flatMap((credit, index): DocumentLine[] => {
    const { amount } = credit;
    const line = original.get(credit.invoice_line_id);
    if (line === undefined) return [];
    const rest = line.net - (booked.by_line.get(line.line_id) ?? 0n);
    const posted = booked.functional_by_line?.get(line.line_id);
    const rest_functional =
      posted === undefined ? functional(rest, conversion) : line.net_functional - posted;
    const credited_service = creditedService(line, credit);
    return [
      {
        ...line,
        ...(credited_service && { credited_service }),
        position: index + 1,
        // An amount is credited, not hours: `1 hour at 500.00` would state work that was not done.
        unit: line.unit === "hours" ? "parts" : line.unit,
        net: amount,
        net_functional: notBelowZero(rest_functional - functional(rest - amount, conversion)),
        rows: [
          {
            quantity: 100,
            unit_price_scaled: amount * 10n ** BigInt(Math.max(0, 4 - document.currency_digits)),
            discount: 0,
            net: amount,
          },
        ],
      },
    ];
  });
  const vat = document.vat.flatMap((entry) =>
    creditVat(entry, document, lines, booked, conversion),
  );
  // The invoice's footer, hours and payment codes concern the charge, not the credit.
  const { footer: _, hours: __, payment_codes: ___, ...kept } = document;
  const net = lines.reduce((sum, line) => sum + line.net, 0n);
  const tax = vat.reduce((sum, entry) => sum + entry.vat, 0n);
  return {
    ...kept,
    kind: "credit_note",
    document_id: credit_note.id,
    issue_date: credit_note.credit_date,
    payment: { ...document.payment, due_date: credit_note.credit_date },
    credits: {
      ...(left ? left.year !== null && { invoice_year: left.year } : { invoice_id: ledger_guid }),
      invoice_number: invoice.number,
      invoice_date: document.issue_date,
    },
    lines,
    vat,
    totals: { net, vat: tax, gross: net + tax },
    ...(credit_note.reason && { footer: credit_note.reason }),
  };
}

/** Returns the VAT of all credits including this note, less the VAT that was credited before. */
function creditVat(
  entry: DocumentVat,
  document: DocumentSnapshot,
  lines: readonly DocumentLine[],
  booked: BookedCredits,
  conversion: Conversion | null,
): DocumentVat[] {
  const ofCode = (code: VatCode) => (line: DocumentLine) => line.vat_code === code;
  const base = sumOf(lines.filter(ofCode(entry.vat_code)).map((line) => line.net));
  if (base === 0n) return [];
  const before = sumOf(
    document.lines
      .filter(ofCode(entry.vat_code))
      .map((line) => booked.by_line.get(line.line_id) ?? 0n),
  );
  const posted = booked.vat_by_code?.get(entry.vat_code);
  const vat_before = posted?.vat ?? percentOf(before, entry.rate);
  const vat = notBelowZero(percentOf(before + base, entry.rate) - vat_before);
  const rest_before = posted
    ? entry.vat_functional - posted.vat_functional
    : functional(entry.vat - vat_before, conversion);
  const rest_after = functional(entry.vat - vat_before - vat, conversion);
  return [{ ...entry, base, vat, vat_functional: notBelowZero(rest_before - rest_after) }];
}

/** Returns the amount, at least 0. Rounding after a refused credit may go below; later credits make up for it. */
function notBelowZero(amount: Money): Money {
  return amount < 0n ? 0n : amount;
}

function sumOf(amounts: readonly Money[]): Money {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
