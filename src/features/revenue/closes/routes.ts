/** The REST routes of period closes. */

import { run } from "../../../platform/commands/command.ts";
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import { CustomerAccrualsQuery, MonthParams, ReasonBody } from "../accruals/schemas.ts";
import { closePeriod } from "./close-month.ts";
import { previewClose } from "./preview-close.ts";
import { listCloses, readClose } from "./queries.ts";
import { reopenClose } from "./reopen-close.ts";
import { CloseBody, ClosePreview, PeriodClose, PeriodCloseList } from "./schemas.ts";

/** A close answers within 20 seconds, even when it is not done (spec 3.10). */
const MOST_MS = 18_000;

export const closeRoutes = routesOf("Period closes", [
  defineRoute("POST /period-closes", {
    operation: "period_closes.create",
    summary: "Close a month: book the accruals of all customers, then lock it",
    description:
      "It needs the accounts of the roles `contract_asset` and `contract_liability`, and `exchange_difference` where anything is in another currency. Repeating it books only what is missing. A failure of one customer stops no other; the month is then `partial` and not locked.",
    access: "issue",
    heavy: { field: "month", narrow: "Repeat the call: the close goes on in the background." },
    body: CloseBody,
    replies: { 200: PeriodClose, 201: PeriodClose },
    refuses: ["PERIOD_NOT_ENDED", "PERIOD_LOCKED", "EARLIER_PERIOD_OPEN", "ACCOUNT_ROLE_MISSING"],
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
    summary: "See what closing a month would do",
    description:
      "What blocks, what warns, and what would be booked; nothing is written. Months before it are taken as closed. A month under way is shown as its facts are now; of a locked month, and of one to come, nothing would be booked. The accruals themselves are at `GET /accruals?month=`.",
    access: "read",
    heavy: { field: "month", narrow: "Close the month: a close goes on in the background." },
    params: MonthParams,
    replies: { 200: ClosePreview },
    handle: (cx, { params }) => previewClose(cx, params.month, MOST_MS),
  }),

  defineRoute("POST /period-closes/:month/reopen", {
    operation: "period_closes.reopen",
    summary: "Unlock the latest closed month",
    description: "The lock date is what it was before. Accruals stay booked.",
    access: "issue",
    params: MonthParams,
    body: ReasonBody,
    replies: { 200: PeriodClose },
    refuses: ["PERIOD_NOT_CLOSED", "LATER_PERIOD_CLOSED"],
    handle: (cx, { params, body }) => run(reopenClose, cx, { month: params.month, body }),
  }),
]);
