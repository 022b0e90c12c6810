/** Reads the reference rates of interest on late payments: the National Bank's lending rate of each half-year. */
import { type CalendarDate, calendarDate } from "../../../domain/base/calendar.ts";
import { scaledToNumber } from "../../../domain/base/money.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import {
  cursorFrom,
  envelope,
  positionFrom,
  strangeCursor,
} from "../../../platform/database/page.ts";
import { sql } from "../../../platform/database/sql.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import {
  REFERENCE_RATE_DECIMALS,
  type ReferenceRateQuery,
  ReferenceRateResource,
} from "./schemas.ts";

/** The rate of a half-year, in hundredths of a percent a year. */
export interface ReferenceRate {
  readonly date: CalendarDate;
  readonly rate: number;
}

const POSITION = /^\d{4}-\d\d-\d\d$/;

/** Lists the rates, the newest half-year first. Throws VALIDATION_FAILED for a foreign cursor. */
export async function listReferenceRates(cx: Reader, page: ReferenceRateQuery): Promise<JsonText> {
  const before = page.cursor === undefined ? null : positionFrom(page.cursor, POSITION).id;
  if (before !== null && calendarDate(before) === undefined) throw strangeCursor();
  const rows = await cx.rows<ReferenceRate>(sql`select date, rate from reference_rates
    where account_id = ${cx.caller.account_id} and (${before}::date is null or date < ${before}::date)
    order by date desc limit ${page.limit + 1}`);
  const shown = rows.slice(0, page.limit);
  const last = rows.length > page.limit ? shown.at(-1) : undefined;
  const next = last ? cursorFrom({ id: last.date, horizon: null }) : null;
  return envelope(shown.map(presentReferenceRate), next);
}

/** Presents a rate as the API shows it. */
export function presentReferenceRate({ date, rate }: ReferenceRate): JsonText {
  return jsonText(
    ReferenceRateResource.parse({
      object: "reference_rate",
      date,
      rate: scaledToNumber(BigInt(rate), REFERENCE_RATE_DECIMALS),
    }),
  );
}
