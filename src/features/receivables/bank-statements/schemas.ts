/** The requests and responses of bank statements (spec 13.5). */
import * as z from "zod";
import { component, listOf, pageParameters, Ref, Warning } from "../../../platform/http/schemas.ts";

export const ImportQuery = z.object({
  bank_account: Ref.optional().describe(
    "The bank account of a CSV file; by default the default one. Files that name their account must name this one.",
  ),
});

function balance(what: string) {
  const says = `${what}, in the currency of the bank account; null where the file has none.`;
  return z.number().nullable().describe(says);
}

export const BankStatementResource = component("BankStatement", {
  object: z.literal("bank_statement"),
  id: z.string(),
  bank_account_id: z.string().describe("UUID of the bank account."),
  format: z.enum(["camt.053.001.02", "camt.053.001.08", "csv"]).describe("The form of its file."),
  from: z.string().describe("Its first day, `YYYY-MM-DD`."),
  to: z.string().describe("Its last day, `YYYY-MM-DD`."),
  opening_balance: balance("Balance before the first line"),
  closing_balance: balance("Balance after the last line"),
  lines: z.int().describe("Number of its lines."),
  new_lines: z.int().describe("Number of its lines that no earlier file had."),
  known_lines: z.int().describe("Number of its lines that earlier files had."),
  warnings: z.array(Warning),
});

export const BankImportResource = component("BankImport", {
  object: z.literal("bank_import"),
  sha256: z.string(),
  statements: z
    .array(BankStatementResource)
    .describe("The statements of the file, in their order."),
});

export const BankStatementList = listOf(BankStatementResource).meta({ id: "BankStatementList" });

export const BankStatementQuery = z.object({
  ...pageParameters,
  bank_account: Ref.optional().describe("Only statements of this bank account."),
});
export type BankStatementQuery = z.output<typeof BankStatementQuery>;

export type StatementWarning = z.output<typeof Warning>;
