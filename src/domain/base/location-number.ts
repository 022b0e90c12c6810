/** Global location numbers (GLN, in Denmark EAN numbers): thirteen digits, the last of which is a check digit. */
import type { FieldError } from "./problem.ts";

/** The faults of a location number that is set. Spaces are allowed, and an empty text means no number. */
export function locationNumberFaults(text: string | null, field: string): FieldError[] {
  const digits = (text ?? "").replace(/\s/g, "");
  if (digits === "") return [];
  if (!/^\d{13}$/.test(digits)) {
    return [{ field, code: "invalid_format", message: "A location number has 13 digits." }];
  }
  if (hasRightCheckDigit(digits)) return [];
  return [{ field, code: "invalid_format", message: "The check digit is wrong." }];
}

/** The weights are 1 and 3 from the left, and the sum must end in 0 (GS1 General Specifications 7.9). */
function hasRightCheckDigit(digits: string): boolean {
  const sum = [...digits].reduce((total, digit, index) => {
    return total + Number(digit) * (index % 2 === 0 ? 1 : 3);
  }, 0);
  return sum % 10 === 0;
}
