/**
 * Reads invoices and credit notes by our guid, which is their `reference`. Tryton does not keep references unique, so there may
 * be several drafts; a booked document takes precedence. A credit note is an invoice with a negative total.
 */
import { round } from "../../../domain/base/money.ts";
import type { Booked, BookedFunctional } from "../../ledger.ts";
import { requireCompany, type Tryton } from "./api.ts";
import {
  amountOf,
  day,
  dayOf,
  idOf,
  related,
  type TrytonRecord,
  textOf,
  UnreadableValue,
} from "./values.ts";

export interface DocumentsUnder {
  /** The booked document; null while nothing is booked. */
  readonly booked: TrytonRecord | null;
  /** The drafts, the oldest first. */
  readonly drafts: readonly TrytonRecord[];
}

const FIELDS = [
  ...["state", "number", "reference", "comment", "invoice_date", "account", "move"],
  ...["untaxed_amount", "tax_amount", "total_amount"],
  ...["currency", "currency.digits", "company.currency", "company.currency.digits"],
  ...["move.date", "move.period.fiscalyear.end_date"],
];

/** Reads the documents under a guid; `kind` null for both kinds. */
export async function documentsUnder(
  tryton: Tryton,
  kind: "invoice" | "credit_note" | null,
  guid: string,
): Promise<DocumentsUnder> {
  const found = await tryton.read(
    "account.invoice",
    [
      ["company", "=", requireCompany(tryton)],
      ["type", "=", "out"],
      ["reference", "=", guid],
    ],
    FIELDS,
  );
  const rows = found.filter((row) => kind === null || kindOf(row) === kind);
  return {
    // A document that was cancelled after its booking still counts as booked, and keeps its number.
    booked: rows.find((row) => textOf(row, "number") !== null && !isDraft(row)) ?? null,
    drafts: rows.filter(isDraft),
  };
}

function isDraft(row: TrytonRecord): boolean {
  return row.state === "draft" || row.state === "validated";
}

export function kindOf(row: TrytonRecord): "invoice" | "credit_note" {
  return amountOf(row, "untaxed_amount", digitsOf(row)) < 0n ? "credit_note" : "invoice";
}

export function digitsOf(row: TrytonRecord): number {
  const digits = related(row, "currency")?.digits;
  if (typeof digits !== "number") throw new UnreadableValue("a currency without digits");
  return digits;
}

/** Returns the totals of a draft as Tryton has computed them, or of a booked document; above 0 for a credit note. */
export function totalsOf(row: TrytonRecord): NonNullable<Booked["totals"]> {
  const total = (field: string) => size(amountOf(row, field, digitsOf(row)));
  return {
    net: total("untaxed_amount"),
    vat: total("tax_amount"),
    gross: total("total_amount"),
  };
}

/** Returns the booking of a row. */
export async function bookedFrom(tryton: Tryton, guid: string, row: TrytonRecord): Promise<Booked> {
  const functional = await functionalOf(tryton, row);
  return {
    state: "booked",
    guid,
    ledger_id: String(idOf(row)),
    number: numberFrom(row, "number"),
    ...yearOf(related(row, "move")),
    totals: totalsOf(row),
    ...(functional === null ? {} : { functional }),
  };
}

/** Reads a number, which is text in Tryton. The connection check refuses sequences that produce non-integers. */
export function numberFrom(row: TrytonRecord, field: string): bigint {
  const text = textOf(row, field) ?? "";
  if (!hasWholeNumber(row, field))
    throw new UnreadableValue(`the number ${text} is no whole number`);
  return BigInt(text);
}

export function hasWholeNumber(row: TrytonRecord, field: string): boolean {
  return /^\d{1,18}$/.test(textOf(row, field) ?? "");
}

/** Returns the year in which a number is unique. Sequences belong to fiscal years, named by their last day's year. */
export function yearOf(move: TrytonRecord | null): { year?: number } {
  const period = move && related(move, "period");
  const fiscal_year = period && related(period, "fiscalyear");
  const last_day = fiscal_year && dayOf(fiscal_year, "end_date");
  return last_day ? { year: Number(last_day.slice(0, 4)) } : {};
}

/** Returns the amounts of a foreign document in the company's currency, from its move; null for a document in that currency. */
async function functionalOf(tryton: Tryton, row: TrytonRecord): Promise<BookedFunctional | null> {
  const company = related(row, "company");
  const own = company && related(company, "currency");
  const move = row.move;
  if (!company || !own || company.currency === row.currency || typeof move !== "number")
    return null;
  const digits = Number(own.digits);
  const [lines, taxes, rates] = await Promise.all([
    tryton.read("account.move.line", [["move", "=", move]], ["account", "debit", "credit"]),
    tryton.read("account.invoice.tax", [["invoice", "=", idOf(row)]], ["account"]),
    readRates(tryton, row, Number(company.currency)),
  ]);
  const tax_accounts = new Set(taxes.map((tax) => tax.account));
  const sumOf = (accounts: ReadonlySet<unknown>) =>
    size(
      lines
        .filter((line) => accounts.has(line.account))
        .reduce(
          (sum, line) => sum + amountOf(line, "debit", digits) - amountOf(line, "credit", digits),
          0n,
        ),
    );
  return {
    rate_micro: round(1_000_000n * rates.own, rates.foreign),
    gross: sumOf(new Set([row.account])),
    vat: sumOf(tax_accounts),
  };
}

/** Tryton's rates have at most six decimals by default; twelve leave room for settings that allow more. */
const RATE_DECIMALS = 12;

async function readRates(
  tryton: Tryton,
  row: TrytonRecord,
  own: number,
): Promise<{ readonly own: bigint; readonly foreign: bigint }> {
  const on = dayOf(row, "invoice_date");
  const rates = await tryton.read(
    "currency.currency",
    [["id", "in", [own, row.currency]]],
    ["rate"],
    { context: on ? { date: day(on) } : {} },
  );
  const rateOf = (id: unknown) => {
    const rate = rates.find((one) => one.id === id);
    return rate ? amountOf(rate, "rate", RATE_DECIMALS) : 0n;
  };
  const foreign = rateOf(row.currency);
  if (foreign === 0n) throw new UnreadableValue("a booked document without a rate");
  return { own: rateOf(own), foreign };
}

function size(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}
