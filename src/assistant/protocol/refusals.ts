/** Refusals as assistants receive them: the code, the reason, and the next step. They never contain foreign text. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { Problem, type ProblemCode } from "../../domain/base/problem.ts";
import { DECLINED } from "../../features/access/oauth/resolve-plan.ts";
import { envelopeOf, internalError } from "../../platform/http/problems.ts";

/** The next step for every code with which a tool may refuse. */
const NEXT: Readonly<Partial<Record<ProblemCode, string>>> = {
  MALFORMED_REQUEST: "Name it as the list_* tools show it and call the tool again.",
  NOT_FOUND: "Find it with a list_* tool and use the id shown there.",
  VALIDATION_FAILED: "Correct the fields that are named and call the tool again.",
  PLAN_NOT_FOUND: "Call the plan_* tool again and use the plan_id of its answer.",
  PLAN_EXPIRED: "Call the plan_* tool again and show the person the new plan.",
  PLAN_STALE: "Call the plan_* tool again and show the person the new effect.",
  PLAN_ALREADY_COMMITTED: "Nothing is left to do; read the result by its id if you need it.",
  INSUFFICIENT_SCOPE:
    "Inform the person; they may connect this assistant again with more permissions.",
  ROLE_FORBIDDEN: 'Inform the person, or use what their role allows, such as scope "mine".',
  OUT_OF_SCOPE: 'Use a list_* tool with scope "mine" to see the rows within it.',
  REGISTRATION_FOR_OTHERS_FORBIDDEN: 'Omit `user`, or send "me".',
  USER_NOT_ASSIGNED: "Use get_my_work to find the lines on which the person may register.",
  USER_INACTIVE: "Choose another user; list_users shows the active ones.",
  WORK_DATE_IN_FUTURE: "Send today's date or an earlier one.",
  WORK_DATE_OUTSIDE_PERIOD:
    "Send a date within the period, or the line_id that get_series shows, which finds the period of the date.",
  WORK_PERIOD_LOCKED: "Inform the person; an admin can register it or move the lock date.",
  DAILY_HOURS_EXCEEDED: "Use list_work_registrations to see the registrations of that day.",
  LINE_HAS_REGISTRATIONS: "Move or delete the work with plan_register_work first.",
  OCCURRENCE_HAS_REGISTRATIONS: "Move or delete the work with plan_register_work first.",
  PERIOD_LOCKED: "Choose a later date.",
  EXCHANGE_RATE_MISSING: "Inform the person; a user with access to the API can add the rate.",
  INVOICE_ALREADY_ISSUED: "A credit note can reverse it: plan_create_credit_note.",
  INVOICE_ISSUE_IN_PROGRESS: "Wait a moment and use get_invoice to see the outcome.",
  INVOICE_NOT_ISSUED: "Change it with plan_update_invoice, or issue it with plan_issue_invoice.",
  INVOICE_EMPTY: "Add lines or hours with plan_update_invoice or plan_register_work.",
  INVOICE_INCOMPLETE:
    "Customer fields are set with plan_save_customer; for fields of the seller, inform the person: a user with access to the API can set them.",
  EINVOICE_INCOMPLETE:
    "Fields of the customer are set with plan_save_customer, references of a draft with plan_update_invoice; for fields of the seller, inform the person.",
  EINVOICE_NOT_CONNECTED: "Inform the person; the operator connects e-invoices.",
  EINVOICE_UNDER_WAY:
    "Nothing is to be sent again: get_invoice shows the state of the e-invoice on its way.",
  DELIVERY_NOT_RESOLVABLE: "Nothing is left to do; get_invoice shows the state of the sending.",
  EINVOICE_BY_LEDGER: "Inform the person: e-invoices are in the accounting system.",
  INVOICE_FULLY_CREDITED: "Nothing is left to do; get_invoice shows its credit notes.",
  CREDIT_EXCEEDS_LINE: "Send at most the remainder; get_invoice shows amounts and credit notes.",
  CUSTOMER_INACTIVE: "Inform the person; the customer must be activated first.",
  PRODUCT_INACTIVE: "Choose a product that list_products shows, or inform the person.",
  SERIES_INCOMPLETE: "Add a line with plan_edit_series_line.",
  SERIES_NOT_ACTIVE: "Activate it with plan_update_series and activate: true.",
  SERIES_ALREADY_ACTIVE: "Omit `activate`: the series is active.",
  SERIES_CANCELLED: "Inform the person; plan a continuation with plan_create_series.",
  SERIES_FIELD_FROZEN: "Omit the named fields; a series with other values is a new one.",
  SERIES_END_BEFORE_ISSUED:
    "Send a later end_date, or inform the person: a user with access to the API can cancel the series.",
  FINAL_PERIOD_ALREADY_ISSUED: "Inform the person; its end date does not change.",
  SERIES_TIMING_CONFLICT: "Send another issue_timing, or lines by another method.",
  SERIES_HAS_NO_OPEN_OCCURRENCE: "Inform the person; list_occurrences shows its periods.",
  OCCURRENCE_ALREADY_ISSUED: "Choose a period that list_occurrences shows as scheduled.",
  OCCURRENCE_DROPPED: "Choose a period that list_occurrences shows as scheduled.",
  OCCURRENCE_SKIPPED: "Inform the person; a user with access to the API can undo the skip.",
  PRODUCT_NUMBER_TAKEN: "Send another number, or change the product that has this number.",
  EXTERNAL_ID_CONFLICT: "Use another external_id, or change the resource that has this one.",
  RECEIVABLES_NOT_BEGUN:
    "Inform the person; an admin begins receivables on the page of receivables. Omit payment_state and overdue.",
  LEDGER_NOT_CONNECTED: "Inform the person; an accounting system must be connected first.",
  LEDGER_MAPPING_MISSING: "Inform the person; an account must be mapped to the ledger first.",
  LEDGER_REJECTED: "Inform the person; plan again when the cause is corrected.",
  LEDGER_MOVING: "Wait a moment and plan again.",
  LEDGER_UNAVAILABLE: "Wait a moment and call commit again with the same plan_id.",
  SERVICE_UNAVAILABLE: "Wait a moment and repeat the call.",
  RATE_LIMITED: "Wait and try again.",
  RESOURCE_BUSY: "Wait a few seconds and repeat the call.",
};

/** Returns the next step after a refusal; undefined for codes with which no tool refuses. */
export const nextStep = (code: ProblemCode): string | undefined => NEXT[code];

/** Sentences for codes whose standard sentence is about API keys and requests. */
const SENTENCE: Readonly<Partial<Record<ProblemCode, string>>> = {
  INSUFFICIENT_SCOPE: "The person has not allowed this assistant to do that.",
  EXCHANGE_RATE_MISSING: "There is no exchange rate on or before the date.",
  VALIDATION_FAILED: "Some arguments are not valid.",
  INVOICE_ISSUE_IN_PROGRESS: "The invoice is being issued; its outcome is not known yet.",
  LEDGER_UNAVAILABLE: "The accounting system does not answer. Nothing is lost.",
  SERVICE_UNAVAILABLE: "The service cannot reach its database at the moment.",
  RESOURCE_BUSY: "Another change is in progress on the same data. Nothing was changed.",
};

const INFORM = "Inform the person.";
const ASK = "Ask the person what to change before you plan again.";
/** For a plan that such a refusal has ended: the booking that it had begun may continue, or wait for an admin. */
const LOOK_FIRST = "Check the document before you plan again: its booking may wait for an admin.";
const MAY_GO_ON: ReadonlySet<unknown> = new Set(["LEDGER_REJECTED", "LEDGER_NOT_CONNECTED"]);

/** Returns a refusal as the result of a tool (spec 8.4). */
export function refused(problem: Problem, request_id: string): CallToolResult {
  const { request_id: _, ...error } = envelopeOf(withoutSpeech(problem), request_id).error;
  const is_standard = problem.extras.message === undefined;
  const message = (is_standard && SENTENCE[problem.code]) || error.message;
  const errors = error.field_errors ?? [];
  const [only] = errors;
  // The sentence about a single field is said once.
  const is_said = errors.length === 1 && only?.message === message;
  const said = is_said ? `${only?.field}: ${message}` : message;
  const faults = is_said ? [] : errors.map(({ field, message: fault }) => `- ${field}: ${fault}`);
  const details = error.details ? [`Details: ${JSON.stringify(error.details)}`] : [];
  const next = nextOf(problem);
  const text = [`${problem.code}: ${said}`, ...faults, ...details, ...(next ? [next] : [])];
  return result(text.join("\n"), { ...error, message });
}

function nextOf({ code, extras: { details } }: Problem): string | undefined {
  if (details?.state === "parked") return INFORM;
  if (details?.ended_by === DECLINED) return ASK;
  return MAY_GO_ON.has(details?.ended_by) ? LOOK_FIRST : nextStep(code);
}

/** Matches a reference that cannot contain a sentence. */
const PLAIN = /^[\p{L}\p{N}._:@/+-]{1,80}$/u;

/** Returns NOT_FOUND without the reference if it contains words: a person may have written them for an assistant to read. */
function withoutSpeech(problem: Problem): Problem {
  const { resource, ref } = problem.extras.details ?? {};
  if (problem.code !== "NOT_FOUND" || typeof ref !== "string" || PLAIN.test(ref)) return problem;
  const message = `There is no such ${String(resource).replaceAll("_", " ")}.`;
  return new Problem("NOT_FOUND", { ...problem.extras, message, details: { resource } });
}

/** Returns an internal error; the log has the error under the id of the request. */
export function failed(request_id: string): CallToolResult {
  const { request_id: _, ...error } = internalError(request_id).error;
  return result(
    `${error.code}: ${error.message} Inform the person; do not repeat the call without a change.`,
    error,
  );
}

function result(text: string, error: object): CallToolResult {
  return { content: [{ type: "text", text }], structuredContent: { error }, isError: true };
}

/** Returns the refusal of `scope: "all"` for a standard user. It comes before anything else in a call (spec 8.1). */
export function notTheirView(): Problem {
  const message = "Only an admin may see the whole account; use the scope mine.";
  return new Problem("ROLE_FORBIDDEN", { message });
}
