/** The response of the comparison with a connected ledger (spec 9.10). */
import * as z from "zod";
import { findingCodes } from "../../../domain/sales/reconciliation.ts";
import { component, MonthOfTime, manyOf, shownText } from "../../../platform/http/schemas.ts";

export const ReconciliationQuery = z.object({
  month: MonthOfTime.describe("By the dates of the documents."),
});

const amount = z.number().nullable();

export const ReconciliationResource = component("LedgerReconciliation", {
  object: z.literal("ledger_reconciliation"),
  month: z.string(),
  connection_id: z.string().describe("Through which both were booked."),
  kind: z.string().describe("Of the connected ledger."),
  documents: z
    .strictObject({
      here: z.int().describe("Booked through the connection, or being booked."),
      there: z.int().describe("Booked in the ledger by any program or person."),
      agreeing: z.int().describe("Without any finding."),
    })
    .describe("The number of documents."),
  findings: manyOf({
    code: z.enum(findingCodes),
    is_explained: z.boolean().describe("False if a user has to examine the difference."),
    message: z.string(),
    kind: z.enum(["invoice", "credit_note", "voucher"]),
    document_id: shownText.describe("Null for documents that only the ledger has."),
    number_here: z.int().nullable().describe("Null until the ledger has answered."),
    number_there: z.int().nullable().describe("In the ledger; of a gap the last number before it."),
    gross_here: amount.describe("In the document's currency; null for vouchers."),
    gross_there: amount.describe("In the document's currency, as the ledger has it."),
    difference: amount.describe(
      "Of `other_rate`: ledger less Matchbook on the accounts to which Matchbook posts, in functional currency; null if nothing differs, and for other findings.",
    ),
  }).describe("The differences, by kind and number."),
  accounts: manyOf({
    ledger_account: z.string().describe("Its number or code in the ledger."),
    moved_here: z.number().describe("Debit above 0, in functional currency."),
    moved_there: z.number().describe("The same in the ledger, in functional currency."),
    difference: z
      .number()
      .describe("Ledger less Matchbook, in functional currency: postings made by others."),
    balance_there: z.number().describe("At the end of the month, in functional currency."),
  }).describe("Accounts of the ledger to which Matchbook posts."),
});
