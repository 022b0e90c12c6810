/** The responses of the built-in ledger. Amounts are in functional currency. */
import * as z from "zod";
import { vatCodes } from "../../../domain/sales/vat-code.ts";
import {
  addFault,
  component,
  FirstDay,
  includeFilter,
  input,
  LastDay,
  listOf,
  manyOf,
  pageParameters,
  queryInteger,
  shownText,
  text,
  Warning,
} from "../../../platform/http/schemas.ts";
import { entryKinds } from "./list-journal.ts";

const VatCodeName = z.enum(vatCodes as [string, ...string[]]);

export const LedgerAccount = component("LedgerAccount", {
  object: z.literal("ledger_account"),
  number: z.int(),
  name: z.string(),
  type: z.enum(["asset", "liability", "equity", "income", "expense"]),
  vat_code: VatCodeName.nullable(),
  balance: z.number().describe("Debit above 0, credit below 0."),
});
export const LedgerAccountList = listOf(LedgerAccount).meta({ id: "LedgerAccountList" });

export const LedgerAccountUpdate = input("LedgerAccountUpdate", {
  name: text(255, 1).optional(),
  vat_code: VatCodeName.nullable().optional(),
});

export const AccountParams = z.object({ number: queryInteger(1, 99_999_999) });

export const LedgerEntry = component("LedgerEntry", {
  object: z.literal("ledger_entry"),
  entry_no: z.int(),
  guid: z.string(),
  kind: z.enum(entryKinds),
  number: z.int(),
  date: z.string(),
  text: z.string(),
  rate_date: z
    .string()
    .optional()
    .describe("Of a document in a foreign currency: the day of its exchange rate."),
  postings: manyOf({
    account_number: z.int(),
    debit: z.number(),
    credit: z.number(),
    customer_id: shownText,
    vat_code: VatCodeName.nullable(),
    currency_amount: z
      .number()
      .describe("In the entry's `currency`; debit above 0, credit below 0."),
  }).describe("Empty where the document is worth nothing in functional currency."),
  currency: z
    .string()
    .describe("Of the document, the payment or the item; a voucher's is that of the books."),
  reverses_guid: shownText.describe("The entry that this one reverses."),
  registered_at: z.string().describe("When it was booked, by the real clock."),
  actor: z
    .strictObject({ kind: z.string(), id: z.string() })
    .describe("The actor who had it booked."),
});
export const LedgerEntryList = listOf(LedgerEntry).meta({ id: "LedgerEntryList" });

export const AccountQuery = z.object(pageParameters);
export type AccountQuery = z.output<typeof AccountQuery>;

export const EntryQuery = z.object({
  ...pageParameters,
  from: FirstDay.optional(),
  to: LastDay.optional(),
  account: queryInteger(1, 99_999_999)
    .optional()
    .describe("Only entries that post to this account."),
});
export type EntryQuery = z.output<typeof EntryQuery>;

export const TrialBalance = component("TrialBalance", {
  object: z.literal("trial_balance"),
  from: shownText,
  to: shownText,
  accounts: manyOf({
    number: z.int(),
    name: z.string(),
    opening: z.number(),
    debit: z.number(),
    credit: z.number(),
    closing: z.number(),
  }),
});

export const TrialBalanceQuery = z.object({
  from: FirstDay.optional().describe("First day; from the beginning when left out."),
  to: LastDay.optional().describe("Last day; through everything booked when left out."),
});
export type TrialBalanceQuery = z.output<typeof TrialBalanceQuery>;

export const VatReportQuery = z
  .object({
    from: FirstDay.describe("First day, or first month."),
    to: LastDay.describe("Last day, or last month; not before the first."),
    include: includeFilter(["documents"], "`documents`: those behind each figure."),
  })
  .superRefine(({ from, to }, check) => {
    if (to < from) addFault(check, "to", "too_small", "The last day is before the first.");
  });
export type VatReportQuery = z.output<typeof VatReportQuery>;

const ReportedDocument = z.strictObject({
  kind: z.enum(["invoice", "credit_note"]),
  number: z.int(),
  date: z.string(),
  document_id: z.string(),
  customer_id: z.string(),
  vat_code: VatCodeName,
  amount: z.number().describe("That of a credit note is below 0."),
});

export const VatReport = component("VatReport", {
  object: z.literal("vat_report"),
  from: z.string(),
  to: z.string(),
  boxes: z.strictObject({
    sales_vat: z.number().describe("Salgsmoms: the VAT of sales."),
    eu_goods: z.number().describe("Rubrik B, varer: goods to businesses in the EU."),
    eu_services: z.number().describe("Rubrik B, ydelser: services to businesses in the EU."),
    other_exempt: z.number().describe("Rubrik C: all other sales without Danish VAT."),
  }),
  eu_sales: manyOf({
    vat_number: shownText,
    customer_id: z.string(),
    goods: z.number(),
    services: z.number(),
    warnings: z.array(Warning).optional().meta({
      description: "Faults of the number. Present if there are any.",
    }),
    documents: z.array(ReportedDocument).optional(),
  }),
  documents: z
    .strictObject({
      sales_vat: z.array(ReportedDocument),
      eu_goods: z.array(ReportedDocument),
      eu_services: z.array(ReportedDocument),
      other_exempt: z.array(ReportedDocument),
    })
    .optional(),
});
