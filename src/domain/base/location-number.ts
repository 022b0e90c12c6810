/** Global location numbers (GLN, in Denmark EAN numbers): thirteen digits, of which the last is computed from the others. */
import type { FieldError } from "./problem.ts";

/** What is wrong with a location number where it is set; spaces are no fault, and nothing is no number. */
export function locationNumberFaults(text: string | null, field: string): FieldError[] {
  const digits = (text ?? "").replace(/\s/g, "");
  if (digits === "") return [];
  if (!/^\d{13}$/.test(digits)) {
    return [{ field, code: "invalid_format", message: "A location number has 13 digits." }];
  }
  if (hasRightCheckDigit(digits)) return [];
  return [{ field, code: "invalid_format", message: "The check digit is wrong." }];
}

/** Weights of 1 and 3 from the left: the sum ends in 0 (GS1 General Specifications 7.9). */
function hasRightCheckDigit(digits: string): boolean {
  const sum = [...digits].reduce((total, digit, index) => {
    return total + Number(digit) * (index % 2 === 0 ? 1 : 3);
  }, 0);
  return sum % 10 === 0;
}
