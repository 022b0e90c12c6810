/** The requests and responses of reference rates (spec 13.6). */
import * as z from "zod";
import { calendarDate } from "../../../domain/base/calendar.ts";
import {
  component,
  decimal,
  input,
  listOf,
  pageParameters,
  readAs,
} from "../../../platform/http/schemas.ts";
import { forms, withForm } from "../../../platform/http/written-forms.ts";

/** The decimals of a rate in percent. */
export const REFERENCE_RATE_DECIMALS = 2;

export const ReferenceRateParams = z.object({
  date: withForm(readAs(calendarDate, "Not a day of the form YYYY-MM-DD."), forms.day).meta({
    type: "string",
    format: "date",
    description: "1 January or 1 July of a year.",
  }),
});

export const ReferenceRatePut = input("ReferenceRatePut", {
  rate: decimal(REFERENCE_RATE_DECIMALS, -20, 100).describe("Percent a year; may be below 0."),
});

export const ReferenceRateResource = component("ReferenceRate", {
  object: z.literal("reference_rate"),
  date: z.string().describe("The first day of the half-year."),
  rate: z.number().describe("Percent a year."),
});

export const ReferenceRateList = listOf(ReferenceRateResource).meta({ id: "ReferenceRateList" });

export const ReferenceRateQuery = z.object(pageParameters);
export type ReferenceRateQuery = z.output<typeof ReferenceRateQuery>;
