/** Reads the bookings of a month in Dinero, for the comparison with our own books. */
import {
  calendarDate,
  firstDayOf,
  lastDayOf,
  type Month,
  monthOf,
  monthsFrom,
} from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import type { LedgerDocument, LedgerMonth } from "../../connected.ts";
import type { CallOptions, Failure } from "../../outcome.ts";
import { badResponse, readable } from "./api.ts";
import { type DineroBooks, PATH_OF, type SalesKind } from "./book-document.ts";
import { readAll, readList } from "./lists.ts";
import { readYears } from "./periods.ts";
import { KRONE_DIGITS } from "./read-document.ts";
import {
  amountOf,
  type DineroObject,
  fieldOf,
  numberOf,
  requiredTextOf,
  textOf,
} from "./values.ts";

/** Reads documents from their lists, and vouchers and balances from the entries, by month of the accounting year. */
export async function readMonth(
  books: DineroBooks,
  month: Month,
  options: CallOptions,
): Promise<LedgerMonth | Failure> {
  const { api } = books;
  const documents: LedgerDocument[] = [];
  for (const kind of ["invoice", "credit_note"] as const) {
    const listed = await listDocuments(books, kind, month, options);
    if (listed.state !== "documents") return listed;
    documents.push(...listed.documents);
  }
  const years = await readYears(api, options);
  if (years.state !== "list") return years;
  const year = years.rows.find(
    (one) =>
      (textOf(one, "FromDate") ?? "") <= lastDayOf(month) &&
      (textOf(one, "ToDate") ?? "") >= firstDayOf(month),
  );
  const balances = new Map<string, bigint>();
  const moved = new Map<string, bigint>();
  if (year === undefined) return { state: "month", documents, balances, moved };
  const begin = calendarDate((textOf(year, "FromDate") ?? "").slice(0, 10));
  if (begin === undefined) return badResponse(new Error("an accounting year has no first day"));
  let entries: readonly DineroObject[] = [];
  for (const part of monthsFrom(monthOf(begin), month)) {
    const fromDate = part === monthOf(begin) ? begin : firstDayOf(part);
    const asked = { fromDate, toDate: lastDayOf(part), includePrimo: String(fromDate === begin) };
    const read = await readAll(api, "entries", new URLSearchParams(asked), options);
    if (read.state !== "list") return read;
    const added = readable(() => {
      addTo(balances, read.rows);
      if (part === month) addTo(moved, read.rows.filter(isOfTheMonth));
      return { state: "added" as const };
    });
    if (added.state === "unknown") return added;
    entries = read.rows;
  }
  return readable(() => {
    const of_documents = movedByDocument(entries);
    return {
      state: "month",
      documents: [
        ...documents.map((one) => ({
          ...one,
          moved: of_documents.get(one.ledger_id) ?? new Map<string, bigint>(),
        })),
        ...vouchersIn(entries, documents),
      ],
      balances,
      moved,
    };
  });
}

/** Sums the movements of each document's entries, by account. */
function movedByDocument(entries: readonly DineroObject[]): Map<string, Map<string, bigint>> {
  const by_document = new Map<string, Map<string, bigint>>();
  for (const entry of entries) {
    const guid = textOf(entry, "VoucherGuid")?.toLowerCase();
    if (guid === undefined) continue;
    const moved = by_document.get(guid) ?? new Map<string, bigint>();
    by_document.set(guid, moved);
    addTo(moved, [entry]);
  }
  return by_document;
}

/** Whether an entry counts for the month; opening and closing entries of an accounting year do not. */
function isOfTheMonth(entry: DineroObject): boolean {
  return (textOf(entry, "Type") ?? "Normal") === "Normal";
}

function addTo(balances: Map<string, bigint>, entries: readonly DineroObject[]): void {
  for (const entry of entries) {
    const account = String(numberOf(entry, "AccountNumber"));
    balances.set(account, (balances.get(account) ?? 0n) + amountOf(entry, "Amount", KRONE_DIGITS));
  }
}

async function listDocuments(
  { api }: DineroBooks,
  kind: SalesKind,
  month: Month,
  options: CallOptions,
): Promise<{ readonly state: "documents"; readonly documents: LedgerDocument[] } | Failure> {
  const list = await readList(
    api,
    PATH_OF[kind],
    {
      fields: "Guid,Number,Date,TotalInclVat,Currency,DeletedAt",
      startDate: firstDayOf(month),
      endDate: lastDayOf(month),
      statusFilter: "Booked,Paid,OverPaid,Overdue",
    },
    options,
  );
  if (list.state !== "list") return list;
  return readable(() => ({
    state: "documents",
    documents: list.rows.map((row) => {
      const guid = requiredTextOf(row, "Guid").toLowerCase();
      return {
        kind,
        ledger_id: guid,
        guid,
        number: numberOf(row, "Number"),
        date: requiredTextOf(row, "Date").slice(0, 10),
        gross: amountOf(row, "TotalInclVat", currencyDigits(textOf(row, "Currency") ?? "DKK")),
        stands: textOf(row, "DeletedAt") === null,
      };
    }),
  }));
}

/** Returns the bookings of the month that are neither invoices nor credit notes. */
function vouchersIn(
  entries: readonly DineroObject[],
  documents: readonly LedgerDocument[],
): LedgerDocument[] {
  const known = new Set(documents.map(({ ledger_id }) => ledger_id));
  const vouchers = new Map<string, LedgerDocument>();
  for (const entry of entries) {
    const guid = textOf(entry, "VoucherGuid")?.toLowerCase();
    const number = fieldOf(entry, "VoucherNumber");
    if (guid === undefined || known.has(guid) || typeof number !== "number" || number <= 0)
      continue;
    vouchers.set(guid, {
      kind: "voucher",
      ledger_id: guid,
      // Dinero does not document whether this is the id that an item was sent with: vouchers are compared by number.
      guid: null,
      number: BigInt(number),
      date: requiredTextOf(entry, "Date").slice(0, 10),
      gross: null,
      stands: true,
    });
  }
  return [...vouchers.values()];
}
