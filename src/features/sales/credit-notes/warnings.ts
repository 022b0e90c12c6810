/** The warnings of a credit note: of a draft as if it were issued now, of an issued note as it was issued. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import { type DateFacts, type Warning, warningsOfDocument } from "../../../domain/sales/warning.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { todayIn } from "../../../platform/runtime/clock.ts";
import { getConfiguration, vatSettings } from "../../settings/configuration/queries.ts";

export async function warningsOfCredit(
  cx: Reader,
  document: DocumentSnapshot,
  is_issued: boolean,
): Promise<Warning[]> {
  const configuration = await getConfiguration(cx);
  return warningsOfDocument({
    document,
    is_issued,
    lines: [],
    vat: vatSettings(configuration),
    vat_codes: new Map(),
    dates: is_issued ? null : await datesOf(cx, configuration.time_zone),
  });
}

/** Returns today's date, and the date of the credit note with the last number, which an index finds. */
async function datesOf(cx: Reader, time_zone: string): Promise<DateFacts> {
  const row = await cx.row<{ credit_date: CalendarDate }>(sql`
    select credit_date from credit_notes where account_id = ${cx.caller.account_id} and ledger_credit_note_number is not null
     order by ledger_credit_note_number desc limit 1`);
  return { today: todayIn(cx.clock, time_zone), last_number_date: row?.credit_date ?? null };
}
