/**
 * Patterns and bounds in the OpenAPI document for texts and numbers that a function checks. The patterns refuse what the function
 * refuses, as far as JSON Schema can, and in addition only useless values, such as a reference that is longer than any existing
 * one. Assistants' tools do not get them, because the tool catalogue has a size limit.
 */
import * as z from "zod";
import { countries } from "../../domain/base/country.ts";
import { currencies } from "../../domain/base/currency.ts";
import { ADDRESS_FORM } from "../../domain/einvoice/address-form.ts";

/** Keywords of JSON Schema, and facts for which it has no keyword. */
interface WrittenForm {
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly maximum?: number;
  /** The most decimals of a number. In JSON Schema, `multipleOf` 0.01 refuses 19.99 because of floating point. */
  readonly "x-decimals"?: number;
  /** A sentence at the end of the description; not a keyword of the document. */
  readonly says?: string;
}

const written = z.registry<WrittenForm>();

/** Gives the schema a form and returns it. Schemas derived from it by `optional`, `nullable` or `meta` have the form too. */
export function withForm<Schema extends z.ZodType>(schema: Schema, form: WrittenForm): Schema {
  written.add(schema, form);
  return schema;
}

/** The form of a schema; undefined when zod describes all of it. */
export function formOf(schema: z.core.$ZodType): WrittenForm | undefined {
  return written.get(schema as z.ZodType);
}

// All dialects of regular expressions read this syntax in the same way: no flags, no lookaround, no classes such as \d or \p.
const HEX = "[0-9a-fA-F]";
const UUID = `${HEX}{8}-${HEX}{4}-${HEX}{4}-${HEX}{4}-${HEX}{12}`;
const YEAR = "(19|20|21)[0-9]{2}";
const MONTH = "(0[1-9]|1[0-2])";
const LEAP_YEAR = "((19|20|21)(0[48]|[2468][048]|[13579][26])|2000)";
const DAY_OF_YEAR =
  "(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31";
const TIME = "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?";
const DAY = `(${YEAR}-(${DAY_OF_YEAR})|${LEAP_YEAR}-02-29)`;
// Allows everything beyond ASCII, although the rule allows only letters, marks and digits: not every dialect has classes for
// these.
const ATOM = '[^\\x00-\\x20"(),.:;<>@\\[\\\\\\]\\x7f-\\xa0]+';
const [INSIDE, AT_THE_ENDS] = ["\\x00-\\x2c\\x2e\\x2f", "\\x00-\\x2f"].map(
  (lower) => `[^${lower}\\x3a-\\x40\\x5b-\\x60\\x7b-\\xa0]`,
);
const LABEL = `${AT_THE_ENDS}(${INSIDE}*${AT_THE_ENDS})?`;

export const forms = {
  /** PostgreSQL stores no NUL. */
  text: { pattern: "^[^\\x00]*$" },
  /** A filter accepts longer texts, which equal no external id. */
  external_id: { maxLength: 128 },
  ref: { pattern: `^(${UUID}|ext:[^\\x00]+)$`, maxLength: 132 },
  day: { pattern: `^${DAY}$` },
  month: { pattern: `^${YEAR}-${MONTH}$` },
  day_or_month: { pattern: `^(${DAY}|${YEAR}-${MONTH})$` },
  period: { pattern: `^(${DAY}|${YEAR}(-(${MONTH}|W(0[1-9]|[1-4][0-9]|5[0-3])|Q[1-4]|H[12]))?)$` },
  moment: { pattern: `^${DAY}T${TIME}(Z|[+-](0[0-9]|1[0-5]):[0-5][0-9])$` },
  currency: { pattern: `^(${currencies.join("|")})$` },
  country: { pattern: `^(${countries.join("|")})$` },
  language: { pattern: "^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}$" },
  color: { pattern: `^#${HEX}{6}$` },
  registration_number: { pattern: "^[0-9]{8}$" },
  mail_address: { pattern: `^${ATOM}(\\.${ATOM})*@${LABEL}(\\.${LABEL})*$` },
  electronic_address: { pattern: ADDRESS_FORM },
} satisfies Readonly<Record<string, WrittenForm>>;

/** Returns the form of a list of some of the names, separated by commas. */
export function formOfNames(names: readonly string[]): WrittenForm {
  const name = `(${names.join("|")})`;
  return { pattern: `^${name}(,${name})*$` };
}
