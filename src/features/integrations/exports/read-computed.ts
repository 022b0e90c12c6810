/** Reads the rows of datasets that are computed or numbered, and that a warehouse loads by month. */
import { addToMonth, firstDayOf, lastDayOf, type Month } from "../../../domain/base/calendar.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { entriesAfter } from "../../ledger/reports/queries.ts";
import { listAccrualRange } from "../../revenue/accruals/list-range.ts";
import { currentMonth, keepDrafts, presentAccrual } from "../../revenue/accruals/queries.ts";
import { revenueOfMonths, shownEntry } from "../../revenue/reports/report.ts";
import { MOST_MONTHS } from "../../revenue/reports/schemas.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import type { ExportRow, Later, MonthRange } from "./schemas.ts";

/** The number of ledger entries that are read together. */
const ENTRIES_TOGETHER = 500;

/** Before and after every month. */
const EARLIEST = "1900-01" as Month;
const LATEST = "2199-12" as Month;

/** Yields the rows of `GET /recognition` by line; by default the last 36 months. */
export async function* revenueRows(
  cx: Reader,
  months: MonthRange,
): AsyncGenerator<readonly ExportRow[]> {
  const { from, to } = revenueMonths(currentMonth(cx, await getConfiguration(cx)), months);
  for await (const entries of revenueOfMonths(cx, from, to)) {
    yield entries.map((entry) => shownEntry(entry, entry.forecast));
  }
}

/** Returns the range of revenue: 36 months where one end or both are open, through the current month where both are. */
function revenueMonths(
  current: Month,
  { from, to }: MonthRange,
): { readonly from: Month; readonly to: Month } {
  const last = to ?? (from === null ? current : addToMonth(from, MOST_MONTHS - 1));
  return { from: from ?? addToMonth(last, 1 - MOST_MONTHS), to: last };
}

/** Yields accruals; drafts whose ids could not be read yet are stored later. */
export async function* accrualRows(
  cx: Reader,
  { from, to }: MonthRange,
  later: Later,
): AsyncGenerator<readonly ExportRow[]> {
  for await (const { accruals, unstored } of listAccrualRange(cx, from ?? EARLIEST, to ?? LATEST)) {
    if (unstored.length > 0) {
      later((primary) => keepDrafts(primary, cx.caller.account_id, unstored));
    }
    yield accruals.map((row) => JSON.parse(presentAccrual(row)));
  }
}

/** Yields entries of the built-in ledger in the order of booking. */
export async function* entryRows(
  cx: Reader,
  { from, to }: MonthRange,
): AsyncGenerator<readonly LedgerRow[]> {
  const range = {
    from: from === null ? undefined : firstDayOf(from),
    to: to === null ? undefined : lastDayOf(to),
  };
  for (let after = 0n, length = ENTRIES_TOGETHER; length === ENTRIES_TOGETHER; ) {
    cx.signal.throwIfAborted();
    const entries = await entriesAfter(cx, after, ENTRIES_TOGETHER, range);
    yield entries;
    ({ length } = entries);
    after = BigInt(entries.at(-1)?.entry_no ?? 0);
  }
}

type LedgerRow = Awaited<ReturnType<typeof entriesAfter>>[number];

/** Yields the postings of entries, each with the number, the day and the currency of its entry and its own place in it. */
export async function* postingRows(
  cx: Reader,
  months: MonthRange,
): AsyncGenerator<readonly ExportRow[]> {
  const { functional_currency } = await getConfiguration(cx);
  for await (const entries of entryRows(cx, months)) {
    yield entries.flatMap(({ entry_no, date, currency, postings }) =>
      postings.map((posting, at) => ({
        entry_no,
        line: at + 1,
        date,
        ...posting,
        currency,
        functional_currency,
      })),
    );
  }
}
