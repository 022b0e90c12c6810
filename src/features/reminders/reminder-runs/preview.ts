/** Previews a run of reminders: the letters of a day, what each would charge, and which are left out. Nothing is stored. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { invalidField } from "../../../domain/base/problem.ts";
import { ledgerTitle } from "../../../platform/commands/connected-ledger.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { reading } from "../../../platform/commands/tx.ts";
import { todayIn } from "../../../platform/runtime/clock.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { findCustomer } from "../../catalogue/customers/queries.ts";
import { likelyPayersOf } from "../../receivables/bank-lines/find-suggestions.ts";
import { isPaidInLedger, requireBegun } from "../../receivables/open-items/require-begun.ts";
import { type Configuration, getConfiguration } from "../../settings/configuration/queries.ts";
import { presentLetter } from "../sent-reminders/queries.ts";
import { bankThrough, type FoundLetter, findLetters } from "./find-letters.ts";
import { ReminderRunPreview, type ReminderRunPreviewBody } from "./schemas.ts";

/** The letters of a day, also those that are left out. */
export interface ReminderRunRead {
  readonly day: CalendarDate;
  readonly letters: readonly FoundLetter[];
  /** The day through which the bank is known; null without statements. */
  readonly bank_through: CalendarDate | null;
  readonly is_bank_recent: boolean;
  /** The name of the connected ledger where payments are recorded there: it is what is read instead of the bank; otherwise null. */
  readonly ledger: string | null;
}

/**
 * Returns the letters of a day, today by default, to one customer or to all. Throws VALIDATION_FAILED for a day in the future and an
 * unknown customer, and RECEIVABLES_NOT_BEGUN.
 */
export function readReminderRun(
  cx: Reader,
  sent: ReminderRunPreviewBody,
): Promise<ReminderRunRead> {
  return reading(cx, async (inside) => {
    const configuration = await getConfiguration(inside);
    const day = dayOfRun(inside, sent.date ?? null, configuration);
    const customer_ids = await customerIds(inside, sent.customer ?? null);
    if (!isPaidInLedger(inside)) await requireBegun(inside);
    const payers = await likelyPayersOf(inside);
    const letters = await findLetters(inside, { day, customer_ids, payers }, configuration);
    const { through, is_recent } = await bankThrough(inside, day, configuration);
    const ledger = isPaidInLedger(inside) ? ledgerTitle(inside.ledger) : null;
    return { day, letters, bank_through: through, is_bank_recent: is_recent, ledger };
  });
}

/** Returns the letters of a day as the API shows them. Throws the same. */
export async function previewReminders(
  cx: Reader,
  sent: ReminderRunPreviewBody,
): Promise<JsonText> {
  const run = await readReminderRun(cx, sent);
  const { day, letters, bank_through } = run;
  return jsonText(
    ReminderRunPreview.parse({
      object: "reminder_run",
      date: day,
      bank_through,
      warnings: warningsOf(run),
      rows: letters.map((letter) => ({
        ...presentLetter({ ...letter, customer_id: letter.customer.id }),
        left_out: letter.left_out,
        agreed: letter.left_out === null ? letter.agreed.toString("base64url") : null,
      })),
    }),
  );
}

/** Returns the day of a run: today by the account's clock, or an earlier one. Throws VALIDATION_FAILED for a later one. */
export function dayOfRun(
  cx: Reader,
  asked: CalendarDate | null,
  { time_zone }: Configuration,
): CalendarDate {
  const today = todayIn(cx.clock, time_zone);
  if (asked !== null && asked > today) {
    throw invalidField("date", "too_large", "The day is in the future.");
  }
  return asked ?? today;
}

async function customerIds(cx: Reader, ref: string | null): Promise<string[] | null> {
  if (ref === null) return null;
  const customer = await findCustomer(cx, ref);
  if (customer === undefined) {
    throw invalidField("customer", "unknown_reference", "There is no such customer.");
  }
  return [customer.id];
}

function warningsOf(run: ReminderRunRead) {
  return [
    ...(run.letters.some(({ is_rate_missing }) => is_rate_missing) ? [RATE_MISSING] : []),
    ...(run.is_bank_recent
      ? []
      : [{ code: "BANK_NOT_UP_TO_DATE" as const, message: whyNotRecent(run) }]),
  ];
}

function whyNotRecent({ ledger, bank_through }: ReminderRunRead): string {
  if (ledger === null) {
    return "The bank statements end too long before the day of the letters: what was paid since is not known.";
  }
  return bank_through === null
    ? `${ledger} was not read yet: what was paid there is not known.`
    : `${ledger} was last read on ${bank_through}: what was paid since is not known.`;
}

const RATE_MISSING = {
  code: "REFERENCE_RATE_MISSING",
  message:
    "The reference rate of a half-year is missing: its interest waits for a later reminder. Set it with PUT /reference-rates/{date}.",
} as const;
