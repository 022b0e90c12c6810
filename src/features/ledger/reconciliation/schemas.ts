/** The response of the comparison with a connected ledger (spec 9.10). */
import * as z from "zod";
import { findingCodes } from "../../../domain/sales/reconciliation.ts";
import { component, MonthOfTime, manyOf, shownText } from "../../../platform/http/schemas.ts";

export const ReconciliationQuery = z.object({
  month: MonthOfTime.meta({ description: "By the dates of the documents." }),
});

const amount = z.number().nullable();

export const ReconciliationResource = component("LedgerReconciliation", {
  object: z.literal("ledger_reconciliation"),
  month: z.string(),
  connection_id: z.string().meta({ description: "Through which both were booked." }),
  kind: z.string().meta({ description: "Of the connected ledger." }),
  documents: z
    .strictObject({
      here: z.int().meta({ description: "Booked through the connection, or being booked." }),
      there: z.int().meta({ description: "Booked in the ledger by any program or person." }),
      agreeing: z.int().meta({ description: "Without any finding." }),
    })
    .meta({ description: "The number of documents." }),
  findings: manyOf({
    code: z.enum(findingCodes),
    is_explained: z
      .boolean()
      .meta({ description: "False if a user has to examine the difference." }),
    message: z.string(),
    kind: z.enum(["invoice", "credit_note", "voucher"]),
    document_id: shownText.meta({ description: "Null for documents that only the ledger has." }),
    number_here: z.int().nullable().meta({ description: "Null until the ledger has answered." }),
    number_there: z.int().nullable().meta({
      description: "In the ledger; of a gap the last number before it.",
    }),
    gross_here: amount.meta({ description: "In the document's currency; null for vouchers." }),
    gross_there: amount.meta({ description: "In the document's currency, as the ledger has it." }),
    difference: amount.meta({
      description:
        "Of `other_rate`: ledger less Matchbook on the accounts to which Matchbook posts, in functional currency; null if nothing differs, and for other findings.",
    }),
  }).meta({ description: "The differences, by kind and number." }),
  accounts: manyOf({
    ledger_account: z.string().meta({ description: "Its number or code in the ledger." }),
    moved_here: z.number().meta({ description: "Debit above 0, in functional currency." }),
    moved_there: z
      .number()
      .meta({ description: "The same in the ledger, in functional currency." }),
    difference: z.number().meta({
      description: "Ledger less Matchbook, in functional currency: postings made by others.",
    }),
    balance_there: z
      .number()
      .meta({ description: "At the end of the month, in functional currency." }),
  }).meta({ description: "Accounts of the ledger to which Matchbook posts." }),
});
