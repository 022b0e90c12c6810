/** The REST routes of one-time invoices. */

import { run } from "../../../platform/commands/command.ts";
import {
  defineGet,
  defineRead,
  defineRoute,
  noContent,
  routesOf,
  savedText,
} from "../../../platform/http/route.ts";
import { RefParams } from "../../../platform/http/schemas.ts";
import { documentRoutes } from "../../documents/deliveries/document-routes.ts";
import { readinessRoute } from "../../documents/einvoice-readiness/routes.ts";
import { issueRefusals } from "../../ledger/booking/refusals.ts";
import { completeLine, reopenLine } from "./complete.ts";
import { invoicesCsv } from "./csv.ts";
import {
  einvoiceOfInvoice,
  pdfOfInvoice,
  readinessOfInvoice,
  sendInvoice,
  totalsOfInvoice,
} from "./documents.ts";
import { changeInvoice, createInvoice, deleteInvoice } from "./draft.ts";
import { issueInvoice } from "./issue.ts";
import { issueList } from "./issue-many.ts";
import { readInvoices } from "./list.ts";
import {
  CompleteBody,
  InvoiceCreate,
  InvoiceList,
  InvoiceQuery,
  InvoiceResource,
  InvoiceUpdate,
  IssuedInvoice,
  IssueList,
  IssueRun,
  LineParams,
} from "./schemas.ts";

const completionRefusals = [
  "NOT_FOUND",
  "LINE_NOT_COMPLETABLE",
  "INVOICE_ALREADY_ISSUED",
  "INVOICE_ISSUE_IN_PROGRESS",
] as const;

export const invoiceRoutes = routesOf("Invoices", [
  defineRead("GET /invoices", {
    operation: "invoices.list",
    summary: "List one-time invoices, or those of series, or all",
    description:
      "Without `include` a row is the invoice only. With it, up to 100 drafts of a page are computed as of now.",
    query: InvoiceQuery,
    csv_item: InvoiceResource,
    heavy: { field: "limit", narrow: "Ask for fewer rows at a time.", only_with: "totals" },
    replies: { 200: InvoiceList },
    refuses: ["RECEIVABLES_NOT_BEGUN"],
    read: ({ query }) => readInvoices(query),
  }),

  defineRoute("POST /invoices", {
    operation: "invoices.create",
    summary: "Create a draft",
    description: "A repeat with the same `external_id` and content answers 200 with that invoice.",
    access: "write",
    body: InvoiceCreate,
    replies: { 200: InvoiceResource, 201: InvoiceResource },
    refuses: ["EXTERNAL_ID_CONFLICT", "CUSTOMER_INACTIVE", "PRODUCT_INACTIVE"],
    handle: async (cx, { body }) => savedText(await run(createInvoice, cx, body)),
  }),

  defineGet("GET /invoices/:ref", {
    table: "invoices",
    operation: "invoices.get",
    summary: "Read an invoice",
    resource: InvoiceResource,
  }),

  defineRoute("PATCH /invoices/:ref", {
    operation: "invoices.update",
    summary: "Change the fields sent of a draft; `lines` replaces all lines",
    description:
      "A sent line replaces the line that its `id` names, otherwise the one at its `position`, and keeps that line's id.",
    access: "write",
    params: RefParams,
    body: InvoiceUpdate,
    replies: { 200: InvoiceResource },
    refuses: [
      "NOT_FOUND",
      "INVOICE_ALREADY_ISSUED",
      "INVOICE_ISSUE_IN_PROGRESS",
      "LINE_HAS_REGISTRATIONS",
      "CUSTOMER_INACTIVE",
      "PRODUCT_INACTIVE",
    ],
    handle: (cx, { params, body }) => run(changeInvoice, cx, { ref: params.ref, changes: body }),
  }),

  defineRoute("DELETE /invoices/:ref", {
    operation: "invoices.delete",
    summary: "Delete a draft",
    access: "write",
    params: RefParams,
    replies: { 204: null },
    refuses: [
      "NOT_FOUND",
      "INVOICE_ALREADY_ISSUED",
      "INVOICE_ISSUE_IN_PROGRESS",
      "LINE_HAS_REGISTRATIONS",
    ],
    async handle(cx, { params }) {
      await run(deleteInvoice, cx, params);
      return noContent;
    },
  }),

  defineRoute("POST /invoices/:ref/issue", {
    operation: "invoices.issue",
    summary: "Book an invoice in the ledger, and send it if `auto_send` is set",
    description:
      "Booking and sending are separate: with `send_error` the invoice is booked but was not sent. After LEDGER_UNAVAILABLE repeat the call; it never books twice.",
    access: "issue",
    params: RefParams,
    replies: { 200: IssuedInvoice },
    refuses: ["NOT_FOUND", ...issueRefusals],
    handle: (cx, { params }) => run(issueInvoice, cx, params),
  }),

  defineRoute("POST /invoices/issue", {
    operation: "invoices.issue_many",
    summary: "Issue up to 500 invoices, each on its own terms",
    description:
      "Answers within 20 seconds with an outcome for each invoice: issued, refused with the code that its own issue would have, or `remaining`, to be sent again. A refusal does not stop the others. If at most 20 are to be e-mailed, the service attempts this before the answer; otherwise `send_error` states that they wait, and the service sends them later.",
    access: "issue",
    body: IssueList,
    heavy: { field: "references", narrow: "Issue fewer at a time." },
    replies: { 200: IssueRun },
    handle: (cx, { body }) => issueList(cx, body.references),
  }),

  defineRoute("POST /invoices/:ref/lines/:line_id/complete", {
    operation: "invoices.complete_line",
    summary: "Set the day on which a line by milestone or progress was completed",
    description:
      "It determines when revenue is earned and changes nothing on the invoice. A line by progress can be completed on a draft only: an issued one is complete.",
    access: "write",
    params: LineParams,
    body: CompleteBody,
    body_is_optional: true,
    replies: { 200: InvoiceResource },
    refuses: [...completionRefusals, "WORK_DATE_IN_FUTURE", "LINE_ALREADY_COMPLETED"],
    handle: (cx, { params, body }) => run(completeLine, cx, { ...params, ...body }),
  }),

  defineRoute("DELETE /invoices/:ref/lines/:line_id/complete", {
    operation: "invoices.take_back_completion",
    summary: "Undo the completion of a line",
    access: "write",
    params: LineParams,
    replies: { 200: InvoiceResource },
    refuses: completionRefusals,
    handle: (cx, { params }) => run(reopenLine, cx, params),
  }),

  ...documentRoutes({
    table: "invoices",
    path: "/invoices",
    one: "an invoice",
    many: "invoices",
    totals_summary: "Net, VAT and gross, per line and per VAT code",
    pdf_summary: "The invoice as PDF; drafts as a marked preview",
    send: {
      summary: "Send an issued invoice again",
      description:
        "One document is sent at most 5 times an hour, unless the installation is configured otherwise: then 429.",
      command: sendInvoice,
      refuses: ["NOT_FOUND", "INVOICE_NOT_ISSUED"],
    },
    totalsOf: totalsOfInvoice,
    pdfOf: pdfOfInvoice,
    einvoiceOf: einvoiceOfInvoice,
    not_issued: "INVOICE_NOT_ISSUED",
  }),

  readinessRoute("invoices", "an invoice", readinessOfInvoice),

  invoicesCsv,
]);
