/** The REST routes of reminders. */
import * as z from "zod";
import { run } from "../../../platform/commands/command.ts";
import { getStored } from "../../../platform/database/resources.ts";
import { readResource } from "../../../platform/database/stored-read.ts";
import { defineRead, defineRoute, routesOf } from "../../../platform/http/route.ts";
import { Uuid } from "../../../platform/http/schemas.ts";
import { listDeliveries } from "../../documents/deliveries/queries.ts";
import { Delivery, DeliveryList, DeliveryQuery, SendBody } from "../../documents/issued/schemas.ts";
import { letterPdf } from "../../documents/issued/store-letter.ts";
import { cancelReminder } from "./cancel.ts";
import { readReminders } from "./queries.ts";
import { ReminderCancel, ReminderList, ReminderQuery, ReminderResource } from "./schemas.ts";
import { sendReminder } from "./send.ts";

const params = z.object({ id: Uuid });

export const reminderRoutes = routesOf("Reminders", [
  defineRead("GET /reminders", {
    operation: "reminders.list",
    summary: "List reminders",
    description: "The newest first.",
    query: ReminderQuery,
    replies: { 200: ReminderList },
    read: ({ query }) => readReminders(query),
  }),

  defineRead("GET /reminders/:id", {
    operation: "reminders.get",
    summary: "Read a reminder",
    params,
    replies: { 200: ReminderResource },
    refuses: ["NOT_FOUND"],
    read: ({ params: { id } }) => readResource("reminders", id),
  }),

  defineRoute("GET /reminders/:id/pdf", {
    operation: "reminders.get_pdf",
    summary: "The PDF of a reminder",
    access: "read",
    heavy: { field: "id", narrow: "Send the PDF of another reminder.", needs_primary: true },
    params,
    replies: { 200: { content_type: "application/pdf" } },
    refuses: ["NOT_FOUND"],
    handle: async (cx, { params: { id } }) => ({
      status: 200,
      file: await letterPdf(cx, "reminder", id),
    }),
  }),

  defineRoute("POST /reminders/:id/send", {
    operation: "reminders.send",
    summary: "Send a reminder again",
    description: "By e-mail: to `address`, or else to the customer's address.",
    access: "issue",
    params,
    body: SendBody,
    body_is_optional: true,
    replies: { 200: Delivery },
    refuses: ["NOT_FOUND", "REMINDER_CANCELLED"],
    handle: (cx, { params: { id }, body }) =>
      run(sendReminder, cx, { ref: id, address: body.address }),
  }),

  defineRoute("GET /reminders/:id/deliveries", {
    operation: "reminders.list_deliveries",
    summary: "List the attempts to send a reminder",
    access: "read",
    params,
    query: DeliveryQuery,
    replies: { 200: DeliveryList },
    refuses: ["NOT_FOUND"],
    async handle(cx, { params: { id }, query }) {
      await getStored(cx, "reminders", id);
      return listDeliveries(cx, id, query);
    },
  }),

  defineRoute("POST /reminders/:id/cancel", {
    operation: "reminders.cancel",
    summary: "Cancel a reminder",
    description:
      "From `date` on it counts for nothing: its items are due for the same level again, and one entry reverses what it charged. The customer is not informed.",
    access: "issue",
    params,
    body: ReminderCancel,
    replies: { 200: ReminderResource },
    refuses: [
      "NOT_FOUND",
      "REMINDER_CANCELLED",
      "REMINDER_PAID",
      "PAYMENT_DATE_IN_FUTURE",
      "PERIOD_LOCKED",
      "LEDGER_MOVING",
    ],
    handle: (cx, { params: { id }, body }) => run(cancelReminder, cx, { id, ...body }),
  }),
]);
