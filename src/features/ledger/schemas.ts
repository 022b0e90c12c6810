/** What clients see of the built-in ledger (decisions.md 45). Amounts are in functional currency. */
import * as z from "zod";
import { vatCodes } from "../../domain/vat-code.ts";
import { Day, listOf, pageParameters, queryInteger, text } from "../../platform/http/schemas.ts";

const VatCodeName = z.enum(vatCodes as [string, ...string[]]);

export const LedgerAccount = z
  .strictObject({
    object: z.literal("ledger_account"),
    number: z.int(),
    name: z.string(),
    type: z.enum(["asset", "liability", "equity", "income", "expense"]),
    vat_code: VatCodeName.nullable(),
    balance: z.number().meta({ description: "Debit above 0, credit below 0." }),
  })
  .meta({ id: "LedgerAccount" });
export const LedgerAccountList = listOf(LedgerAccount).meta({ id: "LedgerAccountList" });

export const LedgerAccountUpdate = z
  .object({ name: text(255, 1).optional(), vat_code: VatCodeName.nullable().optional() })
  .meta({ id: "LedgerAccountUpdate" });

export const AccountParams = z.object({ number: queryInteger(1, 99_999_999) });

export const LedgerEntry = z
  .strictObject({
    object: z.literal("ledger_entry"),
    entry_no: z.int(),
    guid: z.string(),
    kind: z.enum(["invoice", "credit_note", "voucher"]),
    number: z.int(),
    date: z.string(),
    text: z.string(),
    postings: z
      .array(
        z.strictObject({
          account_number: z.int(),
          debit: z.number(),
          credit: z.number(),
          customer_id: z.string().nullable(),
        }),
      )
      .meta({ description: "Empty where the document is worth nothing in functional currency." }),
  })
  .meta({ id: "LedgerEntry" });
export const LedgerEntryList = listOf(LedgerEntry).meta({ id: "LedgerEntryList" });

export const AccountQuery = z.object(pageParameters);
export type AccountQuery = z.output<typeof AccountQuery>;

export const EntryQuery = z.object({
  ...pageParameters,
  from: Day.optional(),
  to: Day.optional(),
  account: queryInteger(1, 99_999_999)
    .optional()
    .meta({ description: "Only entries that post to this account." }),
});
export type EntryQuery = z.output<typeof EntryQuery>;

export const TrialBalance = z
  .strictObject({
    object: z.literal("trial_balance"),
    from: z.string().nullable(),
    to: z.string().nullable(),
    accounts: z.array(
      z.strictObject({
        number: z.int(),
        name: z.string(),
        opening: z.number(),
        debit: z.number(),
        credit: z.number(),
        closing: z.number(),
      }),
    ),
  })
  .meta({ id: "TrialBalance" });

export const TrialBalanceQuery = z.object({
  from: Day.optional().meta({ description: "First day; from the beginning when left out." }),
  to: Day.optional().meta({ description: "Last day; through everything booked when left out." }),
});
export type TrialBalanceQuery = z.output<typeof TrialBalanceQuery>;
