/** Reads the periods of the fiscal years: open, closed or missing at a date, and the last date through which all are closed. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { requireCompany, type Tryton } from "./api.ts";
import { rejected } from "./refusals.ts";
import { day, dayOf, idOf, type TrytonRecord } from "./values.ts";

/** Returns the ordinary period of a date, open or not; undefined when no fiscal year has one. */
export async function periodAt(tryton: Tryton, on: string): Promise<TrytonRecord | undefined> {
  const [found] = await tryton.read(
    "account.period",
    [
      ...[
        ["company", "=", requireCompany(tryton)],
        ["type", "=", "standard"],
      ],
      ...[
        ["start_date", "<=", day(on)],
        ["end_date", ">=", day(on)],
      ],
    ],
    ["state"],
    { limit: 1 },
  );
  return found;
}

/** Returns why nothing can be booked in a period; null when the period is open. */
export function periodRefusal(
  period: TrytonRecord | undefined,
): "NO_FISCAL_YEAR" | "PERIOD_LOCKED" | null {
  if (period === undefined) return "NO_FISCAL_YEAR";
  return period.state === "open" ? null : "PERIOD_LOCKED";
}

export async function requireOpenPeriod(tryton: Tryton, on: string): Promise<number> {
  const period = await periodAt(tryton, on);
  const refusal = periodRefusal(period);
  if (refusal !== null || period === undefined)
    throw rejected(refusal ?? "NO_FISCAL_YEAR", { date: on });
  return idOf(period);
}

/** Returns the last date of the closed periods from the beginning; a closed period behind an open one is not a lock yet. */
export async function closedThrough(tryton: Tryton): Promise<CalendarDate | null> {
  const periods = await tryton.read(
    "account.period",
    [
      ["company", "=", requireCompany(tryton)],
      ["type", "=", "standard"],
    ],
    ["state", "end_date"],
    { order: [["start_date", "ASC"]] },
  );
  const open = periods.findIndex((period) => period.state === "open");
  const last = periods.at(open === -1 ? periods.length - 1 : open - 1);
  if (open === 0 || last === undefined) return null;
  return dayOf(last, "end_date") as CalendarDate | null;
}
