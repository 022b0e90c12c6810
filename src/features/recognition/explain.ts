/** The explanation of one line's month: the rule's steps, and which accruals booked it or will. */
import { accrualOf, firstOpenMonth, isNothing } from "../../domain/accrual.ts";
import { type Month, monthOf } from "../../domain/calendar.ts";
import { contractOf } from "../../domain/contract.ts";
import { currencyDigits } from "../../domain/currency.ts";
import { explain } from "../../domain/explanation.ts";
import { HOURS_DECIMALS, PERCENT_DECIMALS, RATE_DECIMALS } from "../../domain/line.ts";
import {
  RATE_DECIMALS as EXCHANGE_DECIMALS,
  type Money,
  scaledToNumber,
} from "../../domain/money.ts";
import { Problem } from "../../domain/problem.ts";
import { earnedByUser } from "../../domain/recognition.ts";
import type { Context } from "../../platform/context.ts";
import { query } from "../../platform/database/database.ts";
import { type JsonText, jsonText } from "../../platform/json.ts";
import { type Configuration, getConfiguration } from "../configuration/queries.ts";
import { findIssued } from "../documents/issued.ts";
import { getInvoice } from "../invoices/queries.ts";
import { getSeries } from "../series/queries.ts";
import { findPlace } from "../work/place.ts";
import { closedThrough, currentMonth, positionThrough, todayOf } from "./accruals.ts";
import { Explanation, type ExplanationQuery } from "./explain-schemas.ts";
import type { CustomerPosition } from "./positions.ts";
import { type KnownPiece, requirePiece } from "./schedule.ts";

/** Throws NOT_FOUND for a line that the account has not, or that does not earn (yet). */
export async function readExplanation(
  cx: Context,
  { line_id, month }: ExplanationQuery,
): Promise<JsonText> {
  const configuration = await getConfiguration(cx);
  const current = currentMonth(cx, configuration);
  const customer_id = await customerOf(cx, configuration, line_id, month);
  const position = await positionThrough(cx, configuration, customer_id, month);
  const piece = requirePiece(position.pieces, line_id);
  const rows = await bookedRows(cx, piece);
  const convention = configuration.recognition_convention;
  const told = explain(piece.facts, convention, month, piece.currency, rows);
  const digits = currencyDigits(piece.currency);
  const money = (amount: Money): number => scaledToNumber(amount, digits);
  const now = piece.now.find((one) => one.month === month);
  const { line } = piece.facts;
  return jsonText(
    Explanation.parse({
      object: "recognition_explanation",
      line_id,
      month,
      customer_id,
      contract: contractOf(piece),
      period: piece.period,
      currency: piece.currency,
      recognition_method: line.recognition_method,
      convention,
      sentence: told.sentence,
      agreed_value: line.agreed_value === null ? null : money(line.agreed_value),
      discount: scaledToNumber(BigInt(line.discount), PERCENT_DECIMALS),
      share: line.share ?? null,
      rows: told.rows.map((row) => ({
        quantity: scaledToNumber(BigInt(row.quantity), HOURS_DECIMALS),
        unit_price: scaledToNumber(row.unit_price_scaled, RATE_DECIMALS),
        discount: scaledToNumber(BigInt(row.discount), PERCENT_DECIMALS),
        net: money(row.net),
      })),
      amount: money(told.amount),
      credit_notes: piece.facts.credits
        .filter((credit) => monthOf(credit.effective) <= month)
        .map((credit) => ({
          credit_note_id: "credit_note_id" in credit ? credit.credit_note_id : null,
          effective_date: credit.effective,
          amount: money(credit.amount),
          service_ends_on: credit.new_service_to,
        })),
      net: money(told.net),
      service_from: line.service_from,
      service_to: line.service_to,
      issue_date: piece.facts.issue_date,
      completed_on: piece.facts.completed_on,
      progress: told.progress,
      earned_to_date: money(told.earned_to_date),
      exact_to_date: told.exact_to_date,
      earned_before: money(told.earned_before),
      earned: money(told.earned),
      invoiced: money(now?.invoiced ?? 0n),
      users: earnedByUser(piece.facts, month, told.earned).map(({ user_id, amount }) => ({
        user_id,
        earned: money(amount),
      })),
      functional: functionalOf(piece, configuration, month),
      accruals: [
        ...(await bookings(cx, customer_id, line_id, month, digits)),
        ...draftOf(cx, position, configuration, piece, month, digits),
      ],
      forecast: month > current,
    }),
  );
}

/** The customer of a line of an invoice or of an occurrence. Throws NOT_FOUND. */
async function customerOf(
  cx: Context,
  configuration: Configuration,
  line_id: string,
  month: Month,
): Promise<string> {
  const today = todayOf(cx, configuration);
  const place = await findPlace(cx, line_id, `${month}-15` as typeof today, today);
  if (place === undefined) throw new Problem("NOT_FOUND");
  const unlocked = { ...cx, locks: false };
  if (place.kind === "invoice") {
    return (await getInvoice(unlocked, place.invoice_id)).invoice.customer_id;
  }
  return (await getSeries(unlocked, place.series_id)).series.customer_id;
}

/** The rows that an issued line was booked with. */
async function bookedRows(cx: Context, piece: KnownPiece) {
  if (piece.facts.issue_date === null || piece.invoice_id === null) return null;
  const issued = await findIssued(cx, piece.invoice_id);
  return issued?.snapshot.lines.find((line) => line.line_id === piece.line_id)?.rows ?? null;
}

function functionalOf(piece: KnownPiece, configuration: Configuration, month: Month) {
  const { foreign } = piece;
  if (foreign === null) return null;
  const now = piece.now.find((one) => one.month === month);
  const money = (amount: Money | null | undefined): number | null =>
    amount === null ? null : scaledToNumber(amount ?? 0n, foreign.to_digits);
  const is_issued = foreign.issue !== null && month >= monthOf(foreign.issue.date);
  const rate = is_issued ? (foreign.issue?.rate_micro ?? null) : foreign.closingRate(month);
  return {
    currency: configuration.functional_currency,
    rate: rate === null ? null : scaledToNumber(rate, EXCHANGE_DECIMALS),
    rate_of: is_issued ? ("issue" as const) : ("month_end" as const),
    earned: money(now?.earned_functional),
    invoiced: money(now?.invoiced_functional),
    exchange_difference: money(now?.exchange_difference),
  };
}

interface BookingRow {
  readonly accrual_id: string;
  readonly accrual_month: Month;
  readonly earned: bigint;
  readonly ledger_voucher_guid: string | null;
  readonly ledger_voucher_number: bigint | null;
}

/** What standing bookings hold of the line and month, with their vouchers. */
async function bookings(
  cx: Context,
  customer_id: string,
  line_id: string,
  month: Month,
  digits: number,
) {
  const rows = await query<BookingRow>(
    cx.db,
    `select a.id as accrual_id, a.month as accrual_month, sum(r.earned)::bigint as earned,
       a.ledger_voucher_guid, a.ledger_voucher_number
     from accrual_rows r
     join accruals a on a.account_id = $1 and a.id = r.accrual_id and a.status = 'booked'
     where r.account_id = $1 and r.customer_id = $4 and r.line_id = $2 and r.month = $3
       and r.revision = a.revision
     group by a.id, a.month, a.ledger_voucher_guid, a.ledger_voucher_number order by a.month`,
    [cx.caller.account_id, line_id, month, customer_id],
  );
  return rows.map((row) => ({
    accrual_id: row.accrual_id,
    accrual_month: row.accrual_month,
    status: "booked" as const,
    carried: row.accrual_month !== month,
    earned: scaledToNumber(row.earned, digits),
    ledger_voucher_guid: row.ledger_voucher_guid,
    ledger_voucher_number:
      row.ledger_voucher_number === null ? null : Number(row.ledger_voucher_number),
  }));
}

/** What the open accrual of the month, or the one that carries it, will book. */
function draftOf(
  cx: Context,
  position: CustomerPosition,
  configuration: Configuration,
  piece: KnownPiece,
  month: Month,
  digits: number,
) {
  const closed_through = closedThrough(configuration, position.booked_through);
  const first_open = firstOpenMonth(position.pieces, closed_through);
  if (first_open === null || month > currentMonth(cx, configuration)) return [];
  const accrual_month = month < first_open ? first_open : month;
  const accrual = accrualOf(position.pieces, closed_through, accrual_month);
  const line = accrual.lines.find((one) => one.piece.line_id === piece.line_id);
  const row = line?.rows.find((one) => one.month === month);
  if (row === undefined || isNothing(row)) return [];
  return [
    {
      accrual_id: null,
      accrual_month,
      status: "draft" as const,
      carried: row.carried,
      earned: scaledToNumber(row.earned, digits),
      ledger_voucher_guid: null,
      ledger_voucher_number: null,
    },
  ];
}
