/** The REST routes of opening items, and of the beginning of receivables. */
import { run } from "../../../platform/commands/command.ts";
import { defineRoute, routesOf, savedText } from "../../../platform/http/route.ts";
import { RefParams } from "../../../platform/http/schemas.ts";
import { OpenItemResource } from "../open-items/schemas.ts";
import { beginReceivables, previewBegin } from "./begin.ts";
import { createOpeningItem } from "./create.ts";
import { reverseOpeningItem } from "./reverse.ts";
import {
  OpeningItemCreate,
  OpeningItemReversal,
  ReceivablesBegin,
  ReceivablesBeginInput,
} from "./schemas.ts";

const BEGINNING = [
  "PAYMENTS_IN_LEDGER",
  "RECEIVABLES_BEGUN",
  "PAYMENT_DATE_IN_FUTURE",
  "PERIOD_LOCKED",
  "LEDGER_MOVING",
] as const;

export const openingItemRoutes = routesOf("Receivables", [
  defineRoute("POST /opening-items", {
    operation: "opening_items.create",
    summary: "Enter what is still owed of an invoice of the old system",
    description: "A repeat with the same `external_id` and content answers 200 with that item.",
    access: "issue",
    body: OpeningItemCreate,
    replies: { 200: OpenItemResource, 201: OpenItemResource },
    refuses: [
      "EXTERNAL_ID_CONFLICT",
      "PAYMENTS_IN_LEDGER",
      "RECEIVABLES_NOT_BEGUN",
      "PAYMENT_DATE_IN_FUTURE",
      "PERIOD_LOCKED",
      "LEDGER_MOVING",
      "EXCHANGE_RATE_MISSING",
    ],
    handle: async (cx, { body }) => savedText(await run(createOpeningItem, cx, body)),
  }),

  defineRoute("POST /opening-items/:ref/reverse", {
    operation: "opening_items.reverse",
    summary: "Reverse an opening item to which nothing is applied",
    access: "issue",
    params: RefParams,
    body: OpeningItemReversal,
    replies: { 200: OpenItemResource },
    refuses: [
      "NOT_FOUND",
      "ITEM_REVERSED",
      "ITEM_APPLIED",
      "PAYMENT_DATE_IN_FUTURE",
      "PERIOD_LOCKED",
      "LEDGER_MOVING",
    ],
    handle: (cx, { params, body }) => run(reverseOpeningItem, cx, { ...params, ...body }),
  }),

  defineRoute("POST /receivables/begin", {
    operation: "receivables.begin",
    summary: "Begin receivables: from now on the books say what is paid",
    description:
      "Once, for an account with documents from before. Documents through the date that are not named as open were settled elsewhere: one entry moves them from receivables to the counter account. An account without documents begins by itself with the first one.",
    access: "issue",
    heavy: { field: "open.invoices", narrow: "Name fewer documents as open." },
    body: ReceivablesBeginInput,
    replies: { 200: ReceivablesBegin },
    refuses: BEGINNING,
    handle: (cx, { body }) => run(beginReceivables, cx, body),
  }),

  defineRoute("POST /receivables/begin/preview", {
    operation: "receivables.preview_begin",
    summary: "Preview what beginning receivables would settle",
    access: "write",
    heavy: { field: "open.invoices", narrow: "Name fewer documents as open." },
    body: ReceivablesBeginInput,
    replies: { 200: ReceivablesBegin },
    refuses: BEGINNING,
    handle: (cx, { body }) => previewBegin(cx, body),
  }),
]);
