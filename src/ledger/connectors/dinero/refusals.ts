/** Translates Dinero's refusals for the port. An unknown code refuses the content; the log keeps the whole response. */
import type { RejectCode, Rejected } from "../../outcome.ts";
import { type DineroObject, fieldOf, jsonOf, textOf } from "./values.ts";

export interface DineroRefusal {
  readonly status: number;
  /** Every code in the body, at its top or in its list of errors. */
  readonly codes: readonly number[];
  /** The messages that belong to no field: the one at the top, and those of the list of errors. */
  readonly messages: readonly string[];
  /** The messages by Dinero's field or key, wherever the body names it. */
  readonly fields: Readonly<Record<string, string>>;
}

const CODE = { notFound: 40, stale: 58, noDocument: 63, deleted: 65, duplicated: 72 };
const TEXT_AT_MOST = 500;
const ERRORS_AT_MOST = 50;

/** Reads a refusal's body: each of its three parts may contain the reason. Unreadable parts are left out. */
export function refusalOf(status: number, body: Uint8Array): DineroRefusal {
  const reasons = bodyIn(body);
  const errors = rowsOf(fieldOf(reasons, "errorMessageList"));
  const fields = new Map<string, string>();
  const add = (key: unknown, text: unknown): void => {
    if (typeof key !== "string" || key === "" || fields.has(key)) return;
    if (fields.size < ERRORS_AT_MOST) fields.set(key, shortened(text));
  };
  for (const [key, text] of Object.entries(objectIn(fieldOf(reasons, "validationErrors")))) {
    add(key, text);
  }
  for (const row of rowsOf(fieldOf(reasons, "languageSpecificMessages"))) {
    add(fieldOf(row, "property"), fieldOf(row, "message"));
  }
  const codes = [codeOf(fieldOf(reasons, "code"))];
  const messages = [fieldOf(reasons, "message")];
  for (const row of errors) {
    const code = codeOf(fieldOf(row, "Code"));
    codes.push(code);
    // A number is a code of the whole response, a text is the key of an error.
    if (code === null && textOf(row, "Code") !== null)
      add(textOf(row, "Code"), fieldOf(row, "Message"));
    else messages.push(fieldOf(row, "Message"));
  }
  return {
    status,
    codes: codes.filter((code) => code !== null),
    messages: messages.map(shortened).filter((text) => text !== ""),
    fields: Object.fromEntries(fields),
  };
}

function bodyIn(body: Uint8Array): DineroObject {
  try {
    return objectIn(jsonOf(body));
  } catch {
    return {};
  }
}

function objectIn(value: unknown): DineroObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as DineroObject)
    : {};
}

function rowsOf(value: unknown): DineroObject[] {
  return Array.isArray(value) ? value.slice(0, ERRORS_AT_MOST).map(objectIn) : [];
}

/** Returns the number of an error; null for any other value. */
function codeOf(value: unknown): number | null {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : null;
}

function shortened(text: unknown): string {
  return String(text ?? "").slice(0, TEXT_AT_MOST);
}

/** Whether the response has a code, or one of the given codes. */
export function hasCode({ codes }: DineroRefusal, ...wanted: readonly number[]): boolean {
  return codes.some((code) => wanted.includes(code));
}

/** Whether the response names an error's key, as a key or inside a text. */
function names({ fields, messages }: DineroRefusal, key: string): boolean {
  const wanted = key.toLowerCase();
  return [...Object.entries(fields).flat(), ...messages].some((text) =>
    text.toLowerCase().includes(wanted),
  );
}

/** Whether nothing exists under a guid; Dinero reports a missing document with another status than a missing contact. */
export function isAbsent(refusal: DineroRefusal): boolean {
  return (
    hasCode(refusal, CODE.noDocument, CODE.notFound, CODE.deleted) ||
    names(refusal, "ledgerItemNotFound")
  );
}

/** Whether the guid is taken. The status alone proves nothing: gateways between us and Dinero also return 409. */
export function isDuplicate(refusal: DineroRefusal): boolean {
  return hasCode(refusal, CODE.duplicated) || names(refusal, "guidMustBeUnique");
}

export function isStale(refusal: DineroRefusal): boolean {
  return hasCode(refusal, CODE.stale);
}

export function isDeleted(refusal: DineroRefusal): boolean {
  return hasCode(refusal, CODE.deleted);
}

export function isMissingContact(refusal: DineroRefusal): boolean {
  const { status, codes } = refusal;
  return status === 404 && (codes.length === 0 || hasCode(refusal, CODE.notFound));
}

/** Matches words with this beginning. */
const words = (begin: string) => new RegExp(`(?<!\\p{L})(?:${begin})`, "iu");
/** Matches fields about a date, a year or a period; "" stands for a response that names no field. `UpdatedAt` does not match. */
const DAY = /date(?!d)|year|period|^$/i;
const LOCKED = words("lock|låst|aflåst|closed|lukket|afslutt|settled|indberettet");
const YEAR = words("accounting ?year|regnskabsår|fiscal");
const ANYTHING = /^/;
const MISSING = words(
  "not found|not exist|unknown|missing|required|deleted|findes ikke|ukendt|mangler|slettet",
);

/** The reject codes by the field and its message; the first match decides. */
const REFUSED_FIELDS: readonly (readonly [RegExp, RegExp, RejectCode])[] = [
  [DAY, LOCKED, "PERIOD_LOCKED"],
  [DAY, YEAR, "NO_FISCAL_YEAR"],
  [/vatcode/i, ANYTHING, "UNKNOWN_VAT_CODE"],
  [/accountnumber/i, ANYTHING, "UNKNOWN_ACCOUNT"],
  [/contactguid/i, MISSING, "UNKNOWN_CUSTOMER"],
  [/creditnotefor/i, ANYTHING, "CREDITED_DOCUMENT_NOT_BOOKED"],
  [/^number$/i, ANYTHING, "NUMBER_TAKEN"],
];

/** Returns the refusal in the terms of the port. */
export function rejectedFor(refusal: DineroRefusal): Rejected {
  return { state: "rejected", code: reasonOf(refusal), fields: refusal.fields, cause: refusal };
}

function reasonOf(refusal: DineroRefusal): RejectCode {
  if (isDuplicate(refusal) || isStale(refusal)) return "GUID_CONFLICT";
  if (isMissingContact(refusal) || isDeleted(refusal)) return "UNKNOWN_CUSTOMER";
  const by_field = Object.entries(refusal.fields);
  const reasons =
    by_field.length > 0 ? by_field : refusal.messages.map((text) => ["", text] as const);
  for (const [field_pattern, text_pattern, code] of REFUSED_FIELDS) {
    // A key such as `yearIsLocked` may give the reason when its text does not.
    const is_named = reasons.some(
      ([field, text]) =>
        field_pattern.test(field) && text_pattern.test(`${wordsIn(field)} ${text}`),
    );
    if (is_named) return code;
  }
  return "VALIDATION";
}

function wordsIn(key: string): string {
  return key.replace(/([a-z])([A-Z])/g, "$1 $2");
}
