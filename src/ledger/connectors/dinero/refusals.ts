/**
 * What Dinero refuses, told in the words of the port. The codes are those that are known; what is not known is a refusal
 * of the content, with everything that was said kept for the log.
 */
import type { RejectCode, Rejected } from "../../outcome.ts";
import { fieldOf, jsonOf, textOf } from "./wire.ts";

export interface DineroRefusal {
  readonly status: number;
  /** Null where the body says none. */
  readonly code: number | null;
  readonly message: string;
  /** By fields or keys of Dinero. */
  readonly fields: Readonly<Record<string, string>>;
}

const CODE = { notFound: 40, stale: 58, noDocument: 63, deleted: 65, duplicated: 72 };
const TEXT_AT_MOST = 500;

/** Reads the body of an answer that refuses; whatever cannot be read is left out. */
export function refusalOf(status: number, body: Uint8Array): DineroRefusal {
  let value: unknown;
  try {
    value = jsonOf(body);
  } catch {
    value = undefined;
  }
  const object = typeof value === "object" && value !== null ? (value as object) : {};
  const told = Array.isArray(object) ? {} : (object as Record<string, unknown>);
  const code = fieldOf(told, "code");
  const fields = fieldOf(told, "validationErrors");
  return {
    status,
    code: typeof code === "number" ? code : null,
    message: (textOf(told, "message") ?? "").slice(0, TEXT_AT_MOST),
    fields:
      typeof fields === "object" && fields !== null
        ? Object.fromEntries(
            Object.entries(fields)
              .slice(0, 50)
              .map(([key, text]) => [key, String(text).slice(0, TEXT_AT_MOST)]),
          )
        : {},
  };
}

/** That there is nothing under a guid, which a missing document tells with another status than a missing contact. */
export function isAbsent({ code, fields }: DineroRefusal): boolean {
  return (
    code === CODE.noDocument ||
    code === CODE.notFound ||
    code === CODE.deleted ||
    "ledgerItemNotFound" in fields
  );
}

/** That something is there under a guid already. */
export function isDuplicate({ status, code, fields }: DineroRefusal): boolean {
  return status === 409 || code === CODE.duplicated || "guidMustBeUnique" in fields;
}

export function isStale({ code }: DineroRefusal): boolean {
  return code === CODE.stale;
}

export function isDeleted({ code }: DineroRefusal): boolean {
  return code === CODE.deleted;
}

export function isMissingContact({ status, code }: DineroRefusal): boolean {
  return status === 404 && (code === CODE.notFound || code === null);
}

const LOCKED = /lock|låst|closed|lukket|afslutt|settled|indberettet/i;
const YEAR = /accounting ?year|regnskabsår|fiscal/i;

/** By what is said of it and where: the first that fits. */
const TOLD_OF: readonly (readonly [RegExp, RegExp, RejectCode])[] = [
  [/date|year|period|/i, LOCKED, "PERIOD_LOCKED"],
  [/date|year|/i, YEAR, "NO_FISCAL_YEAR"],
  [/vatcode/i, /^/, "UNKNOWN_VAT_CODE"],
  [/accountnumber/i, /^/, "UNKNOWN_ACCOUNT"],
  [/contactguid/i, /^/, "UNKNOWN_CUSTOMER"],
  [/creditnotefor/i, /^/, "CREDITED_DOCUMENT_NOT_BOOKED"],
  [/^number$/i, /^/, "NUMBER_TAKEN"],
];

/** The refusal as the port tells it. */
export function rejectedFor(refusal: DineroRefusal): Rejected {
  return { state: "rejected", code: codeOf(refusal), fields: refusal.fields, cause: refusal };
}

function codeOf(refusal: DineroRefusal): RejectCode {
  if (isDuplicate(refusal) || isStale(refusal)) return "GUID_CONFLICT";
  if (isMissingContact(refusal) || isDeleted(refusal)) return "UNKNOWN_CUSTOMER";
  const told = Object.entries(refusal.fields);
  if (told.length === 0) told.push(["", refusal.message]);
  for (const [field_pattern, text_pattern, code] of TOLD_OF) {
    if (told.some(([field, text]) => field_pattern.test(field) && text_pattern.test(text))) {
      return code;
    }
  }
  return "VALIDATION";
}
