/** Sends the reminders that a page showed, for admins: a letter that would be another one by now is not sent. */
import type { ProblemCode } from "../../domain/base/problem.ts";
import type { FoundLetter } from "../../features/reminders/reminder-runs/find-letters.ts";
import { readReminderRun } from "../../features/reminders/reminder-runs/preview.ts";
import { runReminders } from "../../features/reminders/reminder-runs/run-reminders.ts";
import { ReminderRun, ReminderRunBody } from "../../features/reminders/reminder-runs/schemas.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import type { Context } from "../../platform/commands/context.ts";
import type { Fields } from "../../platform/http/form.ts";
import { Fault, Form, Submit } from "../frame/form.tsx";
import { defineLongWork } from "../frame/long-work.ts";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { isId } from "../frame/reference.ts";
import { Warnings } from "../parts/facts.tsx";
import { List } from "../parts/list.tsx";
import { itemColumns, letterColumns } from "./letter-columns.tsx";
import { Cautions, feesOf, hasMail, notBegun, REMINDERS, SEND } from "./reminders.tsx";

/** The letters of one confirmation. */
const MOST_LETTERS = 100;
/** Letters whose items the confirmation lists too. */
const MOST_LISTED = 5;

export const sendReminderPages: readonly WebPage[] = [
  definePage(`GET ${SEND}`, "hidden", (request) => confirm(request, request.query, null)),
  definePage(`POST ${SEND}`, "hidden", send),
];

export const sendingReminders = defineLongWork({
  name: "pages.send_reminders",
  is_read: false,
  work: async (cx: Context, sent: ReminderRunBody) =>
    ReminderRun.parse(JSON.parse(await runReminders(cx, sent))),
});

async function send(request: PageRequest): Promise<PageAnswer> {
  const { form, runLong } = request;
  const body = ReminderRunBody.safeParse({ date: form.date, rows: rowsIn(form) });
  if (!body.success) return { redirect: REMINDERS };
  const run = await runLong(sendingReminders, body.data);
  if (run.issued < run.outcomes.length) return confirm(request, form, run);
  return { redirect: REMINDERS, notice: { done: "reminders_sent", of: String(run.issued) } };
}

/** The letters that the form names: `letter.<customer>.<currency>` has the digest that was shown. */
function rowsIn(form: Fields) {
  return Object.entries(form).flatMap(([name, agreed]) => {
    const [kind, customer, currency] = name.split(".");
    return kind === "letter" ? [{ customer, currency, agreed }] : [];
  });
}

/** Shows the letters with the form that sends them. `run` is what became of the letters that were sent before. */
async function confirm(
  request: PageRequest,
  asked: Fields,
  run: ReminderRun | null,
): Promise<PageAnswer> {
  const { cx, reader } = request;
  const words = reader.words.reminders;
  const customer = isId(asked.customer) ? asked.customer : undefined;
  await request.takeHeavyPlace();
  const [{ functional_currency: functional }, found] = await Promise.all([
    getConfiguration(cx),
    readReminderRun(cx, { customer }).catch(notBegun),
  ]);
  if (found === null) return { redirect: REMINDERS };
  const due = found.letters.filter(({ left_out }) => left_out === null);
  if (due.length === 0 && run === null) return { redirect: REMINDERS };
  const letters = due.slice(0, MOST_LETTERS);
  const content = (
    <div class="card confirm">
      {run !== null && <Outcome run={run} letters={found.letters} request={request} />}
      <Cautions run={found} has_mail={hasMail(request)} />
      {letters.length === 0 && <p>{words.nothing_to_send}</p>}
      {letters.length < due.length && <p class="soft">{words.first_of(letters.length)}</p>}
      {letters.length > 0 && (
        <List
          label={words.letters}
          rows={letters}
          empty={null}
          columns={[
            ...letterColumns(reader, functional),
            { head: words.to, fold: "none", cell: ({ customer: { email } }) => email ?? "–" },
          ]}
        />
      )}
      {letters.length <= MOST_LISTED &&
        letters.map((letter) => (
          <Listed letter={letter} request={request} functional={functional} />
        ))}
      {letters.some(({ customer: { email } }) => email === null) && (
        <p class="quiet">{words.no_address}</p>
      )}
      <p class="soft">
        {words.mails} {letters.some(charges) && words.charges}
      </p>
      <Sending request={request} day={found.day} letters={letters} functional={functional} />
    </div>
  );
  return {
    title: words.confirm_title(letters.length),
    content,
    status: run === null ? 200 : 409,
  };
}

/** Whether a letter books anything. */
function charges({ fee, interest, compensation }: FoundLetter): boolean {
  return fee + interest + compensation > 0n;
}

/** The form that sends the letters as they are shown. */
function Sending(props: {
  request: PageRequest;
  day: string;
  letters: readonly FoundLetter[];
  functional: string;
}) {
  const { request, day, letters, functional } = props;
  const { reader, csrf, query, form } = request;
  const words = reader.words.reminders;
  const customer = query.customer ?? form.customer;
  return (
    <Form action={SEND} csrf={csrf(SEND)}>
      <input type="hidden" name="date" value={day} />
      {isId(customer) && <input type="hidden" name="customer" value={customer} />}
      {letters.map(({ customer: { id }, currency, agreed }) => (
        <input
          type="hidden"
          name={`letter.${id}.${currency}`}
          value={agreed.toString("base64url")}
        />
      ))}
      {letters.length > 0 ? (
        <Submit
          text={words.send(letters.length, feesOf(reader, letters, functional))}
          back={{ href: REMINDERS, text: reader.words.issuing.not_yet }}
        />
      ) : (
        <a class="button" href={REMINDERS}>
          {words.title}
        </a>
      )}
    </Form>
  );
}

/** Says which letters were not sent, and why. */
function Outcome(props: {
  run: ReminderRun;
  letters: readonly FoundLetter[];
  request: PageRequest;
}) {
  const { run, letters, request } = props;
  const { words: all } = request.reader;
  const words = all.reminders;
  const names = new Map(letters.map(({ customer: { id, name } }) => [id, name]));
  const refused = run.outcomes.filter(({ outcome }) => outcome === "refused");
  const sentences = refused.map(({ customer, code, message }) => {
    const why =
      code === "CHANGED_MEANWHILE"
        ? words.changed
        : all.refused({ code: (code ?? "NOT_FOUND") as ProblemCode, message: message ?? "" });
    return words.refused(names.get(customer) ?? "–", why);
  });
  return (
    <>
      {run.remaining > 0 && <Fault text={words.remaining(run.remaining)} />}
      <Warnings title={words.refused_title} sentences={sentences} />
    </>
  );
}

function Listed(props: { letter: FoundLetter; request: PageRequest; functional: string }) {
  const { letter, request, functional } = props;
  const { customer, currency, items } = letter;
  return (
    <>
      <h2>{customer.name}</h2>
      <List
        label={request.reader.words.reminders.one_of(customer.name)}
        rows={items}
        empty={null}
        columns={itemColumns(request.reader, currency, functional)}
      />
    </>
  );
}
