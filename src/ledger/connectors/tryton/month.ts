/** Reads the bookings of a month in Tryton, for the comparison with our own books. */
import { firstDayOf, lastDayOf, type Month } from "../../../domain/base/calendar.ts";
import type { LedgerDocument, LedgerMonth } from "../../connected.ts";
import { requireCompany, type Tryton } from "./api.ts";
import { hasWholeNumber, kindOf, numberFrom, totalsOf } from "./read-document.ts";
import { amountOf, day, dayOf, idOf, type TrytonRecord, textOf } from "./values.ts";
import { digitsOfCompany } from "./vouchers.ts";

/** Matches a guid. Our documents have their guid as reference, our vouchers have it before the hash in the description. */
const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

export async function readMonth(tryton: Tryton, month: Month): Promise<LedgerMonth> {
  const company = requireCompany(tryton);
  const within = (field: string) => [
    [field, ">=", day(firstDayOf(month))],
    [field, "<=", day(lastDayOf(month))],
  ];
  const [documents, moves, balances, moved] = await Promise.all([
    tryton.read(
      "account.invoice",
      [
        ...[
          ["company", "=", company],
          ["type", "=", "out"],
          ["number", "!=", null],
        ],
        ...[["state", "in", ["posted", "paid", "cancelled"]], ...within("invoice_date")],
      ],
      [
        ...["number", "reference", "state", "invoice_date", "currency.digits"],
        ...["untaxed_amount", "tax_amount", "total_amount"],
      ],
    ),
    tryton.read(
      "account.move",
      // Moves of invoices have their invoice as origin.
      [
        ...[
          ["company", "=", company],
          ["state", "=", "posted"],
          ["origin", "=", null],
        ],
        ...within("date"),
      ],
      ["post_number", "description", "date"],
    ),
    readBalances(tryton, { date: day(lastDayOf(month)), cumulate: true }),
    readMoved(tryton, month),
  ]);
  return {
    state: "month",
    documents: [...documents.flatMap(documentFrom), ...moves.flatMap(voucherFrom)],
    balances,
    moved,
  };
}

/** Reads the movements of the periods within the month. */
async function readMoved(tryton: Tryton, month: Month): Promise<ReadonlyMap<string, bigint>> {
  const periods = await tryton.read(
    "account.period",
    [
      ["company", "=", requireCompany(tryton)],
      ["type", "=", "standard"],
      ["start_date", ">=", day(firstDayOf(month))],
      ["end_date", "<=", day(lastDayOf(month))],
    ],
    ["id"],
  );
  if (periods.length === 0) return new Map();
  return readBalances(tryton, { periods: periods.map((row) => idOf(row)) });
}

/** Reads posted balances: at a date, in its fiscal year, or in periods. */
async function readBalances(
  tryton: Tryton,
  of: Readonly<Record<string, unknown>>,
): Promise<ReadonlyMap<string, bigint>> {
  const digits = await digitsOfCompany(tryton);
  const accounts = await tryton.read(
    "account.account",
    [
      ...[
        ["company", "=", requireCompany(tryton)],
        ["type", "!=", null],
      ],
      ["code", "!=", null],
    ],
    ["code", "balance"],
    { context: { ...of, posted: true } },
  );
  return new Map(
    accounts
      .map((row) => [textOf(row, "code") ?? "", amountOf(row, "balance", digits)] as const)
      .filter(([, balance]) => balance !== 0n),
  );
}

/** Reads a document. Numbers with letters, assigned before this service was connected, cannot be compared. */
function documentFrom(row: TrytonRecord): LedgerDocument[] {
  if (!hasWholeNumber(row, "number")) return [];
  return [
    {
      kind: kindOf(row),
      ledger_id: String(idOf(row)),
      guid: GUID.exec(textOf(row, "reference") ?? "")?.[0] ?? null,
      number: numberFrom(row, "number"),
      date: dayOf(row, "invoice_date") ?? "",
      gross: totalsOf(row).gross,
      stands: row.state !== "cancelled",
    },
  ];
}

/** Reads a voucher. Vouchers that people have booked in Tryton may have any number, and are not ours. */
function voucherFrom(row: TrytonRecord): LedgerDocument[] {
  const guid = GUID.exec(textOf(row, "description") ?? "")?.[0];
  if (guid === undefined) return [];
  return [
    {
      kind: "voucher",
      ledger_id: String(idOf(row)),
      guid,
      number: numberFrom(row, "post_number"),
      date: dayOf(row, "date") ?? "",
      gross: null,
      stands: true,
    },
  ];
}
