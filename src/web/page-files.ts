/** Files that only the pages make, by the names under which another thread makes them. */
import {
  type StatementAsked,
  statementPreview,
} from "../features/receivables/statements/read-account.ts";
import type { PersonContext } from "../platform/commands/context.ts";
import { fileReply } from "../platform/http/answer.ts";
import type { Reply } from "../platform/http/asked.ts";
import { customerSheet } from "./customers/customer-sheet.ts";
import type { SheetKind } from "./frame/define-sheet.ts";
import { invoiceSheet, noteSheet } from "./invoices/invoice-sheets.ts";
import { PICKED_PDFS, type PickedPdfs, pickedPdfs } from "./invoices/picked-pdfs.ts";
import { trialBalanceSheet } from "./ledger/trial-balance.tsx";
import { paymentSheet } from "./payments/payments.tsx";
import { productSheet } from "./products/product-sheet.ts";
import { receivablesSheet } from "./receivables/receivables-sheet.ts";
import { STATEMENT_PDF } from "./receivables/statement.tsx";
import { deferredSheet, remainingSheet } from "./revenue/obligations-report.ts";
import { revenueSheet } from "./revenue/revenue-file.ts";

type PageFileOf = (cx: PersonContext, query: unknown) => Promise<Reply>;

/** Makes the files by name; the page has validated the query. */
export const pageFiles: ReadonlyMap<string, PageFileOf> = new Map([
  [PICKED_PDFS, async (cx, query) => fileReply(200, await pickedPdfs(cx, query as PickedPdfs))],
  [
    STATEMENT_PDF,
    async (cx, query) => fileReply(200, await statementPreview(cx, query as StatementAsked)),
  ],
  made(invoiceSheet),
  made(noteSheet),
  made(customerSheet),
  made(paymentSheet),
  made(productSheet),
  made(trialBalanceSheet),
  made(receivablesSheet),
  made(revenueSheet),
  made(deferredSheet),
  made(remainingSheet),
]);

function made<Query>({ name, make }: SheetKind<Query>): readonly [string, PageFileOf] {
  return [name, (cx, query) => make(cx, query as Parameters<typeof make>[1])];
}
