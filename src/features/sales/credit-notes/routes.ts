/** The REST routes of credit notes. */

import { run } from "../../../platform/commands/command.ts";
import { getStored } from "../../../platform/database/resources.ts";
import { readResource } from "../../../platform/database/stored-read.ts";
import { defineRead, defineRoute, routesOf } from "../../../platform/http/route.ts";
import { RefParams } from "../../../platform/http/schemas.ts";
import { listDeliveries } from "../../documents/deliveries/queries.ts";
import {
  Delivery,
  DeliveryList,
  DeliveryQuery,
  SendBody,
  Totals,
} from "../../documents/issued/schemas.ts";
import { createCreditNote, issueCreditNote } from "./create.ts";
import { creditNotesCsv } from "./csv.ts";
import { pdfOfCreditNote, sendCreditNote, totalsOfCreditNote } from "./documents.ts";
import { readCreditNotes } from "./list.ts";
import {
  CreditNoteCreate,
  CreditNoteList,
  CreditNoteQuery,
  CreditNoteResource,
  InvoiceCreditNoteQuery,
} from "./schemas.ts";

/** Includes the route that lists the credit notes of an invoice. */
export const creditNoteRoutes = routesOf("Credit notes", [
  defineRead("GET /credit-notes", {
    operation: "credit_notes.list",
    summary: "List credit notes",
    query: CreditNoteQuery,
    csv_item: CreditNoteResource,
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

  defineRead("GET /credit-notes/:ref", {
    operation: "credit_notes.get",
    summary: "Read a credit note",
    params: RefParams,
    replies: { 200: CreditNoteResource },
    refuses: ["NOT_FOUND"],
    read: ({ params }) => readResource("credit_notes", params.ref),
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
      "LEDGER_NOT_CONNECTED",
      "LEDGER_MAPPING_MISSING",
      "LEDGER_REJECTED",
      "LEDGER_UNAVAILABLE",
    ],
    handle: (cx, { params }) => run(issueCreditNote, cx, params),
  }),

  defineRoute("GET /credit-notes/:ref/totals", {
    operation: "credit_notes.get_totals",
    summary: "Net, VAT and gross, per line and per VAT code; positive amounts",
    access: "read",
    params: RefParams,
    replies: { 200: Totals },
    refuses: ["NOT_FOUND"],
    handle: (cx, { params }) => totalsOfCreditNote(cx, params.ref),
  }),

  defineRoute("GET /credit-notes/:ref/pdf", {
    operation: "credit_notes.get_pdf",
    summary: "The credit note as PDF; queued ones as a marked preview",
    access: "read",
    heavy: { field: "ref", narrow: "Divide its lines between several credit notes." },
    params: RefParams,
    replies: { 200: { content_type: "application/pdf" } },
    refuses: ["NOT_FOUND", "LEDGER_UNAVAILABLE"],
    handle: async (cx, { params }) => ({
      status: 200,
      file: await pdfOfCreditNote(cx, params.ref),
    }),
  }),

  defineRoute("POST /credit-notes/:ref/send", {
    operation: "credit_notes.send",
    summary: "Send an issued credit note again",
    access: "issue",
    params: RefParams,
    body: SendBody,
    body_is_optional: true,
    replies: { 200: Delivery },
    refuses: ["NOT_FOUND", "CREDIT_NOTE_NOT_ISSUED"],
    handle: (cx, { params, body }) => run(sendCreditNote, cx, { ...params, address: body.address }),
  }),

  defineRoute("GET /credit-notes/:ref/deliveries", {
    operation: "credit_notes.list_deliveries",
    summary: "List the attempts to send a credit note",
    access: "read",
    params: RefParams,
    query: DeliveryQuery,
    replies: { 200: DeliveryList },
    refuses: ["NOT_FOUND"],
    async handle(cx, { params, query }) {
      const { id } = await getStored(cx, "credit_notes", params.ref);
      return listDeliveries(cx, id, query);
    },
  }),

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
