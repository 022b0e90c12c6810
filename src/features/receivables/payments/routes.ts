/** The REST routes of payments, and of allocations that are made or reversed by themselves. */
import * as z from "zod";
import { run } from "../../../platform/commands/command.ts";
import {
  defineGet,
  defineRead,
  defineRoute,
  routesOf,
  savedText,
} from "../../../platform/http/route.ts";
import { RefParams, Uuid } from "../../../platform/http/schemas.ts";
import { AllocationResource } from "../allocations/schemas.ts";
import { createAllocation } from "./allocate.ts";
import { createPayment } from "./create.ts";
import { paymentsCsv } from "./csv.ts";
import { previewPayment } from "./preview.ts";
import { readPayments } from "./queries.ts";
import { reversePayment } from "./reverse.ts";
import { reverseAllocation } from "./reverse-allocation.ts";
import {
  AllocationCreate,
  AllocationReversal,
  PaymentCreate,
  PaymentList,
  PaymentPreview,
  PaymentPreviewBody,
  PaymentQuery,
  PaymentResource,
  PaymentReversal,
  RecordedPayment,
} from "./schemas.ts";

const RECORDING = [
  "PAYMENTS_IN_LEDGER",
  "RECEIVABLES_NOT_BEGUN",
  "INVOICE_NOT_ISSUED",
  "CREDIT_NOTE_NOT_ISSUED",
  "PAYMENT_DATE_IN_FUTURE",
  "PERIOD_LOCKED",
  "LEDGER_MOVING",
  "EXCHANGE_RATE_MISSING",
  "ACCOUNT_ROLE_MISSING",
  "PAYMENT_EXCEEDS_OPEN",
  "CREDIT_EXCEEDS_OPEN",
] as const;
const ALLOCATING = RECORDING.filter((code) => code !== "EXCHANGE_RATE_MISSING");

const REVERSING = [
  "NOT_FOUND",
  "PAYMENT_REFUNDED",
  "PAYMENT_DATE_IN_FUTURE",
  "PERIOD_LOCKED",
  "LEDGER_MOVING",
  "ACCOUNT_ROLE_MISSING",
] as const;

export const paymentRoutes = routesOf("Payments", [
  defineRead("GET /payments", {
    operation: "payments.list",
    summary: "List payments and refunds",
    query: PaymentQuery,
    replies: { 200: PaymentList },
    read: ({ query }) => readPayments(query),
  }),

  defineRoute("POST /payments", {
    operation: "payments.create",
    summary: "Record a payment or refund, and apply it",
    description:
      "`external_id` is the idempotency key: a repeat with the same content answers 200 with that payment. Money is recorded, never collected.",
    access: "issue",
    heavy: { field: "allocations", narrow: "Record fewer allocations at a time." },
    body: PaymentCreate,
    replies: { 200: RecordedPayment, 201: RecordedPayment },
    refuses: ["EXTERNAL_ID_CONFLICT", ...RECORDING],
    handle: async (cx, { body }) => savedText(await run(createPayment, cx, body)),
  }),

  defineRoute("POST /payments/preview", {
    operation: "payments.preview",
    summary: "Preview a payment: what it is applied to, and its entries",
    description: "Takes the body of POST /payments without `external_id`, and stores nothing.",
    access: "write",
    heavy: { field: "allocations", narrow: "Preview fewer allocations at a time." },
    body: PaymentPreviewBody,
    replies: { 200: PaymentPreview },
    refuses: RECORDING,
    handle: (cx, { body }) => previewPayment(cx, body),
  }),

  defineGet("GET /payments/:ref", {
    table: "payments",
    operation: "payments.get",
    summary: "Read a payment",
    resource: PaymentResource,
  }),

  defineRoute("POST /payments/:ref/reverse", {
    operation: "payments.reverse",
    summary: "Reverse a payment or refund with all its allocations",
    access: "issue",
    params: RefParams,
    body: PaymentReversal,
    replies: { 200: PaymentResource },
    refuses: [...REVERSING, "PAYMENT_REVERSED"],
    handle: (cx, { params, body }) => run(reversePayment, cx, { ...params, ...body }),
  }),

  paymentsCsv,
]);

export const allocatingRoutes = routesOf("Payments", [
  defineRoute("POST /allocations", {
    operation: "allocations.create",
    summary: "Apply a credit to what is owed",
    description:
      "A payment, credit note or opening credit is applied to an invoice, reminder or opening item. Two opening items are `opening` and `opening_credit`. A repeat with the same `external_id` and content answers 200 with that allocation.",
    access: "issue",
    body: AllocationCreate,
    replies: { 200: AllocationResource, 201: AllocationResource },
    refuses: ["EXTERNAL_ID_CONFLICT", ...ALLOCATING],
    handle: async (cx, { body }) => savedText(await run(createAllocation, cx, body)),
  }),

  defineRoute("POST /allocations/:id/reverse", {
    operation: "allocations.reverse",
    summary: "Reverse an allocation: both items have again what it took",
    access: "issue",
    params: z.object({ id: Uuid }),
    body: AllocationReversal,
    replies: { 200: AllocationResource },
    refuses: [...REVERSING, "ALLOCATION_REVERSED", "ITEM_SETTLED"],
    handle: (cx, { params, body }) => run(reverseAllocation, cx, { ...params, ...body }),
  }),
]);
