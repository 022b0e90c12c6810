/** The REST routes of bank statements. */

import { sentFile } from "../../../platform/http/body.ts";
import { defineRoute, routesOf, savedText } from "../../../platform/http/route.ts";
import { listStatements } from "./queries.ts";
import {
  BankImportResource,
  BankStatementList,
  BankStatementQuery,
  ImportQuery,
} from "./schemas.ts";
import { importBankFile } from "./store-import.ts";

/** The largest file of a bank. */
const MOST_BYTES = 10_000_000;

export const bankStatementRoutes = routesOf("Bank", [
  defineRoute("POST /bank-statements", {
    operation: "bank_statements.import",
    summary: "Import a file of a bank, whole or not at all",
    description:
      "camt.053.001.02 or .08 (`application/xml`, `text/xml`), whose bank accounts the file names, or CSV (`text/csv`) by the `csv_profile` of the bank account: without one, 422 has `details.suggested_profile`. At most 10 MB and 50,000 lines. Each line is stored once, whatever files it comes in; the same bytes again answer 200 with the first answer. A statement whose balance does not follow its neighbour's has the warning `STATEMENT_GAP`.",
    access: "write",
    heavy: { field: "file", narrow: "Send a file of fewer days." },
    file: { content_types: ["application/xml", "text/xml", "text/csv"], most_bytes: MOST_BYTES },
    query: ImportQuery,
    replies: { 200: BankImportResource, 201: BankImportResource },
    refuses: ["NOT_FOUND", "PAYMENTS_IN_LEDGER"],
    handle: async (cx, { query, body }) =>
      savedText(await importBankFile(cx, sentFile(body), query.bank_account)),
  }),

  defineRoute("GET /bank-statements", {
    operation: "bank_statements.list",
    summary: "List bank statements, the last imported first",
    access: "read",
    query: BankStatementQuery,
    replies: { 200: BankStatementList },
    handle: (cx, { query }) => listStatements(cx, query),
  }),
]);
