/** The file of what each customer owes: the rows of the screen, all of them, with their currency and the balance in the books. */
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { type NamedBalance, readOwed } from "../../features/receivables/balances/read-owed.ts";
import { isPaidInLedger } from "../../features/receivables/open-items/require-begun.ts";
import { defineSheet } from "../frame/define-sheet.ts";
import { fileColumnsOf } from "../parts/list.tsx";
import { balanceColumns, fileOnlyColumns } from "./balance-columns.tsx";

interface FiledFilters {
  /** Undefined for today. */
  readonly at?: CalendarDate | undefined;
  readonly currency?: string | undefined;
}

export const receivablesSheet = defineSheet<FiledFilters, NamedBalance>(
  "pages.receivables",
  async (cx, { at, currency }, reader) => {
    const asked = isPaidInLedger(cx) ? undefined : at;
    const owed = await readOwed(cx, asked, { currency, offset: 0, limit: null });
    const functional = owed.functional_currency;
    return {
      filename: `${reader.words.receivables.file}-${owed.day}`,
      columns: [
        ...fileColumnsOf(balanceColumns(reader, functional, () => 0)),
        ...fileOnlyColumns(reader, functional),
      ],
      rows: portionOf(owed.rows),
    };
  },
);

async function* portionOf<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows;
}
