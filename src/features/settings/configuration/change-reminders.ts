/** Merges a change into the configuration of reminders. Settings that are the usual ones are stored as none. */
import type { FieldError } from "../../../domain/base/problem.ts";
import {
  type ReminderSettings,
  reminderFaults,
  usualReminders,
} from "../../../domain/receivables/reminder-settings.ts";
import type { Configuration } from "./queries.ts";
import type { RemindersUpdate } from "./reminder-schemas.ts";

interface Sent {
  readonly functional_currency?: string | undefined;
  readonly reminders?: RemindersUpdate;
}

/** Returns the settings with those that were sent. The usual ones follow the functional currency. */
export function remindersWith(before: Configuration, sent: Sent): ReminderSettings {
  const currency = sent.functional_currency ?? before.functional_currency;
  const stored = storedReminders(before) === null ? usualReminders(currency) : before.reminders;
  const { levels, ...others } = sent.reminders ?? {};
  const given = Object.entries(others).filter(([, value]) => value !== undefined);
  return {
    ...stored,
    ...Object.fromEntries(given),
    ...(levels && {
      levels: levels.map(({ days_after_due, fee = 0, compensation = false, text = null }) => ({
        days_after_due,
        fee,
        compensation,
        text: text || null,
      })),
    }),
  };
}

/** Returns the faults of the settings after a change that concerns them. */
export function remindersFaults(after: Configuration, sent: Sent): FieldError[] {
  if (sent.reminders === undefined && sent.functional_currency === undefined) return [];
  return reminderFaults(after.reminders, after.functional_currency);
}

/** Returns the settings as they are stored; null for the usual ones. */
export function storedReminders(configuration: Configuration): string | null {
  const { reminders, functional_currency } = configuration;
  const text = JSON.stringify(reminders);
  return text === JSON.stringify(usualReminders(functional_currency)) ? null : text;
}
