/** Describes registrations of work in plans: each as a sentence, and what they change in revenue. */
import { addDays, monthOf } from "../../domain/base/calendar.ts";
import { getUser } from "../../features/access/people/queries.ts";
import { getCustomer } from "../../features/catalogue/customers/queries.ts";
import type { WorkResource } from "../../features/work/registrations/schemas.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import type { JsonText } from "../../platform/runtime/json.ts";
import { amountText, quoted } from "../protocol/words.ts";
import { nameOfLine } from "./line-name.ts";

/** The lock dates of the account, by which a plan becomes stale. */
export interface Locks {
  readonly period_lock_date: Parameters<typeof addDays>[0] | null;
  readonly work_lock_date: string | null;
}

/** Describes a registration: `3 hours of "Bo" on 2026-03-10, "Consulting" for "Acme A/S", worth 3,000.00 DKK`. */
export async function sentenceOf(inside: PersonReader, document: JsonText): Promise<string> {
  const work = JSON.parse(document) as WorkResource;
  const { user } = await getUser(inside, work.user_id);
  const { name } = await getCustomer(inside, work.customer_id);
  const { line, currency } = await nameOfLine(inside, work);
  const price = work.amount === null ? "" : `, worth ${amountText(work.amount, currency)}`;
  const period = work.period === null ? "" : ` (period ${work.period})`;
  const billable = work.billable ? "" : ", not billable";
  const hours = `${work.hours} ${work.hours === 1 ? "hour" : "hours"}`;
  return `${hours} of ${quoted(user.name)} on ${work.date}, ${quoted(line)} for ${quoted(name)}${period}${price}${billable}`;
}

/** Returns the effects on revenue. Work in a closed month is recognised in the first open one (spec 3.6). */
export function effectsOf(
  works: readonly Pick<WorkResource, "date">[],
  { period_lock_date }: Locks,
) {
  const effects = ["Books nothing and sends nothing."];
  if (period_lock_date === null) return effects;
  const closed = [
    ...new Set(
      works.filter(({ date }) => date <= period_lock_date).map(({ date }) => date.slice(0, 7)),
    ),
  ].sort();
  if (closed.length === 0) return effects;
  const open = monthOf(addDays(period_lock_date, 1));
  return [...effects, `${closed.join(", ")} is closed: the revenue is carried into ${open}.`];
}
