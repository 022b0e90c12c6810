/** The page of a reminder that was sent, for admins: what it lists and charged, its PDF, its deliveries, and sending it again. */
import type { ComponentChildren } from "preact";
import { Problem } from "../../domain/base/problem.ts";
import { SendBody } from "../../features/documents/issued/schemas.ts";
import { letterPdf } from "../../features/documents/issued/store-letter.ts";
import { getReminder, type Reminder } from "../../features/reminders/sent-reminders/queries.ts";
import { sendReminder } from "../../features/reminders/sent-reminders/send.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import { run } from "../../platform/commands/command.ts";
import type { Context } from "../../platform/commands/context.ts";
import { fileReply } from "../../platform/http/answer.ts";
import { fieldErrorsFrom } from "../../platform/http/problems.ts";
import { defineLongWork } from "../frame/long-work.ts";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import type { PageReader } from "../frame/reader.ts";
import { attemptsOf, Deliveries } from "../invoices/deliveries.tsx";
import { ConfirmLink } from "../parts/confirm-link.tsx";
import { Card, FactList, Facts } from "../parts/facts.tsx";
import { List } from "../parts/list.tsx";
import { Day, Pill } from "../parts/values.tsx";
import { itemColumns, Shown } from "./letter-columns.tsx";
import { REMINDERS } from "./reminders.tsx";

export const sendingReminder = defineLongWork({
  name: "pages.send_reminder",
  is_read: false,
  work: (cx: Context, sending: { readonly ref: string; readonly address?: string | undefined }) =>
    run(sendReminder, cx, sending),
});

export const reminderPages: readonly WebPage[] = [
  definePage(`GET ${REMINDERS}/:id`, "hidden", show),
  definePage(`POST ${REMINDERS}/:id/send`, "hidden", sendAgain),
  { ...definePage(`GET ${REMINDERS}/:id/pdf`, "hidden", pdf), is_heavy: true },
];

async function sendAgain({ runLong, id: ref, form }: PageRequest): Promise<PageAnswer> {
  const typed = form.address?.trim() || undefined;
  const sent = SendBody.safeParse(typed === undefined ? {} : { address: typed });
  if (!sent.success) {
    throw new Problem("VALIDATION_FAILED", { field_errors: fieldErrorsFrom(sent.error) });
  }
  await runLong(sendingReminder, { ref, address: sent.data.address });
  return { redirect: `${REMINDERS}/${ref}`, notice: { done: "document_sent" } };
}

async function pdf({ cx, id }: PageRequest): Promise<PageAnswer> {
  return {
    file: {
      operation: "reminders.get_pdf",
      params: { id },
      query: {},
      lane: "computation",
      make: async () => fileReply(200, await letterPdf(cx, "reminder", id)),
    },
  };
}

/** Names a reminder by its number, or else by its customer. */
export function titleOf({ words }: PageReader, { row, snapshot }: Reminder): string {
  const { number } = row;
  return number === null
    ? words.reminders.one_of(snapshot.customer.name)
    : words.reminders.one(String(number));
}

async function show(request: PageRequest): Promise<PageAnswer> {
  const { cx, id, reader } = request;
  const words = reader.words.reminders;
  const reminder = await getReminder(cx, id);
  const { row, snapshot } = reminder;
  const [{ functional_currency: functional }, attempts] = await Promise.all([
    getConfiguration(cx),
    attemptsOf(cx, id),
  ]);
  const is_issued = row.cancelled_on === null;
  const content = (
    <div class="document">
      <div class="stack">
        <Card title={words.items} id="items">
          <List
            label={words.items}
            rows={snapshot.items}
            empty={null}
            columns={itemColumns(reader, snapshot.currency, functional)}
          />
        </Card>
      </div>
      <div class="stack">
        <Facts title={reader.words.invoice.facts} id="facts">
          <FactList facts={factsOf(reader, reminder, functional)} />
        </Facts>
        <Deliveries
          request={request}
          document={`${REMINDERS}/${id}`}
          attempts={attempts}
          is_issued={is_issued}
          link_until={null}
          email={snapshot.customer.email}
          is_letter
        />
      </div>
    </div>
  );
  // What it charged was booked here, also where the books have moved since.
  const may_pay = is_issued && row.number !== null;
  const actions = (
    <>
      {may_pay && (
        <a class="button" href={`/payments/new?reminder=${id}`}>
          {reader.words.payments.record_action}
        </a>
      )}
      <a class="button" href={`${REMINDERS}/${id}/pdf`} data-no-prefetch>
        {words.pdf}
      </a>
      {is_issued && <ConfirmLink href={`${REMINDERS}/${id}/cancel`}>{words.cancel}</ConfirmLink>}
    </>
  );
  return { title: titleOf(reader, reminder), content, actions };
}

function factsOf({ words: all }: PageReader, { row, snapshot }: Reminder, functional: string) {
  const words = all.reminders;
  const { currency, customer, payment_codes } = snapshot;
  const money = (amount: bigint) => (
    <Shown amount={amount} currency={currency} functional={functional} />
  );
  const fact = (is_shown: boolean, name: string, value: ComponentChildren) =>
    is_shown ? [{ name, value }] : [];
  const is_issued = row.cancelled_on === null;
  return [
    {
      name: words.state,
      value: (
        <Pill kind={is_issued ? "ok" : "bad"}>{is_issued ? words.issued : words.cancelled}</Pill>
      ),
    },
    { name: words.customer, value: customer.name, href: `/customers/${customer.id}` },
    { name: words.level, value: words.nth(snapshot.level) },
    { name: words.date, value: <Day day={snapshot.issue_date} /> },
    { name: words.due, value: <Day day={snapshot.due_date} /> },
    ...fact(snapshot.fee !== 0n, words.fee, money(snapshot.fee)),
    ...fact(snapshot.interest !== 0n, words.interest, money(snapshot.interest)),
    ...fact(snapshot.compensation !== 0n, words.compensation, money(snapshot.compensation)),
    { name: words.total, value: money(snapshot.total) },
    ...fact(payment_codes !== null, words.reference, payment_codes?.reference),
    ...(row.entry_no === null
      ? []
      : [{ name: words.entry, value: String(row.entry_no), href: `/ledger/entries/${row.id}` }]),
    ...fact(!is_issued, words.cancelled_on, <Day day={row.cancelled_on} />),
    ...fact(row.cancel_reason !== null, words.reason, row.cancel_reason),
  ];
}
