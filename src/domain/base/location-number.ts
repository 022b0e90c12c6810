/** Global location numbers (GLN, in Denmark EAN numbers): thirteen digits, the last of which is a check digit. */
import type { FieldError } from "./problem.ts";

const MESSAGES = {
  form: "A location number has 13 digits.",
  check_digit: "The check digit is wrong.",
} as const;

/** Returns the fault of a location number; null for a right one. Spaces are allowed, and an empty text means no number. */
export function locationNumberFault(text: string | null): keyof typeof MESSAGES | null {
  const digits = (text ?? "").replace(/\s/g, "");
  if (digits === "") return null;
  if (!/^\d{13}$/.test(digits)) return "form";
  return hasRightCheckDigit(digits) ? null : "check_digit";
}

/** Returns the faults of a location number that is set. */
export function locationNumberFaults(text: string | null, field: string): FieldError[] {
  const fault = locationNumberFault(text);
  return fault === null ? [] : [{ field, code: "invalid_format", message: MESSAGES[fault] }];
}

/** The weights are 1 and 3 from the left, and the sum must end in 0 (GS1 General Specifications 7.9). */
function hasRightCheckDigit(digits: string): boolean {
  const sum = [...digits].reduce((total, digit, index) => {
    return total + Number(digit) * (index % 2 === 0 ? 1 : 3);
  }, 0);
  return sum % 10 === 0;
}
