/** Holds the reminders of an invoice through a day, or ends that, for admins. The invoice itself never changes. */

import {
  putReminderHold,
  removeReminderHold,
} from "../../features/reminders/reminder-holds/save.ts";
import { ReminderHoldPut } from "../../features/reminders/reminder-holds/schemas.ts";
import { findInvoiceReminders } from "../../features/reminders/sent-reminders/find-invoice-reminders.ts";
import { getInvoice } from "../../features/sales/invoices/queries.ts";
import { run } from "../../platform/commands/command.ts";
import type { Fields } from "../../platform/http/form.ts";
import { dayAsked, todayFor } from "../frame/day-asked.ts";
import { Form, Submit } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { type Faults, NO_FAULTS, submitted } from "../frame/submitted.ts";
import { DayEntry } from "../parts/day-entry.tsx";
import { Entry, FormFaults } from "../parts/entry.tsx";

const FIELDS = ["until", "reason"];
const MOST_OF_REASON = 500;

export const holdReminderPages: readonly WebPage[] = [
  definePage("GET /invoices/:id/reminder-hold", "hidden", (request) =>
    show(request, null, NO_FAULTS, 200),
  ),
  definePage("POST /invoices/:id/reminder-hold", "hidden", hold),
  definePage("POST /invoices/:id/reminder-hold/end", "hidden", async ({ cx, id: ref }) => {
    await run(removeReminderHold, cx, { ref });
    return { redirect: `/invoices/${ref}`, notice: { done: "reminders_resumed" } };
  }),
];

async function hold(request: PageRequest): Promise<PageAnswer> {
  const { cx, id: ref, form } = request;
  const typed = { until: dayAsked(request, form.until), reason: form.reason?.trim() };
  const outcome = await submitted(
    ReminderHoldPut,
    typed,
    FIELDS,
    { INVOICE_NOT_ISSUED: "" },
    (sent) => run(putReminderHold, cx, { ref, ...sent }),
  );
  if ("faults" in outcome) return show(request, form, outcome.faults, outcome.status);
  return { redirect: `/invoices/${ref}`, notice: { done: "reminders_held" } };
}

/** Shows the form with what was typed, or else with the hold that there is. */
async function show(
  request: PageRequest,
  typed: Fields | null,
  faults: Faults,
  status: number,
): Promise<PageAnswer> {
  const { cx, id, reader, csrf } = request;
  const { words: all } = reader;
  const words = all.reminders;
  const { invoice } = await getInvoice(cx, id);
  if (invoice.status !== "issued") return { redirect: `/invoices/${id}` };
  const known = await findInvoiceReminders(cx, id);
  const action = `/invoices/${id}/reminder-hold`;
  const content = (
    <div class="card confirm">
      <FormFaults faults={faults} words={all.see_fields} />
      <p>{words.hold_text}</p>
      <Form action={action} csrf={csrf(action)}>
        <DayEntry
          name="until"
          label={words.until}
          value={typed?.until ?? known.hold_until ?? ""}
          today={todayFor(request)}
          faults={faults}
          is_required
        />
        <Entry
          name="reason"
          label={words.reason}
          value={typed?.reason ?? known.hold_reason ?? ""}
          most={MOST_OF_REASON}
          faults={faults}
          is_required
        />
        <Submit
          text={words.hold_now}
          back={{ href: `/invoices/${id}`, text: all.issuing.not_yet }}
        />
      </Form>
    </div>
  );
  return { title: words.hold_title, content, status };
}
