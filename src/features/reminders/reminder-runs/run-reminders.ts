/**
 * Runs reminders: issues the letters that were agreed to, some in each transaction, and sends them. A run that is repeated, or done twice
 * at once, issues no letter twice: a letter that was issued for the same agreement is its outcome again.
 */
import { invalidField, notFound, Problem } from "../../../domain/base/problem.ts";
import { run } from "../../../platform/commands/command.ts";
import { type Context, type Reader, requireAccess } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { isUnavailable } from "../../../platform/database/unavailable.ts";
import { problemFromDatabase } from "../../../platform/http/problems.ts";
import { freeze, type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { sendQueued } from "../../documents/deliveries/queue.ts";
import { likelyPayersOf } from "../../receivables/bank-lines/find-suggestions.ts";
import { isPaidInLedger, requireBegun } from "../../receivables/open-items/require-begun.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import {
  type ChosenRow,
  issueLetters,
  type LettersInput,
  type RowOutcome,
} from "./issue-letters.ts";
import { dayOfRun } from "./preview.ts";
import { ReminderRun, type ReminderRunBody } from "./schemas.ts";

/** A response is sent within 20 s. A letter that is not begun within this time has the outcome `remaining`. */
const RUN_MS = 15_000;
/** One transaction issues at most this many letters. */
const LETTERS_AT_A_TIME = 25;

/**
 * Issues the letters of rows, each or none of it. Returns an outcome for each row, in their order. Throws VALIDATION_FAILED for a day in the
 * future and a letter that is named twice, and RECEIVABLES_NOT_BEGUN.
 */
export async function runReminders(
  { once, ...outside }: Context,
  sent: ReminderRunBody,
): Promise<JsonText> {
  const cx: Context = { ...outside, once: null };
  requireAccess(cx.caller, "issue");
  const deadline = Date.now() + RUN_MS;
  const day = dayOfRun(cx, sent.date ?? null, await getConfiguration(cx));
  const { rows, unknown } = await resolved(cx, sent.rows);
  if (!isPaidInLedger(cx)) await requireBegun(cx);
  const payers = await likelyPayersOf(cx);
  const done = await issueRows(cx, { day, rows, payers }, deadline);
  const delivery_ids = done.flatMap((one) => ("problem" in one ? [] : (one.delivery_id ?? [])));
  const errors = await sendQueued(cx, delivery_ids, deadline);
  const outcomes = new Map([...unknown, ...done].map((one) => [one.row, one]));
  const all = [...rows, ...unknown.map(({ row }) => row)];
  const order = new Map(sent.rows.map((row, at) => [keyOf(row.customer, row.currency), at]));
  const shown = all
    .sort((a, b) => placeOf(a, order) - placeOf(b, order))
    .map((row) => shownOutcome(row, outcomes.get(row), errors));
  const count = (outcome: (typeof shown)[number]["outcome"]): number =>
    shown.filter((one) => one.outcome === outcome).length;
  const remaining = count("remaining");
  // A repetition with the same idempotency key then runs again, and finds what this one has issued.
  if (remaining > 0) once?.goOn(freeze({ result: null }));
  return jsonText(
    ReminderRun.parse({
      object: "reminder_run",
      date: day,
      outcomes: shown,
      issued: count("issued"),
      refused: count("refused"),
      remaining,
    }),
  );
}

/** Issues letters until the deadline, and returns the outcomes of those that were begun. Throws without a database. */
async function issueRows(
  cx: Context,
  { rows, ...input }: LettersInput,
  deadline: number,
): Promise<RowOutcome[]> {
  const done: RowOutcome[] = [];
  for (let at = 0; at < rows.length; at += LETTERS_AT_A_TIME) {
    if (Date.now() >= deadline || cx.signal.aborted) break;
    const batch = rows.slice(at, at + LETTERS_AT_A_TIME);
    try {
      done.push(...(await run(issueLetters, cx, { ...input, rows: batch })));
    } catch (error) {
      const refusal = problemFromDatabase(error);
      if (isUnavailable(error) || !(refusal instanceof Problem)) throw error;
      done.push(...batch.map((row) => ({ row, problem: refusal })));
    }
  }
  return done;
}

type SentRow = ReminderRunBody["rows"][number];

/** Finds the customers that rows name. One that does not exist is refused. */
async function resolved(
  cx: Reader,
  sent: readonly SentRow[],
): Promise<{
  readonly rows: ChosenRow[];
  readonly unknown: { readonly row: ChosenRow; readonly problem: Problem }[];
}> {
  const refs = sent.map(({ customer }) => customer);
  const ids = refs.filter((ref) => !ref.startsWith("ext:"));
  const external_ids = refs.flatMap((ref) => (ref.startsWith("ext:") ? [ref.slice(4)] : []));
  const found = await cx.rows<{ id: string; external_id: string | null }>(sql`
    select id, external_id from customers where account_id = ${cx.caller.account_id}
      and (id = any(${ids}) or external_id = any(${external_ids}))`);
  const known = new Map(
    found.flatMap(({ id, external_id }) => [
      [id, id],
      [`ext:${external_id}`, id],
    ]),
  );
  const rows: ChosenRow[] = [];
  const unknown: { row: ChosenRow; problem: Problem }[] = [];
  for (const [at, { customer: reference, currency, agreed }] of sent.entries()) {
    const customer_id = known.get(reference) ?? "";
    const row = { reference, customer_id, currency, agreed };
    if (customer_id === "") {
      unknown.push({ row, problem: notFound("customer", reference) });
      continue;
    }
    if (rows.some((one) => one.customer_id === customer_id && one.currency === currency)) {
      throw invalidField(`rows[${at}]`, "duplicate", "The letter is named twice.");
    }
    rows.push(row);
  }
  return { rows, unknown };
}

function keyOf(reference: string, currency: string): string {
  return `${reference} ${currency}`;
}

function placeOf({ reference, currency }: ChosenRow, order: ReadonlyMap<string, number>): number {
  return order.get(keyOf(reference, currency)) ?? 0;
}

function shownOutcome(
  { reference: customer, currency }: ChosenRow,
  outcome: RowOutcome | undefined,
  errors: ReadonlyMap<string, string | null>,
): ReminderRun["outcomes"][number] {
  const none = { reminder_id: null, number: null, code: null, message: null, send_error: null };
  if (outcome === undefined) return { customer, currency, outcome: "remaining", ...none };
  if ("problem" in outcome) {
    const { code, message } = outcome.problem;
    return { customer, currency, outcome: "refused", ...none, code, message };
  }
  const { reminder_id, number, delivery_id } = outcome;
  return {
    customer,
    currency,
    outcome: "issued",
    ...none,
    reminder_id,
    number: number === null ? null : Number(number),
    send_error: (delivery_id === null ? null : errors.get(delivery_id)) ?? null,
  };
}
