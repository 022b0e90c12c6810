/** The REST routes of statements of account. */
import * as z from "zod";
import { run } from "../../../platform/commands/command.ts";
import { createdText, defineRoute, routesOf } from "../../../platform/http/route.ts";
import { RefParams, Uuid } from "../../../platform/http/schemas.ts";
import { letterPdf } from "../../documents/issued/store-letter.ts";
import { createStatement } from "./create.ts";
import { listStatements, readStatement } from "./queries.ts";
import {
  SentStatement,
  StatementBody,
  StatementList,
  StatementListQuery,
  StatementQuery,
  StatementResource,
} from "./schemas.ts";

const narrow = "Choose one currency.";

export const statementRoutes = routesOf("Receivables", [
  defineRoute("GET /customers/:ref/statement", {
    operation: "statements.get",
    summary: "A customer's statement of account, of any period",
    description:
      "Each change of what the customer owes in one currency, with the balance after it: above 0 is owed, below 0 is held for the customer. `text` is in the language of the customer's documents, and names what a payment or a credit is applied to at the end of the period. `closing_balance = aging.total - aging.unapplied`. What is dated later changes nothing. Where a connected ledger records payments, a statement ends today: it has what that ledger reported, on the day of the payment where that is reported, otherwise on the day on which it was read.",
    access: "read",
    heavy: { field: "currency", narrow },
    params: RefParams,
    query: StatementQuery,
    replies: { 200: StatementResource },
    refuses: ["NOT_FOUND", "PAYMENTS_IN_LEDGER", "RECEIVABLES_NOT_BEGUN"],
    handle: (cx, { params, query }) => readStatement(cx, params.ref, query),
  }),

  defineRoute("POST /customers/:ref/statements", {
    operation: "statements.create",
    summary: "Make a statement of account, keep it as PDF, and mail it",
    description:
      "It books nothing. The statement is kept as it was, also when the mail fails: `send_error` says why, and `/deliveries` lists the attempts. A customer without an e-mail address needs `address` (422 `required`).",
    access: "issue",
    heavy: { field: "currency", narrow, needs_primary: true },
    params: RefParams,
    body: StatementBody,
    body_is_optional: true,
    replies: { 201: SentStatement },
    refuses: ["NOT_FOUND", "PAYMENTS_IN_LEDGER", "RECEIVABLES_NOT_BEGUN"],
    handle: async (cx, { params, body }) =>
      createdText(await run(createStatement, cx, { ...params, ...body })),
  }),

  defineRoute("GET /customers/:ref/statements", {
    operation: "statements.list",
    summary: "List the statements of account that were made for a customer",
    description: "The newest first, without their lines.",
    access: "read",
    params: RefParams,
    query: StatementListQuery,
    replies: { 200: StatementList },
    refuses: ["NOT_FOUND"],
    handle: (cx, { params, query }) => listStatements(cx, params.ref, query),
  }),

  defineRoute("GET /statements/:id/pdf", {
    operation: "statements.get_pdf",
    summary: "The PDF of a statement of account",
    access: "read",
    heavy: { field: "id", narrow: "Make a statement of a shorter period.", needs_primary: true },
    params: z.object({ id: Uuid }),
    replies: { 200: { content_type: "application/pdf" } },
    refuses: ["NOT_FOUND"],
    handle: async (cx, { params }) => ({
      status: 200,
      file: await letterPdf(cx, "statement", params.id),
    }),
  }),
]);
