/**
 * The building blocks of request and reply schemas. One schema gives validation, OpenAPI and, for assistants, the tool's input.
 * Strings count code points and contain only what PostgreSQL can store.
 */
import * as z from "zod";
import {
  type CalendarDate,
  calendarDate,
  firstDayOf,
  lastDayOf,
  type Month,
  month,
} from "../../domain/base/calendar.ts";
import { isCountry } from "../../domain/base/country.ts";
import { isCurrency } from "../../domain/base/currency.ts";
import type { FieldError } from "../../domain/base/field-errors.ts";
import { isMailAddress } from "../../domain/base/mail-address.ts";
import { scaledFromNumber } from "../../domain/base/money.ts";
import type { FieldCode } from "../../domain/base/problem.ts";
import { codePoints, isStorable } from "../../domain/base/text.ts";
import { isAddress, LONGEST_ADDRESS } from "../../domain/einvoice/address-form.ts";
import { formOfNames, forms, withForm } from "./written-forms.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns the parameters of a custom check: the message and code of its field error. */
export function as(code: FieldCode, message: string) {
  return { error: message, params: { code } };
}

/** A text with at least `least` and at most `most` code points. */
export function text(most: number, least = 0) {
  return withForm(
    z
      .string()
      .refine(isStorable, as("invalid_value", "NUL and lone surrogates are not allowed."))
      .refine((value) => codePoints(value) >= least, as("too_short", tooShort(least)))
      .refine((value) => codePoints(value) <= most, as("too_long", `At most ${most} characters.`)),
    forms.text,
  ).meta({ ...(least > 0 ? { minLength: least } : {}), maxLength: most });
}

/** The message for a text with fewer than the given number of characters, 1 or more. */
export function tooShort(least: number | bigint): string {
  return least === 1 ? "Must not be empty." : `At least ${least} characters.`;
}

/** A UUID, converted to lower case. */
export const Uuid = z
  .string()
  .refine((value) => UUID.test(value), as("invalid_format", "Not a UUID."))
  .overwrite((value) => value.toLowerCase())
  .meta({ format: "uuid" });

export const ExternalId = text(128, 1);

/** A reference in a path or query: a UUID or `ext:<external_id>`. */
export const Ref = withForm(
  z
    .string()
    .refine(isRef, as("invalid_format", "A reference is a UUID or ext:<external_id>."))
    .overwrite((value) => (value.startsWith("ext:") ? value : value.toLowerCase())),
  forms.ref,
).describe("The resource's UUID, or `ext:` and its external id, URL-encoded.");

export const RefParams = z.object({ ref: Ref });

export function isRef(value: string): boolean {
  if (value.startsWith("ext:")) return value.length > 4 && isStorable(value);
  return UUID.test(value);
}

/** A date, `YYYY-MM-DD`. */
export const Day = withForm(
  readAs(calendarDate, "Not a day of the form YYYY-MM-DD."),
  forms.day,
).meta({
  type: "string",
  format: "date",
  example: "2026-03-31",
});

/** The start of a range: a date, or a month for its first day. */
export const FirstDay = dayOf(firstDayOf);

/** The end of a range: a date, or a month for its last day. */
export const LastDay = dayOf(lastDayOf);

function dayOf(dayOfMonth: (text: Month) => CalendarDate) {
  const read = (value: string) => {
    const whole = month(value);
    return whole === undefined ? calendarDate(value) : dayOfMonth(whole);
  };
  const message = "Neither a day of the form YYYY-MM-DD nor a month of the form YYYY-MM.";
  return withForm(readAs(read, message), forms.day_or_month).meta({
    type: "string",
    example: "2026-03",
  });
}

/** A month, or a date for its month. */
export const MonthOfTime = withForm(
  readAs(
    (value) => month(value) ?? (calendarDate(value) && month(value.slice(0, 7))),
    "Neither a month of the form YYYY-MM nor a day of the form YYYY-MM-DD.",
  ),
  forms.day_or_month,
).meta({ type: "string", example: "2026-03" });

/** An ISO 8601 timestamp with its offset. A space may replace `+`, because an unencoded `+` arrives as one. */
export const Moment = withForm(
  z
    .string()
    .overwrite((value) => value.replace(/ (?=\d\d:?\d\d$)/, "+"))
    .refine(
      isMoment,
      as("invalid_format", "Not an ISO 8601 timestamp such as 2026-03-31T08:00:00Z."),
    ),
  forms.moment,
).meta({ format: "date-time" });

export const Currency = withForm(
  z.string().refine(isCurrency, as("invalid_value", "Not a currency of ISO 4217, in upper case.")),
  forms.currency,
).meta({ minLength: 3, maxLength: 3, example: "DKK" });

export const Country = withForm(
  z
    .string()
    .refine(isCountry, as("invalid_value", "Not a country of ISO 3166-1 alpha-2, in upper case.")),
  forms.country,
).meta({ minLength: 2, maxLength: 2, example: "DK" });

/** A language tag. Documents are written in Danish or English; any other language gets the closer of these two. */
export const LanguageTag = withForm(
  z
    .string()
    .refine(
      (value) => new RegExp(forms.language.pattern).test(value),
      as("invalid_format", "Not a language tag such as da-DK."),
    ),
  forms.language,
);

/** A mail address. Every invalid address gets one error: messages about its length would add nothing. */
export const MailAddress = withForm(
  z.string().refine(isMailAddress, as("invalid_format", "Not exactly one e-mail address.")),
  forms.mail_address,
).meta({ minLength: 3, maxLength: 254 });

/** The form of an electronic address, `scheme:value`. The command checks the scheme and the value. */
export const ElectronicAddress = withForm(
  z
    .string()
    .refine(
      isAddress,
      as("invalid_format", "Not an electronic address such as 0088:5798009811578."),
    ),
  forms.electronic_address,
).meta({ minLength: 6, maxLength: LONGEST_ADDRESS, example: "0088:5798009811578" });

/** A text that is converted to another type; a text that cannot be converted is refused. */
export function readAs<Value>(
  read: (value: string) => Value | undefined,
  message: string,
  code: FieldCode = "invalid_format",
) {
  return z.string().transform((value, check) => {
    const found = read(value);
    if (found !== undefined) return found;
    addFault(check, "", code, message);
    return z.NEVER;
  });
}

/** A number from `least` to `most` with at most the given decimals, read from its decimal text. */
export function decimal(decimals: number, least: number, most: number) {
  const says = `At most ${decimals} decimals.`;
  return withForm(exact(z.number().min(least).max(most), decimals, says), {
    says,
    "x-decimals": decimals,
  });
}

/** A number whose number of decimals depends on a currency: at most 15 significant digits. */
export function amount(least: number) {
  const says = "At most 10^12 minor units of the currency, with no more decimals than it has.";
  const maximum = 1_000_000_000_000;
  return withForm(exact(z.number().min(least), 4, "Too many decimals."), { says, maximum });
}

/** As `amount`, above 0. */
export function positiveAmount() {
  const says = "At most 10^12 minor units of the currency, with no more decimals than it has.";
  const maximum = 1_000_000_000_000;
  return withForm(exact(z.number().positive(), 4, "Too many decimals."), { says, maximum });
}

function exact(number: z.ZodNumber, decimals: number, too_many: string) {
  return number.superRefine((value, check) => {
    const scaled = scaledFromNumber(value, decimals);
    if (typeof scaled !== "string") return;
    addFault(check, "", scaled, scaled === "too_large" ? "Too many digits." : too_many);
  });
}

/** An integer in a query string: digits only. */
export function queryInteger(least: number, most: number) {
  return z.preprocess(
    (value) => (typeof value === "string" && /^-?\d{1,15}$/.test(value) ? Number(value) : value),
    z.int().min(least).max(most),
  );
}

/** `true` or `false` in a query string. */
export const QueryBoolean = z.preprocess(
  (value) => (value === "true" ? true : value === "false" ? false : value),
  z.boolean(),
);

/** The parameters that every list takes (spec 11.3). */
export const pageParameters = {
  limit: queryInteger(1, 100).default(25).describe("Page size."),
  cursor: text(1000, 1).optional().describe("`next_cursor` of the previous page."),
};

export const updatedSince = Moment.optional().describe(
  "Only resources changed after this moment. Polling with any stamp misses no change.",
);

/** `include=a,b`: the data that a list adds to its rows. `says` describes each name. */
export function includeFilter<const Name extends string>(names: readonly Name[], says: string) {
  const read = (value: string): Name[] | undefined => {
    const asked = value.split(",");
    return asked.every((name) => names.some((known) => known === name))
      ? (asked as Name[])
      : undefined;
  };
  const message = `Names of ${names.join(", ")}, separated by commas.`;
  return withForm(readAs(read, message, "invalid_value"), formOfNames(names))
    .optional()
    .meta({ type: "string", example: names.join(","), description: says });
}

/** A search text; `what` names the fields that are searched. */
export function searchFilter(what: string) {
  return text(255, 1)
    .optional()
    .describe(`Only resources with this text in ${what}, case-insensitive.`);
}

/** The number of a document, without a prefix. */
export const documentNumber = queryInteger(1, 999_999_999_999_999).optional();

/** The range of a document's issue date. */
export const issuedRange = {
  issued_from: FirstDay.optional().describe(
    "First date of issue, a day or a month; leaves out drafts.",
  ),
  issued_to: LastDay.optional().describe(
    "Last date of issue, a day or a month; leaves out drafts.",
  ),
};

/** Whether deactivated resources are listed; by default they are not. */
export const activeFilter = z.enum(["true", "false", "all"]).default("true").meta({
  description: "`false` lists inactive ones, `all` both.",
});
export const externalIdFilter = withForm(text(16_384, 1), forms.external_id)
  .optional()
  .describe("Exact match.");

/** A fact that a person should look at; not a refusal. New codes may be added, so clients have to expect unknown ones. */
export const Warning = component("Warning", {
  code: z.string(),
  message: z.string(),
  field: z.string().optional().describe("Where to correct it."),
});

/** A text in a reply; null when there is none. */
export const shownText = z.string().nullable();

/** A schema of replies, with its name in the OpenAPI document. */
export function component<Fields extends z.core.$ZodLooseShape>(id: string, fields: Fields) {
  return z.strictObject(fields).meta({ id });
}

/** A schema of requests, with its name in the OpenAPI document. */
export function input<Fields extends z.core.$ZodLooseShape>(id: string, fields: Fields) {
  return z.object(fields).meta({ id });
}

/** Rows inside a reply. */
export function manyOf<Fields extends z.core.$ZodLooseShape>(fields: Fields) {
  return z.array(z.strictObject(fields));
}

/** The list envelope (spec 11.3). */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    object: z.literal("list"),
    data: z.array(item),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
  });
}

type Check = Pick<z.core.$RefinementCtx, "addIssue">;

/** Adds a field error with one of our codes to a zod check. `field` is relative to the checked value. */
export function addFault(check: Check, field: string, code: FieldCode, message: string): void {
  check.addIssue({ code: "custom", path: pathFrom(field), message, params: { code } });
}

/** Adds the field errors that a rule has found. */
export function addFaults(check: Check, faults: readonly FieldError[]): void {
  for (const { field, code, message } of faults) addFault(check, field, code, message);
}

/** Converts `lines[0].amount` to the path of a zod issue. */
export function pathFrom(field: string): (string | number)[] {
  return field
    .split(/[.[\]]+/)
    .filter(Boolean)
    .map((key) => (/^\d+$/.test(key) ? Number(key) : key));
}

/** Whether PostgreSQL can read the timestamp: it reads only offsets below 16 hours, and only texts of limited length. */
function isMoment(value: string): boolean {
  return (
    value.length <= 64 &&
    z.iso.datetime({ offset: true }).safeParse(value).success &&
    /(Z|[+-](0\d|1[0-5]):\d\d)$/.test(value) &&
    value >= "1900" &&
    value < "2200"
  );
}
