/** The REST routes of runs of reminders. */
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import { previewReminders } from "./preview.ts";
import { runReminders } from "./run-reminders.ts";
import {
  ReminderRun,
  ReminderRunBody,
  ReminderRunPreview,
  ReminderRunPreviewBody,
} from "./schemas.ts";

export const reminderRunRoutes = routesOf("Reminders", [
  defineRoute("POST /reminder-runs/preview", {
    operation: "reminder_runs.preview",
    summary: "Preview reminders: the letters of a day, and who is left out",
    description:
      "One letter for each customer and currency lists everything that is overdue. It has the highest level of the items that are due for their next reminder, and counts for these. Stores nothing.",
    access: "write",
    heavy: { field: "customer", narrow: "Choose one customer." },
    body: ReminderRunPreviewBody,
    body_is_optional: true,
    replies: { 200: ReminderRunPreview },
    refuses: ["RECEIVABLES_NOT_BEGUN"],
    handle: (cx, { body }) => previewReminders(cx, body),
  }),

  defineRoute("POST /reminder-runs", {
    operation: "reminder_runs.create",
    summary: "Send the reminders that a preview showed",
    description:
      "Each row is issued or refused independently. A letter that would be another one by now is refused with `CHANGED_MEANWHILE`. The same request again sends no letter twice. The codes of outcomes are those of other operations, such as `PERIOD_LOCKED`, `ACCOUNT_ROLE_MISSING`, `EXCHANGE_RATE_MISSING` and `PAYMENTS_IN_LEDGER`.",
    access: "issue",
    heavy: { field: "rows", narrow: "Send fewer letters at a time." },
    body: ReminderRunBody,
    replies: { 200: ReminderRun },
    refuses: ["RECEIVABLES_NOT_BEGUN"],
    handle: (cx, { body }) => runReminders(cx, body),
  }),
]);
