/**
 * Reminders that the scheduler sends where `is_automatic` is set: once a day by the account's clock, and not before the statements of
 * the bank are recent enough. A run that ends early is continued: what it has issued is not due any more.
 */
import * as z from "zod";
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { defineCommand, run } from "../../../platform/commands/command.ts";
import type { Context, Reader } from "../../../platform/commands/context.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";
import { isUnavailable } from "../../../platform/database/unavailable.ts";
import { todayIn } from "../../../platform/runtime/clock.ts";
import { likelyPayersOf } from "../../receivables/bank-lines/find-suggestions.ts";
import { hasBegun, isPaidInLedger } from "../../receivables/open-items/require-begun.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { bankThrough, findLetters } from "./find-letters.ts";
import { type ChosenRow, issueLetters, type LettersInput } from "./issue-letters.ts";

const LETTERS_AT_A_TIME = 25;

/** The letters of a step: how many were tried, and the deliveries of those that were issued. */
interface Reminded {
  readonly tried: number;
  readonly issued: number;
  readonly delivery_ids: readonly string[];
}

const NONE: Reminded = { tried: 0, issued: 0, delivery_ids: [] };

/** Selects the accounts whose reminders of the present day have not been sent, by the real clock. */
export function accountsToRemind(now: string): Sql {
  return sql`select c.account_id from configurations c
    left join automatic_reminders r on r.account_id = c.account_id
    where (c.reminders ->> 'is_automatic')::boolean
      and (r.sent_on is null or r.sent_on < (${now}::timestamptz at time zone c.time_zone)::date)`;
}

/** The automatic reminders of one run of the scheduler. */
export class AutomaticReminders {
  readonly #cx: Context;
  /** The letters that are left, and what they are issued by; undefined before they are read. */
  #left: LettersInput | null | undefined;

  constructor(cx: Context) {
    this.#cx = cx;
  }

  /**
   * Issues some letters; nothing was tried when none are left. A letter that is refused is tried again on the next day. Throws when the
   * database is unavailable.
   */
  async step(): Promise<Reminded> {
    this.#left ??= await lettersToday(this.#cx);
    const left = this.#left;
    if (left === null || left.rows.length === 0) return NONE;
    const rows = left.rows.slice(0, LETTERS_AT_A_TIME);
    const outcomes = await this.#issue({ ...left, rows });
    this.#left = { ...left, rows: left.rows.slice(LETTERS_AT_A_TIME) };
    if (this.#left.rows.length === 0) await run(noteSent, this.#cx, { day: left.day });
    return outcomes;
  }

  async #issue(input: LettersInput): Promise<Reminded> {
    const tried = input.rows.length;
    try {
      const outcomes = await run(issueLetters, this.#cx, input);
      const issued = outcomes.flatMap((one) => ("problem" in one ? [] : [one]));
      for (const one of outcomes) {
        if (!("problem" in one)) continue;
        const { customer_id, currency } = one.row;
        this.#cx.log.warn({ code: one.problem.code, customer_id, currency }, "no reminder");
      }
      // Another run may have issued a letter meanwhile, and sends it.
      const delivery_ids = issued.flatMap(({ delivery_id }) => delivery_id ?? []);
      return { tried, issued: delivery_ids.length, delivery_ids };
    } catch (error) {
      if (isUnavailable(error)) throw error;
      this.#cx.log.error({ err: error }, "some reminders were not issued");
      return { tried, issued: 0, delivery_ids: [] };
    }
  }
}

/** Returns the letters of the present day by the account's clock; null where none are sent automatically now. */
async function lettersToday(cx: Context): Promise<LettersInput | null> {
  const configuration = await getConfiguration(cx);
  if (!configuration.reminders.is_automatic) return null;
  const day = todayIn(cx.clock, configuration.time_zone);
  if ((await sentOn(cx)) === day) return null;
  if (!isPaidInLedger(cx) && !(await hasBegun(cx))) return null;
  if (!(await bankThrough(cx, day, configuration)).is_recent) return null;
  const payers = await likelyPayersOf(cx);
  const letters = await findLetters(cx, { day, customer_ids: null, payers }, configuration);
  const rows = letters.flatMap(({ customer: { id }, currency, agreed, left_out }): ChosenRow[] =>
    left_out === null
      ? [{ reference: id, customer_id: id, currency, agreed: agreed.toString("base64url") }]
      : [],
  );
  if (rows.length === 0) await run(noteSent, cx, { day });
  return { day, rows, payers };
}

async function sentOn(cx: Reader): Promise<CalendarDate | null> {
  const row = await cx.row<{ sent_on: CalendarDate }>(
    sql`select sent_on from automatic_reminders where account_id = ${cx.caller.account_id}`,
  );
  return row?.sent_on ?? null;
}

/** Notes that the reminders of a day were sent. */
const noteSent = defineCommand({
  name: "note_automatic_reminders",
  access: "issue",
  input: z.object({ day: z.custom<CalendarDate>() }),
  plan: (_tx, { day }) => Promise.resolve(day),
  commit(tx, day) {
    tx.write(sql`insert into automatic_reminders (account_id, sent_on) values (${tx.caller.account_id}, ${day})
      on conflict (account_id) do update set sent_on = greatest(automatic_reminders.sent_on, excluded.sent_on)`);
    return Promise.resolve();
  },
});
