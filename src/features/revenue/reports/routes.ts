/** The REST routes of the reports on revenue. */

import { reading } from "../../../platform/commands/tx.ts";
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import { RefParams } from "../../../platform/http/schemas.ts";
import { CreditNotePreviewBody } from "../../sales/credit-notes/schemas.ts";
import { recognitionCsv } from "./csv.ts";
import { readExplanation } from "./explain.ts";
import { Explanation, ExplanationQuery } from "./explain-schemas.ts";
import { previewCredit } from "./preview-credit.ts";
import { CreditPreview } from "./preview-credit-schemas.ts";
import { listRecognition } from "./report.ts";
import { listRollforward } from "./roll-forward.ts";
import { readSchedule } from "./schedule.ts";
import {
  RecognitionList,
  RecognitionQuery,
  RecognitionSchedule,
  RollforwardList,
  RollforwardQuery,
} from "./schemas.ts";

export const recognitionRoutes = routesOf("Recognition", [
  defineRoute("GET /recognition", {
    operation: "recognition.list",
    summary: "List earned revenue by month",
    description:
      "By line and user, or added up by customer, user, product or month in functional currency. Months after the present one are a forecast (`forecast: true`): the remainder of straight lines, and the scheduled periods of active series that begin in the 36 months after the present one, as if each were invoiced on its planned date; nothing for hours. Later months show only the revenue that reaches into them.",
    access: "read",
    heavy: { field: "from", narrow: "Request fewer months at a time, or one customer." },
    query: RecognitionQuery,
    replies: { 200: RecognitionList },
    handle: (cx, { query }) => reading(cx, (inside) => listRecognition(inside, query)),
  }),

  defineRoute("GET /recognition/explain", {
    operation: "recognition.explain",
    summary: "Explain the revenue of a line in a month",
    description:
      "In data and in one sentence: agreed value, discount, convention, days or hours, running totals, rounding, credit notes, and the vouchers that booked it.",
    access: "read",
    heavy: { field: "month", narrow: "Request an earlier month." },
    query: ExplanationQuery,
    replies: { 200: Explanation },
    refuses: ["NOT_FOUND"],
    handle: (cx, { query }) => reading(cx, (inside) => readExplanation(inside, query)),
  }),

  defineRoute("GET /recognition/rollforward", {
    operation: "recognition.rollforward",
    summary: "Roll contract assets and liabilities forward from month to month",
    description:
      "For each contract, in functional currency: opening, earned, invoiced, carried, exchange, closing (IFRS 15.116-118). Booked months as booked, open months as they would be booked.",
    access: "read",
    heavy: { field: "from", narrow: "Request fewer months at a time, or one customer." },
    query: RollforwardQuery,
    replies: { 200: RollforwardList },
    handle: (cx, { query }) => reading(cx, (inside) => listRollforward(inside, query)),
  }),

  defineRoute("GET /invoices/:ref/recognition", {
    operation: "invoices.get_recognition",
    summary: "Read the revenue schedule of an invoice: the revenue of its lines by month",
    access: "read",
    heavy: {
      field: "ref",
      narrow: "Request its lines by GET /recognition, some months at a time.",
    },
    params: RefParams,
    replies: { 200: RecognitionSchedule },
    refuses: ["NOT_FOUND"],
    handle: (cx, { params }) => reading(cx, (inside) => readSchedule(inside, params.ref)),
  }),

  defineRoute("POST /credit-notes/preview", {
    operation: "credit_notes.preview",
    tag: "Credit notes",
    summary: "Preview a credit note: amounts, VAT, and revenue by month before and after",
    description:
      "Takes the body of POST /credit-notes, which needs no `external_id` here, and stores nothing.",
    access: "write",
    heavy: { field: "lines", narrow: "Credit fewer lines at a time." },
    body: CreditNotePreviewBody,
    replies: { 200: CreditPreview },
    refuses: [
      "NOT_FOUND",
      "INVOICE_NOT_ISSUED",
      "INVOICE_FULLY_CREDITED",
      "CREDIT_EXCEEDS_LINE",
      "PERIOD_LOCKED",
      "LEDGER_MOVING",
      "LEDGER_NOT_CONNECTED",
    ],
    handle: (cx, { body }) => previewCredit(cx, body),
  }),

  recognitionCsv,
]);
