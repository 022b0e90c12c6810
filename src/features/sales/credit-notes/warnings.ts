/** The warnings of a credit note: of a draft as if it were issued now, of an issued note as it was issued. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import { type DateFacts, type Warning, warningsOfDocument } from "../../../domain/sales/warning.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { todayIn } from "../../../platform/runtime/clock.ts";
import {
  type Configuration,
  getConfiguration,
  vatSettings,
} from "../../settings/configuration/queries.ts";

/** What decides the warnings, where the caller has read it already. */
interface KnownFacts {
  readonly configuration: Configuration;
  /** The date of the credit note with the last number; null when there is none. */
  readonly last_number_date: CalendarDate | null;
}

export async function warningsOfCredit(
  cx: Reader,
  document: DocumentSnapshot,
  is_issued: boolean,
  known?: KnownFacts,
): Promise<Warning[]> {
  const configuration = known?.configuration ?? (await getConfiguration(cx));
  const datesOf = async (): Promise<DateFacts> => ({
    today: todayIn(cx.clock, configuration.time_zone),
    last_number_date: known ? known.last_number_date : await lastNumberDate(cx),
  });
  return warningsOfDocument({
    document,
    is_issued,
    lines: [],
    vat: vatSettings(configuration),
    vat_codes: new Map(),
    dates: is_issued ? null : await datesOf(),
  });
}

/** Returns the date of the credit note with the last number, which an index finds; null when there is none. */
export async function lastNumberDate(cx: Reader): Promise<CalendarDate | null> {
  const row = await cx.row<{ credit_date: CalendarDate }>(sql`
    select credit_date from credit_notes where account_id = ${cx.caller.account_id} and ledger_credit_note_number is not null
     order by ledger_credit_note_number desc limit 1`);
  return row?.credit_date ?? null;
}
