/** The REST routes of holds. */
import { run } from "../../../platform/commands/command.ts";
import { defineRoute, noContent, routesOf } from "../../../platform/http/route.ts";
import { RefParams } from "../../../platform/http/schemas.ts";
import { putReminderHold, removeReminderHold } from "./save.ts";
import { ReminderHoldPut, ReminderHoldResource } from "./schemas.ts";

export const reminderHoldRoutes = routesOf("Reminders", [
  defineRoute("PUT /invoices/:ref/reminder-hold", {
    operation: "reminder_holds.set",
    summary: "Send no reminder of an invoice through a day",
    description: "Replaces an earlier hold. The invoice stays as it is.",
    access: "write",
    params: RefParams,
    body: ReminderHoldPut,
    replies: { 200: ReminderHoldResource },
    refuses: ["NOT_FOUND", "INVOICE_NOT_ISSUED"],
    handle: (cx, { params, body }) => run(putReminderHold, cx, { ...params, ...body }),
  }),

  defineRoute("DELETE /invoices/:ref/reminder-hold", {
    operation: "reminder_holds.remove",
    summary: "Remind of an invoice again",
    access: "write",
    params: RefParams,
    replies: { 204: null },
    refuses: ["NOT_FOUND"],
    async handle(cx, { params }) {
      await run(removeReminderHold, cx, params);
      return noContent;
    },
  }),
]);
