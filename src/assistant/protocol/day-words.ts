/** Reads `today` and `yesterday` wherever a tool takes a day, by the clock and the time zone of the account, and says which day it is. */
import * as z from "zod";
import { addDays, type CalendarDate } from "../../domain/base/calendar.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import type { Reader } from "../../platform/commands/context.ts";
import { todayIn } from "../../platform/runtime/clock.ts";
import { anywhereIn, innerOf } from "./walk-schema.ts";

const DAYS_AFTER_TODAY: ReadonlyMap<unknown, number> = new Map([
  ["today", 0],
  ["yesterday", -1],
]);

/** Returns arguments, at any depth, with days in place of the words. Other values stay as they are sent, faulty ones too. */
export async function withDays(
  cx: Reader,
  schema: z.ZodType,
  sent: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  let has_words = false;
  replaced(schema, sent, (word) => {
    has_words = true;
    return word;
  });
  if (!has_words) return sent;
  const { today } = await dayOf(cx);
  const dayFor = (word: string) => addDays(today, DAYS_AFTER_TODAY.get(word) ?? 0);
  return replaced(schema, sent, dayFor) as Readonly<Record<string, unknown>>;
}

interface DayOfAccount {
  readonly today: CalendarDate;
  readonly time_zone: string;
}

/** Returns the sentence with the day and the zone of the account: `Today is Monday 2026-11-09, Europe/Copenhagen.` */
export function todayText({ today, time_zone }: DayOfAccount): string {
  return `Today is ${WEEKDAYS[new Date(today).getUTCDay()]} ${today}, ${time_zone}.`;
}

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** Returns today by the clock and the time zone of the account. */
export async function dayOf(cx: Reader): Promise<DayOfAccount> {
  const { time_zone } = await getConfiguration(cx);
  return { today: todayIn(cx.clock, time_zone), time_zone };
}

function replaced(schema: z.ZodType, value: unknown, dayFor: (word: string) => string): unknown {
  if (value === undefined || value === null || !mayHaveDay(schema)) return value;
  const inner = innerOf(schema);
  if (inner !== undefined) return replaced(inner, value, dayFor);
  if (isDay(schema)) {
    return typeof value === "string" && DAYS_AFTER_TODAY.has(value) ? dayFor(value) : value;
  }
  if (schema instanceof z.ZodArray) {
    const item = schema.element as z.ZodType;
    return Array.isArray(value) ? value.map((one) => replaced(item, one, dayFor)) : value;
  }
  if (!(schema instanceof z.ZodObject) || typeof value !== "object" || Array.isArray(value)) {
    return value;
  }
  const found: Record<string, unknown> = { ...value };
  for (const [key, field] of Object.entries(schema.shape)) {
    if (Object.hasOwn(found, key)) {
      found[key] = replaced(field as z.ZodType, found[key], dayFor);
    }
  }
  return found;
}

function isDay(schema: z.ZodType): boolean {
  return schema.meta()?.format === "date";
}

/** Whether a schema takes a day, at any depth. */
const mayHaveDay = anywhereIn(isDay);
