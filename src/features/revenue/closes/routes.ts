/** The REST routes of period closes. */

import { run } from "../../../platform/commands/command.ts";
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import { CustomerAccrualsQuery, MonthParams, ReasonBody } from "../accruals/schemas.ts";
import { closePeriod } from "./close-month.ts";
import { previewClose } from "./preview-close.ts";
import { listCloses, readClose } from "./queries.ts";
import { reopenClose } from "./reopen-close.ts";
import { CloseBody, ClosePreview, PeriodClose, PeriodCloseList } from "./schemas.ts";

/** The response to a close is sent within 20 seconds, even when the close is not done (spec 3.10). */
const MOST_MS = 18_000;

export const closeRoutes = routesOf("Period closes", [
  defineRoute("POST /period-closes", {
    operation: "period_closes.create",
    summary: "Close a month: book the accruals of all customers, then lock it",
    description:
      "It needs the accounts of the roles `contract_asset` and `contract_liability`, and `exchange_difference` where anything is in another currency. Repeating it books only what is missing. A failure of one customer stops no other; the month is then `partial` and not locked.",
    access: "issue",
    heavy: { field: "month", narrow: "Repeat the call: the close continues in the background." },
    body: CloseBody,
    replies: { 200: PeriodClose, 201: PeriodClose },
    refuses: [
      "PERIOD_NOT_ENDED",
      "PERIOD_LOCKED",
      "LEDGER_MOVING",
      "EARLIER_PERIOD_OPEN",
      "ACCOUNT_ROLE_MISSING",
    ],
    async handle(cx, { body }) {
      const { is_new, document } = await closePeriod({ ...cx, once: null }, body, MOST_MS);
      return { status: is_new ? 201 : 200, text: document };
    },
  }),

  defineRoute("GET /period-closes", {
    operation: "period_closes.list",
    summary: "List period closes, the newest month first",
    access: "read",
    query: CustomerAccrualsQuery,
    replies: { 200: PeriodCloseList },
    handle: (cx, { query }) => listCloses(cx, query),
  }),

  defineRoute("GET /period-closes/:month", {
    operation: "period_closes.get",
    summary: "Read the close of a month",
    access: "read",
    params: MonthParams,
    replies: { 200: PeriodClose },
    refuses: ["NOT_FOUND"],
    handle: (cx, { params }) => readClose(cx, params.month),
  }),

  defineRoute("GET /period-closes/:month/preview", {
    operation: "period_closes.preview",
    summary: "Preview the close of a month",
    description:
      "Blockers, warnings and the bookings that would be made; nothing is written. Earlier months are assumed to be closed. The current month is shown with its current data; in a locked or future month nothing would be booked. The accruals themselves are at `GET /accruals?month=`.",
    access: "read",
    heavy: { field: "month", narrow: "Close the month: a close continues in the background." },
    params: MonthParams,
    replies: { 200: ClosePreview },
    handle: (cx, { params }) => previewClose(cx, params.month, MOST_MS),
  }),

  defineRoute("POST /period-closes/:month/reopen", {
    operation: "period_closes.reopen",
    summary: "Unlock the latest closed month",
    description: "Restores the previous lock date. Accruals remain booked.",
    access: "issue",
    params: MonthParams,
    body: ReasonBody,
    replies: { 200: PeriodClose },
    refuses: ["PERIOD_NOT_CLOSED", "LATER_PERIOD_CLOSED", "PERIOD_LOCKED"],
    handle: (cx, { params, body }) => run(reopenClose, cx, { month: params.month, body }),
  }),
]);
