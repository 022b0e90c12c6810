/** The REST routes of bank lines. */

import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import { bankLinesCsv } from "./csv.ts";
import { listBankLines, readBankLine } from "./queries.ts";
import { BankLineList, BankLineParams, BankLineQuery, BankLineResource } from "./schemas.ts";

export const bankLineRoutes = routesOf("Bank", [
  defineRoute("GET /bank-lines", {
    operation: "bank_lines.list",
    summary: "List bank lines, the last imported first",
    access: "read",
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

  bankLinesCsv,
]);
