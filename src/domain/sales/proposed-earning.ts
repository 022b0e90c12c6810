/** What a product proposes for a new line: how it is earned, and over which days. A line always states its own. */
import { addDays, addMonths, type CalendarDate } from "../base/calendar.ts";
import type { FieldError } from "../base/problem.ts";
import type { RecognitionMethod } from "./line.ts";

/** The longest period that a product proposes, in months. */
export const MOST_PROPOSED_MONTHS = 120;

/** The proposal of a product. `default_months` is null where the method has no period, or the product proposes none. */
export interface EarningDefaults {
  readonly default_recognition_method: RecognitionMethod | null;
  readonly default_months: number | null;
}

interface ProposedEarning {
  readonly recognition_method: RecognitionMethod;
  readonly service_from: CalendarDate | null;
  readonly service_to: CalendarDate | null;
}

/** Returns how a product proposes that a line is earned: by its default, in hours by hours; null without a proposal. */
export function proposedMethod(
  product: Pick<EarningDefaults, "default_recognition_method"> & { readonly unit: string },
): RecognitionMethod | null {
  return product.default_recognition_method ?? (product.unit === "hours" ? "hours" : null);
}

/**
 * Returns what the product proposes for a line whose service begins on a day: the method, and for a product over time the days
 * of as many months. Returns null without a proposal.
 */
export function proposedEarning(
  product: EarningDefaults & { readonly unit: string },
  from: CalendarDate,
): ProposedEarning | null {
  const recognition_method = proposedMethod(product);
  const { default_months: months } = product;
  if (recognition_method === null) return null;
  if (recognition_method !== "value" || months === null) {
    return { recognition_method, service_from: null, service_to: null };
  }
  const service_to = addDays(addMonths(from, months), -1);
  return { recognition_method, service_from: from, service_to };
}

/** Returns the fault of months without a method that has a period. */
export function earningFaults(product: EarningDefaults): FieldError[] {
  if (product.default_months === null || product.default_recognition_method === "value") return [];
  const message = "Only a product that is earned over time has a number of months.";
  return [{ field: "default_months", code: "not_allowed", message }];
}
