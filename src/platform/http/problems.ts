/** Maps a refusal to status and envelope, and a failed schema to field errors. Only this file does so. */
import type * as z from "zod";
import {
  type FieldCode,
  type FieldError,
  Problem,
  type ProblemKind,
} from "../../domain/base/problem.ts";
import { databaseErrorCode, violatedConstraint } from "../database/database.ts";
import { isLocked, isOverloaded, isUnavailable } from "../database/unavailable.ts";
import { tooShort } from "./schemas.ts";

export const statusOfKind: Readonly<Record<ProblemKind, number>> = {
  malformed: 400,
  unauthorized: 401,
  forbidden: 403,
  absent: 404,
  conflict: 409,
  changed: 412,
  invalid: 422,
  limited: 429,
  unavailable: 500,
};

interface ErrorEnvelope {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly request_id: string;
    readonly field_errors?: readonly FieldError[];
    readonly details?: Readonly<Record<string, unknown>>;
  };
}

/** Returns the envelope of a refusal (spec 11.7). `request_id` is also in the log, and in messages of status 500. */
export function envelopeOf(problem: Problem, request_id: string): ErrorEnvelope {
  const { field_errors, details } = problem.extras;
  const is_failure = statusOfKind[problem.kind] >= 500;
  return {
    error: {
      code: problem.code,
      message: is_failure ? `${problem.message} Request ${request_id}.` : problem.message,
      request_id,
      ...(field_errors ? { field_errors } : {}),
      ...(details ? { details } : {}),
    },
  };
}

export function internalError(request_id: string): ErrorEnvelope {
  const message = `Something went wrong on our side. Request ${request_id}.`;
  return { error: { code: "INTERNAL_ERROR", message, request_id } };
}

const problemOfConstraint: Readonly<Record<string, () => Problem>> = {
  products_account_id_product_number_key: () => new Problem("PRODUCT_NUMBER_TAKEN"),
  users_email: () => new Problem("EMAIL_TAKEN"),
  logins_email: () => new Problem("EMAIL_TAKEN"),
  users_login: () => new Problem("EMAIL_TAKEN"),
};

/** Whole seconds until an unavailable database may be back. */
const AWAY_SECONDS = 5;
/** Seconds until a lock may be free, and until the load may be lower. */
const BUSY_SECONDS = 2;
const OVERLOADED_SECONDS = 5;

/**
 * Converts a database error to a refusal. The database checks every rule a second time: when the database refuses a change
 * because of a race that the rule could not see, the caller gets the rule's own refusal. A database that is away becomes
 * SERVICE_UNAVAILABLE, an overloaded one RATE_LIMITED, and a lock that was not free in time RESOURCE_BUSY: in these cases nothing
 * was changed, and the caller may repeat the request. Other errors are returned unchanged.
 */
export function problemFromDatabase(error: unknown): unknown {
  if (isUnavailable(error)) {
    return new Problem("SERVICE_UNAVAILABLE", { retry_after_seconds: AWAY_SECONDS });
  }
  if (isOverloaded(error)) {
    const message = "The service is overloaded at the moment; wait as Retry-After says.";
    return new Problem("RATE_LIMITED", { message, retry_after_seconds: OVERLOADED_SECONDS });
  }
  if (isLocked(error)) {
    return new Problem("RESOURCE_BUSY", { retry_after_seconds: BUSY_SECONDS });
  }
  if (databaseErrorCode(error) === "MB002") return new Problem("INVOICE_ALREADY_ISSUED");
  if (databaseErrorCode(error) === "MB004") return new Problem("PERIOD_LOCKED");
  if (databaseErrorCode(error) === "MB006") return new Problem("REQUEST_IN_PROGRESS");
  if (databaseErrorCode(error) === "MB005") return new Problem("CREDIT_EXCEEDS_LINE");
  const constraint = violatedConstraint(error);
  if (constraint?.endsWith("_account_id_external_id_key"))
    return new Problem("EXTERNAL_ID_CONFLICT");
  const make = constraint === undefined ? undefined : problemOfConstraint[constraint];
  return make ? make() : error;
}

/** Returns the framework's status, 400 to 499, for an unreadable request (body too large, broken URL), or undefined. */
export function unreadableStatus(error: unknown): number | undefined {
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  return typeof status === "number" && status >= 400 && status < 500 ? status : undefined;
}

/** Returns the field errors of a failed schema, with paths such as `lines[0].agreed_value`. */
export function fieldErrorsFrom(error: z.ZodError): FieldError[] {
  const issues = error.issues.flatMap(withinOption);
  return issues.flatMap((issue, index) => {
    if (isNarrowedBy(issue, issues[index + 1])) return [];
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => unknownField([...issue.path, key.slice(0, MOST_KEY)]));
    }
    const code = codeOf(issue);
    const message = code === "required" && issue.code !== "custom" ? MISSING : sentenceOf(issue);
    return { field: pathText(issue.path), code, message };
  });
}

/** Returns the issues inside of the option whose form a value has, where it has that of one; otherwise the issue itself. */
function withinOption(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  const inside = issue.errors.filter((all) => all.every(({ path }) => path.length > 0));
  const [option] = inside;
  if (option === undefined || inside.length > 1) return [issue];
  return option.map((one) => ({ ...one, path: [...issue.path, ...one.path] }));
}

const MISSING = "This field is required.";

/** Whether the next error is a narrower bound for the same value: an integer schema has a bound of its own before the field's. */
function isNarrowedBy(issue: z.core.$ZodIssue, next: z.core.$ZodIssue | undefined): boolean {
  const is_bound = issue.code === "too_big" || issue.code === "too_small";
  return is_bound && issue.code === next?.code && pathText(issue.path) === pathText(next.path);
}

/** Returns the sentence about an invalid value, in our own words, because the library's messages name its types. */
function sentenceOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "custom":
      return issue.message;
    case "invalid_type":
      return `Must be ${KINDS[issue.expected] ?? "of another type"}.`;
    case "too_small":
      if (issue.origin === "string") return tooShort(issue.minimum);
      return `${issue.inclusive === false ? "More than" : "At least"} ${counted(issue.minimum, issue.origin)}.`;
    case "too_big":
      return `At most ${counted(issue.maximum, issue.origin)}.`;
    case "invalid_value":
      return `Must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.map(String).join(", ")}.`;
    case "invalid_union":
      return "Has none of the possible formats.";
    case "invalid_format":
      return "Does not have the right format.";
    default:
      return "Is not valid.";
  }
}

const KINDS: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};

/** Returns a bound with its unit; for numbers the bound alone. */
function counted(bound: number | bigint, origin: string): string {
  const [one, many] = UNITS[origin] ?? [];
  if (one === undefined) return String(bound);
  return `${bound} ${bound === 1 ? one : many}`;
}

const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  array: ["entry", "entries"],
  string: ["character", "characters"],
};

/** The most characters of an unknown field's name in a message. */
const MOST_KEY = 64;

function unknownField(path: readonly PropertyKey[]): FieldError {
  return { field: pathText(path), code: "not_allowed", message: "There is no such field." };
}

export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    return text === "" ? String(key) : `${text}.${String(key)}`;
  }, "");
}

function codeOf(issue: z.core.$ZodIssue): FieldCode {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "required" : "invalid_type";
    case "too_small":
      return issue.origin === "number" || issue.origin === "int" ? "too_small" : "too_short";
    case "too_big":
      return issue.origin === "number" || issue.origin === "int" ? "too_large" : "too_long";
    case "invalid_value":
      return issue.input === undefined ? "required" : "invalid_value";
    case "invalid_format":
      return "invalid_format";
    case "custom":
      return (issue.params?.code as FieldCode | undefined) ?? "invalid_value";
    default:
      return "invalid_value";
  }
}
