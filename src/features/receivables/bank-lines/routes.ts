/** The REST routes of bank lines. */

import { run } from "../../../platform/commands/command.ts";
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import { bookBankLines } from "./book.ts";
import { bankLinesCsv } from "./csv.ts";
import { listBankLines } from "./list-lines.ts";
import { previewBankLines } from "./preview.ts";
import { readBankLine } from "./queries.ts";
import { restoreBankLine } from "./restore.ts";
import {
  BankLineList,
  BankLineParams,
  BankLineQuery,
  BankLineResource,
  BankLineRun,
  BankLinesBook,
} from "./schemas.ts";

export const bankLineRoutes = routesOf("Bank", [
  defineRoute("GET /bank-lines", {
    operation: "bank_lines.list",
    summary: "List bank lines, the last imported first",
    access: "read",
    heavy: { field: "include", narrow: "Ask without suggestions." },
    query: BankLineQuery,
    replies: { 200: BankLineList },
    handle: (cx, { query }) => listBankLines(cx, query),
  }),

  defineRoute("GET /bank-lines/:id", {
    operation: "bank_lines.get",
    summary: "Read a bank line",
    access: "read",
    params: BankLineParams,
    replies: { 200: BankLineResource },
    refuses: ["NOT_FOUND"],
    handle: (cx, { params }) => readBankLine(cx, params.id),
  }),

  defineRoute("POST /bank-lines/book", {
    operation: "bank_lines.book",
    summary: "Book bank lines as payments, refunds or returns, or ignore them",
    description:
      "At most 500 lines, each once. A refusal is the outcome of its line and concerns no other. The same content again answers with the payment of the line. Nothing books itself.",
    access: "issue",
    heavy: { field: "lines", narrow: "Book fewer lines at a time." },
    body: BankLinesBook,
    replies: { 200: BankLineRun },
    refuses: ["PAYMENTS_IN_LEDGER"],
    handle: async (cx, { body }) => ({ status: 200, json: await run(bookBankLines, cx, body) }),
  }),

  defineRoute("POST /bank-lines/preview", {
    operation: "bank_lines.preview",
    summary: "Preview what booking bank lines would do, with the entries",
    access: "write",
    heavy: { field: "lines", narrow: "Preview fewer lines at a time." },
    body: BankLinesBook,
    replies: { 200: BankLineRun },
    refuses: ["PAYMENTS_IN_LEDGER"],
    handle: (cx, { body }) => previewBankLines(cx, body),
  }),

  defineRoute("POST /bank-lines/:id/restore", {
    operation: "bank_lines.restore",
    summary: "Restore an ignored line: it is open again",
    access: "write",
    params: BankLineParams,
    replies: { 200: BankLineResource },
    refuses: ["NOT_FOUND", "BANK_LINE_BOOKED"],
    handle: (cx, { params }) => run(restoreBankLine, cx, params),
  }),

  bankLinesCsv,
]);
