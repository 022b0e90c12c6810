/** The REST routes of credit notes. */

import { run } from "../../../platform/commands/command.ts";
import { getStored } from "../../../platform/database/resources.ts";
import { defineGet, defineRead, defineRoute, routesOf } from "../../../platform/http/route.ts";
import { RefParams } from "../../../platform/http/schemas.ts";
import { documentRoutes } from "../../documents/deliveries/document-routes.ts";
import { readinessRoute } from "../../documents/einvoice-readiness/routes.ts";
import { createCreditNote, issueCreditNote } from "./create.ts";
import { creditNotesCsv } from "./csv.ts";
import {
  einvoiceOfCreditNote,
  pdfOfCreditNote,
  readinessOfCreditNote,
  sendCreditNote,
  totalsOfCreditNote,
} from "./documents.ts";
import { readCreditNotes } from "./list.ts";
import {
  CreditNoteCreate,
  CreditNoteList,
  CreditNoteQuery,
  CreditNoteResource,
  InvoiceCreditNoteQuery,
} from "./schemas.ts";

/** The routes of credit notes, with the route that lists the credit notes of an invoice. */
export const creditNoteRoutes = routesOf("Credit notes", [
  defineRead("GET /credit-notes", {
    operation: "credit_notes.list",
    summary: "List credit notes",
    query: CreditNoteQuery,
    csv_item: CreditNoteResource,
    heavy: { field: "limit", narrow: "Ask for fewer rows at a time.", only_with: "totals" },
    replies: { 200: CreditNoteList },
    read: ({ query }) => readCreditNotes(query),
  }),

  defineRoute("POST /credit-notes", {
    operation: "credit_notes.create",
    summary: "Credit an issued invoice: create, book and send in one call",
    description:
      "`external_id` is the idempotency key. 201 when created; 200 with `send_error` when booked but not sent, and for a repeat. `full` credits the remainder of every line.",
    access: "issue",
    body: CreditNoteCreate,
    replies: { 200: CreditNoteResource, 201: CreditNoteResource },
    refuses: [
      "NOT_FOUND",
      "EXTERNAL_ID_CONFLICT",
      "INVOICE_NOT_ISSUED",
      "INVOICE_FULLY_CREDITED",
      "CREDIT_EXCEEDS_LINE",
      "PERIOD_LOCKED",
      "LEDGER_MOVING",
      "LEDGER_NOT_CONNECTED",
      "LEDGER_MAPPING_MISSING",
      "LEDGER_REJECTED",
      "LEDGER_UNAVAILABLE",
    ],
    async handle(cx, { body }) {
      const { status, document } = await run(createCreditNote, cx, body);
      return { status, text: document };
    },
  }),

  defineGet("GET /credit-notes/:ref", {
    table: "credit_notes",
    operation: "credit_notes.get",
    summary: "Read a credit note",
    resource: CreditNoteResource,
  }),

  defineRoute("POST /credit-notes/:ref/issue", {
    operation: "credit_notes.issue",
    summary: "Issue a queued credit note, or resume one whose booking is not known yet",
    access: "issue",
    params: RefParams,
    replies: { 200: CreditNoteResource },
    refuses: [
      "NOT_FOUND",
      "CREDIT_NOTE_ALREADY_ISSUED",
      "PERIOD_LOCKED",
      "LEDGER_MOVING",
      "LEDGER_NOT_CONNECTED",
      "LEDGER_MAPPING_MISSING",
      "LEDGER_REJECTED",
      "LEDGER_UNAVAILABLE",
    ],
    handle: (cx, { params }) => run(issueCreditNote, cx, params),
  }),

  ...documentRoutes({
    table: "credit_notes",
    path: "/credit-notes",
    one: "a credit note",
    many: "credit notes",
    totals_summary: "Net, VAT and gross, per line and per VAT code; positive amounts",
    pdf_summary: "The credit note as PDF; queued ones as a marked preview",
    send: {
      summary: "Send an issued credit note again",
      command: sendCreditNote,
      refuses: ["NOT_FOUND", "CREDIT_NOTE_NOT_ISSUED"],
    },
    totalsOf: totalsOfCreditNote,
    pdfOf: pdfOfCreditNote,
    einvoiceOf: einvoiceOfCreditNote,
    not_issued: "CREDIT_NOTE_NOT_ISSUED",
  }),

  readinessRoute("credit_notes", "a credit note", readinessOfCreditNote),

  defineRoute("GET /invoices/:ref/credit-notes", {
    operation: "invoices.list_credit_notes",
    summary: "List the credit notes of an invoice",
    access: "read",
    params: RefParams,
    query: InvoiceCreditNoteQuery,
    csv_item: CreditNoteResource,
    replies: { 200: CreditNoteList },
    refuses: ["NOT_FOUND"],
    async handle(cx, { params, query }) {
      const { id } = await getStored(cx, "invoices", params.ref);
      return readCreditNotes({ ...query, invoice: id }).answer(cx);
    },
  }),

  creditNotesCsv,
]);
