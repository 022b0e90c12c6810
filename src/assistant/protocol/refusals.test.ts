/** The text of a refusal for an assistant names a next step. */
import { describe, expect, it } from "vitest";
import { Problem, problemCatalogue } from "../../domain/base/problem.ts";
import { nextStep, refused } from "./refusals.ts";

/** Codes that no tool returns. */
const NEVER: readonly string[] = [
  "CHANGED_MEANWHILE",
  "UNAUTHORIZED",
  "VERSION_UNKNOWN",
  "PRECONDITION_FAILED",
  "FEED_RESET",
  "TOO_MANY_ENDPOINTS",
  "BACKGROUND_PAUSED",
  "IDEMPOTENCY_CONFLICT",
  "REQUEST_IN_PROGRESS",
  "CREDIT_NOTE_ALREADY_ISSUED",
  "CREDIT_NOTE_NOT_ISSUED",
  "SERIES_ALREADY_CANCELLED",
  "OCCURRENCE_NOT_SKIPPED",
  "LINE_NOT_COMPLETABLE",
  "LINE_ALREADY_COMPLETED",
  "NOT_A_SANDBOX",
  "TEST_CLOCK_BACKWARDS",
  "EMAIL_TAKEN",
  "USER_HAS_LOGIN",
  "REAUTHENTICATION_REQUIRED",
  "LAST_ADMIN",
  "PAYMENTS_IN_LEDGER",
  "ACCRUAL_ALREADY_BOOKED",
  "ACCRUAL_NOT_BOOKED",
  "EARLIER_ACCRUAL_OPEN",
  "LATER_ACCRUAL_BOOKED",
  "PERIOD_NOT_ENDED",
  "EARLIER_PERIOD_OPEN",
  "LATER_PERIOD_CLOSED",
  "PERIOD_NOT_CLOSED",
  "PERIOD_CLOSED",
  "ACCOUNT_ROLE_MISSING",
  "CONFIGURATION_LOCKED",
  "MOVE_BLOCKED",
  "PAYMENT_DATE_IN_FUTURE",
  "PAYMENT_EXCEEDS_OPEN",
  "CREDIT_EXCEEDS_OPEN",
  "PAYMENT_REVERSED",
  "PAYMENT_REFUNDED",
  "ALLOCATION_REVERSED",
  "BANK_LINE_BOOKED",
  "BANK_LINE_IGNORED",
  "MATCH_NOT_EXACT",
  "RECEIVABLES_BEGUN",
  "ITEM_APPLIED",
  "ITEM_REVERSED",
  "OPENING_CONTRACT_ENDED",
  "ITEM_SETTLED",
  "REMINDER_PAID",
  "REMINDER_CANCELLED",
];

describe("the refusals of tools", () => {
  it.each(problemCatalogue().filter(({ code }) => !NEVER.includes(code)))(
    "$code names the next step",
    ({ code }) => {
      expect(nextStep(code)).toMatch(/^[A-Z].{15,}\.$/);
    },
  );

  it("exclude only codes that exist", () => {
    const known = problemCatalogue().map(({ code }) => code as string);
    expect(NEVER.filter((code) => !known.includes(code))).toEqual([]);
  });
});

describe("the text of a refusal", () => {
  const textOf = (problem: Problem): string => {
    const [said] = refused(problem, "request").content;
    return said?.type === "text" ? said.text : "";
  };

  it("says the sentence about a single field once", () => {
    const message = "Several match.";
    const field_errors = [{ field: "customer", code: "ambiguous", message } as const];
    expect(textOf(new Problem("VALIDATION_FAILED", { message, field_errors }))).toBe(
      "VALIDATION_FAILED: customer: Several match.\nCorrect the fields that are named and call the tool again.",
    );
  });

  it("names each of several fields, and a field whose sentence is another", () => {
    const fault = { field: "name", code: "required", message: "It is missing." } as const;
    for (const field_errors of [[fault], [fault, { ...fault, field: "city" }]]) {
      const text = textOf(new Problem("VALIDATION_FAILED", { field_errors }));
      expect(text).toMatch(
        /^VALIDATION_FAILED: Some arguments are not valid\.\n- name: It is missing\./,
      );
    }
  });
});
