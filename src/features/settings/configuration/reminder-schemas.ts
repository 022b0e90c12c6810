/** How the configuration of reminders is sent and shown (spec 13.6). */
import * as z from "zod";
import { Currency, decimal, shownText, text } from "../../../platform/http/schemas.ts";

const MOST_LEVELS = 10;
const MOST_CURRENCIES = 50;
const MOST_TEXT = 2000;
const MOST_AMOUNT = 1_000_000;
const MOST_DAYS = 3650;

const words = {
  levels: "The reminders of an invoice, in order of their days.",
  days_after_due: "Days after the due date from which an invoice is due for the level.",
  fee: "In functional currency; letters in other currencies have none.",
  level_compensation: "Whether businesses are charged the compensation, once for each invoice.",
  text: "The account's own text of the letter; null takes the usual one.",
  minimum_days: "The least days between two reminders that count an invoice.",
  interest:
    "`none`, `statutory` (the reference rate and `statutory_margin`), or a rate of the account's own in percent a year.",
  rate: "Percent a year.",
  statutory_margin: "Percent a year above the reference rate.",
  compensation: "What businesses are charged by currency; other currencies have none.",
  compensation_currency: "ISO 4217.",
  compensation_amount: "In units of the currency.",
  minimum_amount: "In units of the letter's currency: a letter for less is not sent.",
  payment_days: "Days that a reminder gives for its payment.",
  is_automatic: "Whether the scheduler sends what is due every day.",
  bank_within_days: "How many days old the last bank statement may be.",
  rules:
    "`danish` keeps renteloven: a fee of at most 100 kr., at most three of them, and ten days between two reminders. `own` keeps nothing.",
  reminders: "How customers are reminded. Lists are replaced as a whole.",
};

const days = z.int().min(0).max(MOST_DAYS);
const money = decimal(4, 0, MOST_AMOUNT);

const LevelInput = z.object({
  days_after_due: z.int().min(1).max(MOST_DAYS).describe(words.days_after_due),
  fee: money.optional().describe(words.fee),
  compensation: z.boolean().optional().describe(words.level_compensation),
  text: text(MOST_TEXT).nullable().optional().describe(words.text),
});

const FixedRate = z.object({ rate: decimal(2, 0, 100).describe(words.rate) });

export const RemindersUpdate = z
  .object({
    levels: z.array(LevelInput).min(1).max(MOST_LEVELS).optional().describe(words.levels),
    minimum_days: days.optional().describe(words.minimum_days),
    interest: z
      .union([z.enum(["none", "statutory"]), FixedRate])
      .optional()
      .describe(words.interest),
    statutory_margin: decimal(2, 0, 100).optional().describe(words.statutory_margin),
    compensation: z
      .array(
        z.object({
          currency: Currency.describe(words.compensation_currency),
          amount: money.describe(words.compensation_amount),
        }),
      )
      .max(MOST_CURRENCIES)
      .optional()
      .describe(words.compensation),
    minimum_amount: money.optional().describe(words.minimum_amount),
    payment_days: days.optional().describe(words.payment_days),
    is_automatic: z.boolean().optional().describe(words.is_automatic),
    bank_within_days: days.optional().describe(words.bank_within_days),
    rules: z.enum(["danish", "own"]).optional().describe(words.rules),
  })
  .optional()
  .describe(words.reminders);
export type RemindersUpdate = z.output<typeof RemindersUpdate>;

export const ShownReminders = z
  .strictObject({
    levels: z
      .array(
        z.strictObject({
          days_after_due: z.int().describe(words.days_after_due),
          fee: z.number().describe(words.fee),
          compensation: z.boolean().describe(words.level_compensation),
          text: shownText.describe(words.text),
        }),
      )
      .describe(words.levels),
    minimum_days: z.int().describe(words.minimum_days),
    interest: z
      .union([
        z.enum(["none", "statutory"]),
        z.strictObject({ rate: z.number().describe(words.rate) }),
      ])
      .describe(words.interest),
    statutory_margin: z.number().describe(words.statutory_margin),
    compensation: z
      .array(
        z.strictObject({
          currency: z.string().describe(words.compensation_currency),
          amount: z.number().describe(words.compensation_amount),
        }),
      )
      .describe(words.compensation),
    minimum_amount: z.number().describe(words.minimum_amount),
    payment_days: z.int().describe(words.payment_days),
    is_automatic: z.boolean().describe(words.is_automatic),
    bank_within_days: z.int().describe(words.bank_within_days),
    rules: z.enum(["danish", "own"]).describe(words.rules),
  })
  .describe(words.reminders);
