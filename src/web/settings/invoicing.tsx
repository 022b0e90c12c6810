/** The page of how invoices are made and sent, for admins: terms, sending, numbers, and the state of the mail server. */
import { addDays } from "../../domain/base/calendar.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import {
  sendTestMail,
  type TestMailOutcome,
} from "../../features/settings/configuration/send-test-mail.ts";
import { run } from "../../platform/commands/command.ts";
import { todayIn } from "../../platform/runtime/clock.ts";
import { Form, Submit } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { type Faults, NO_FAULTS, refusedBy } from "../frame/submitted.ts";
import { FormFaults } from "../parts/entry.tsx";
import { Card } from "../parts/facts.tsx";
import { fieldsOf, type TypedFields } from "../parts/fields.tsx";
import { SettingsTabs } from "../parts/settings-tabs.tsx";
import { refusalOf } from "../words/refusal.ts";
import { type FieldKinds, saveFields, storedFields } from "./configuration-form.ts";
import { MAIL_TEXT, MAIL_TEXT_KINDS, MailTexts } from "./mail-texts.tsx";

const INVOICING = "/settings/invoicing";
const KINDS: FieldKinds = {
  "default_payment_terms.type": "word",
  "default_payment_terms.days": "number",
  default_auto_send: "flag",
  invoice_language_key: "word",
  require_complete_invoices: "flag",
  document_links: "flag",
  "numbering.next_invoice_number": "number",
  "numbering.next_credit_note_number": "number",
  "numbering.next_voucher_number": "number",
  "numbering.next_payment_number": "number",
  "numbering.next_reminder_number": "number",
  functional_currency: "word",
  time_zone: "word",
};

export const invoicingPages: readonly WebPage[] = [
  definePage(`GET ${INVOICING}`, "hidden", async (request) =>
    invoicing(request, await storedOf(request), NO_FAULTS, 200),
  ),
  ...(
    [
      [INVOICING, KINDS],
      [MAIL_TEXT, MAIL_TEXT_KINDS],
    ] as const
  ).map(([path, kinds]) =>
    definePage(`POST ${path}`, "hidden", (request) =>
      // A form has a part of the fields: the others show what is stored.
      saveFields(request, INVOICING, kinds, {}, async (typed, faults, status) =>
        invoicing(request, { ...(await storedOf(request)), ...typed }, faults, status),
      ),
    ),
  ),
  definePage(`POST ${INVOICING}/test-mail`, "hidden", async (request) => {
    const { cx, reader } = request;
    const words = reader.words.invoicing;
    const mail = { subject: words.test_subject, text: words.test_text(cx.caller.account_name) };
    try {
      const outcome = await run(sendTestMail, cx, { ...mail, language: reader.language });
      return await invoicing(request, await storedOf(request), NO_FAULTS, 200, outcome);
    } catch (thrown) {
      const faults = new Map([["", refusalOf(refusedBy(thrown))]]);
      return invoicing(request, await storedOf(request), faults, 429);
    }
  }),
];

function storedOf({ cx, reader }: PageRequest): Promise<TypedFields> {
  return storedFields(cx, reader.language, { ...KINDS, ...MAIL_TEXT_KINDS });
}

async function invoicing(
  request: PageRequest,
  typed: TypedFields,
  faults: Faults,
  status: number,
  tested: TestMailOutcome | null = null,
): Promise<PageAnswer> {
  const { cx, csrf, reader } = request;
  const { words: all } = reader;
  const words = all.invoicing;
  const { seller, functional_currency, time_zone, payment_days } = await getConfiguration(cx);
  const due_date = addDays(todayIn(cx.clock, time_zone), payment_days);
  const content = (
    <>
      <SettingsTabs current={INVOICING} />
      <div class="company">
        <div class="card pad">
          <FormFaults faults={faults} words={all.see_fields} />
          <Form action={INVOICING} csrf={csrf(INVOICING)}>
            <Fields typed={typed} faults={faults} />
            <Submit text={all.save} />
          </Form>
        </div>
        <MailServer request={request} tested={tested} />
      </div>
      <MailTexts
        request={request}
        typed={typed}
        faults={faults}
        sender={seller?.name ?? cx.caller.account_name}
        currency={functional_currency}
        due_date={due_date}
      />
    </>
  );
  return { title: words.title, lead: words.lead, content, status };
}

function Fields({ typed, faults }: { typed: TypedFields; faults: Faults }) {
  const { customers, invoicing: words } = useReader().words;
  const { entry, select } = fieldsOf(typed, faults);
  const number = (name: string, label: string) =>
    entry(name, label, { most: 15, hint: words.next(typed[name] ?? "") });
  return (
    <>
      <fieldset class="fields">
        <legend>{words.terms}</legend>
        {select("default_payment_terms.type", words.terms, [
          ["Netto", customers.terms_net],
          ["NettoCash", customers.terms_cash],
          ["CurrentMonthOut", customers.terms_month],
        ])}
        {entry("default_payment_terms.days", customers.days, {
          hint: customers.days_hint,
          most: 5,
        })}
      </fieldset>
      <fieldset class="fields">
        <legend>{words.sending}</legend>
        {select("default_auto_send", words.auto_send, [
          ["true", words.auto_send_yes],
          ["false", words.auto_send_no],
        ])}
        {select("invoice_language_key", customers.language, [
          ["da-DK", customers.danish],
          ["en-GB", customers.english],
        ])}
        {select("document_links", words.links, [
          ["true", words.links_yes],
          ["false", words.links_no],
        ])}
        {select("require_complete_invoices", words.incomplete, [
          ["false", words.incomplete_warn],
          ["true", words.incomplete_refuse],
        ])}
      </fieldset>
      <fieldset class="fields">
        <legend>{words.numbers}</legend>
        {(
          [
            ["numbering.next_invoice_number", words.invoices],
            ["numbering.next_credit_note_number", words.credit_notes],
            ["numbering.next_voucher_number", words.vouchers],
            ["numbering.next_payment_number", words.payments],
            ["numbering.next_reminder_number", words.reminders],
          ] as const
        ).map(([name, label]) => number(name, label))}
      </fieldset>
      <fieldset class="fields">
        <legend>{words.account}</legend>
        {entry("functional_currency", words.currency, { most: 3, hint: words.currency_hint })}
        {entry("time_zone", words.time_zone, { most: 60, hint: words.time_zone_hint })}
      </fieldset>
    </>
  );
}

/** Says how mail leaves, and sends a test to the reader. */
function MailServer(props: { request: PageRequest; tested: TestMailOutcome | null }) {
  const { request, tested } = props;
  const { cx, csrf, session } = request;
  const words = useReader().words.invoicing;
  const { kind } = cx.mail.transportFor(cx.caller);
  const action = `${INVOICING}/test-mail`;
  return (
    <Card title={words.mail} id="mail">
      <div class="pad">
        {kind === "smtp" ? (
          <p>{words.mail_server(cx.mail.from)}</p>
        ) : (
          <p class="note-warn">{cx.caller.sandbox ? words.mail_sandbox : words.mail_outbox}</p>
        )}
        {tested !== null && <p role="status">{words.tested[tested](session.login?.email ?? "")}</p>}
        <Form action={action} csrf={csrf(action)}>
          <Submit text={words.send_test} is_secondary />
        </Form>
      </div>
    </Card>
  );
}
