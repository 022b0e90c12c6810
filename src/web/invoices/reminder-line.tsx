/** How an invoice was reminded of, and its hold; for admins, while reminders may list it. */
import type { InvoiceReminders } from "../../features/reminders/sent-reminders/find-invoice-reminders.ts";
import { todayFor } from "../frame/day-asked.ts";
import { Form } from "../frame/form.tsx";
import type { PageRequest } from "../frame/page.tsx";
import { ConfirmLink } from "../parts/confirm-link.tsx";
import { Facts } from "../parts/facts.tsx";
import { dayOf } from "../parts/format.ts";

/** Shows the last reminder and the hold, with the links that hold reminders or end that. Null shows nothing. */
export function ReminderLine(props: { request: PageRequest; reminders: InvoiceReminders | null }) {
  const { request, reminders } = props;
  const { reader, id, csrf } = request;
  const words = reader.words.reminders;
  if (reminders === null) return null;
  const { level, last_on, last_id, hold_until } = reminders;
  const is_held = hold_until !== null && hold_until >= todayFor(request);
  const action = `/invoices/${id}/reminder-hold/end`;
  return (
    <Facts title={words.title} id="reminders">
      {last_on !== null && last_id !== null ? (
        <p>
          <a class="link" href={`/reminders/${last_id}`}>
            {words.reminded(level, dayOf(reader.language, last_on))}
          </a>
        </p>
      ) : (
        <p class="quiet">{words.not_reminded}</p>
      )}
      {is_held && <p>{words.held(dayOf(reader.language, hold_until))}</p>}
      <div class="buttons">
        <ConfirmLink href={`/invoices/${id}/reminder-hold`}>{words.hold}</ConfirmLink>
        {is_held && (
          <Form action={action} csrf={csrf(action)}>
            <button type="submit" class="button">
              {words.end_hold}
            </button>
          </Form>
        )}
      </div>
    </Facts>
  );
}
