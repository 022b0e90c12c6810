/** The page of reminders, for admins: the letters of the day with what they add, who is left out and why, and what was sent. */
import type * as z from "zod";
import type { Money } from "../../domain/base/money.ts";
import { Problem } from "../../domain/base/problem.ts";
import { customerNames } from "../../features/catalogue/customers/queries.ts";
import type { FoundLetter } from "../../features/reminders/reminder-runs/find-letters.ts";
import {
  type ReminderRunRead,
  readReminderRun,
} from "../../features/reminders/reminder-runs/preview.ts";
import { readReminders } from "../../features/reminders/sent-reminders/queries.ts";
import type { ReminderResource } from "../../features/reminders/sent-reminders/schemas.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import { pageFrom } from "../../platform/database/page.ts";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { type PageReader, useReader } from "../frame/reader.ts";
import { isId } from "../frame/reference.ts";
import { ConfirmLink } from "../parts/confirm-link.tsx";
import { dayOf, moneyOf } from "../parts/format.ts";
import { List, Older } from "../parts/list.tsx";
import { Amount, Day, Pill } from "../parts/values.tsx";
import { whyUnknown } from "../receivables/not-begun.tsx";
import { letterColumns } from "./letter-columns.tsx";

export const REMINDERS = "/reminders";
export const SEND = `${REMINDERS}/send` as const;
const ROWS_A_PAGE = 25;
/** The letters, and the customers that are left out, that the page lists. */
const MOST_LETTERS = 200;

export const reminderListPages: readonly WebPage[] = [
  definePage(`GET ${REMINDERS}`, "hidden", show),
];

async function show(request: PageRequest): Promise<PageAnswer> {
  const { cx, reader, query } = request;
  const words = reader.words.reminders;
  await request.takeHeavyPlace();
  const customer = isId(query.customer) ? query.customer : undefined;
  const [{ functional_currency: functional }, run] = await Promise.all([
    getConfiguration(cx),
    readReminderRun(cx, { customer }).catch(notBegun),
  ]);
  const title = words.title;
  if (run === null) return { title, content: await whyUnknown(cx) };
  const due = run.letters.filter(({ left_out }) => left_out === null);
  const content = (
    <>
      <Cautions run={run} has_mail={hasMail(request)} />
      <h2>{words.letters}</h2>
      <div data-list>
        <List
          label={words.letters}
          rows={due.slice(0, MOST_LETTERS)}
          empty={<p>{words.no_letters}</p>}
          columns={[
            ...letterColumns(reader, functional),
            {
              head: "",
              fold: "none",
              cell: ({ customer: { id, name } }) => (
                <ConfirmLink
                  class="link"
                  href={`${SEND}?customer=${id}`}
                  label={words.send_one_to(name)}
                >
                  {words.send_one}
                </ConfirmLink>
              ),
            },
          ]}
        />
      </div>
      <LeftOut letters={run.letters} functional={functional} />
      <h2>{words.sent}</h2>
      <SentOnes {...(await sentOnes(request, customer))} functional={functional} />
    </>
  );
  const of_customer = customer === undefined ? "" : `?customer=${customer}`;
  const actions = (
    <>
      <a class="button" href="/settings/reminders">
        {words.settings}
      </a>
      {due.length > 0 && (
        <ConfirmLink class="button main" href={`${SEND}${of_customer}`}>
          {words.send(due.length, feesOf(reader, due, functional))}
        </ConfirmLink>
      )}
    </>
  );
  const lead = words.lead(due.length, chargedBy(reader, due, functional));
  return { title, lead, content, actions };
}

/** Returns null for the refusal of an account that does not know yet what is paid. Throws everything else. */
export function notBegun(thrown: unknown): null {
  if (thrown instanceof Problem && thrown.code === "RECEIVABLES_NOT_BEGUN") return null;
  throw thrown;
}

/** Returns what letters add, in words; sums are of letters in functional currency, where letters in another one add nothing. */
function chargedBy(reader: PageReader, letters: readonly FoundLetter[], functional: string) {
  const shown = (name: "interest" | "compensation"): string | null => {
    const sums = new Map<string, Money>();
    for (const letter of letters) {
      sums.set(letter.currency, (sums.get(letter.currency) ?? 0n) + letter[name]);
    }
    const texts = [...sums]
      .filter(([, amount]) => amount > 0n)
      .map(([currency, amount]) => moneyOf(reader.language, amount, currency));
    return texts.length === 0 ? null : texts.join(", ");
  };
  return {
    fees: feesOf(reader, letters, functional),
    interest: shown("interest"),
    compensation: shown("compensation"),
  };
}

/** Returns the fees of letters as a text; null without any. Only letters in functional currency have one. */
export function feesOf(
  { language }: PageReader,
  letters: readonly FoundLetter[],
  functional: string,
): string | null {
  const sum = letters.reduce((fees, { fee }) => fees + fee, 0n);
  return sum === 0n ? null : moneyOf(language, sum, functional);
}

/** Whether letters reach customers: a sandbox sends none, and says so on every page. */
export function hasMail({ cx }: PageRequest): boolean {
  return cx.caller.sandbox || cx.mail.transportFor(cx.caller).kind === "smtp";
}

/** Says what a run does not know: payments that are not in the bank statements yet, and missing rates; and where mail reaches no one. */
export function Cautions({ run, has_mail }: { run: ReminderRunRead; has_mail: boolean }) {
  const { words: all, language } = useReader();
  const words = all.reminders;
  const { is_bank_recent, letters } = run;
  const is_rate_missing = letters.some((letter) => letter.is_rate_missing);
  if (letters.length === 0 || (is_bank_recent && !is_rate_missing && has_mail)) return null;
  return (
    <section class="note-warn" aria-label={words.cautions}>
      <ul>
        {!is_bank_recent && (
          <li>
            {whyNotRecent(run, all.reminders, language)}{" "}
            {run.ledger === null ? (
              <a class="link" href="/bank">
                {words.bring_bank}
              </a>
            ) : (
              <a class="link" href="/ledger/connection">
                {words.see_connection}
              </a>
            )}
          </li>
        )}
        {is_rate_missing && <li>{words.rate_missing}</li>}
        {!has_mail && (
          <li>
            {words.no_mail}{" "}
            <a class="link" href="/settings/invoicing#mail">
              {words.to_mail}
            </a>
          </li>
        )}
      </ul>
    </section>
  );
}

/** Returns through which day payments are known: by the statements of the bank, or by the connected ledger. */
function whyNotRecent(
  { ledger, bank_through }: ReminderRunRead,
  words: PageReader["words"]["reminders"],
  language: PageReader["language"],
): string {
  const day = bank_through === null ? null : dayOf(language, bank_through);
  if (ledger === null) return day === null ? words.bank_unknown : words.bank_old(day);
  return day === null ? words.ledger_unknown(ledger) : words.ledger_old(ledger, day);
}

function LeftOut(props: { letters: readonly FoundLetter[]; functional: string }) {
  const reader = useReader();
  const words = reader.words.reminders;
  const rows = props.letters.flatMap((letter) =>
    letter.left_out === null ? [] : [{ ...letter, left_out: letter.left_out }],
  );
  if (rows.length === 0) return null;
  const [customer, , invoices] = letterColumns(reader, props.functional);
  if (customer === undefined || invoices === undefined) return null;
  return (
    <>
      <h2>{words.left_out}</h2>
      <div class="left-out" data-list>
        <List
          label={words.left_out}
          rows={rows.slice(0, MOST_LETTERS)}
          empty={null}
          columns={[
            customer,
            invoices,
            {
              head: words.why,
              cell: ({ left_out }) => (
                <>
                  {words.reasons[left_out]}{" "}
                  {left_out === "UNMATCHED_PAYMENT" && (
                    <a class="link" href="/bank">
                      {words.see_bank}
                    </a>
                  )}
                </>
              ),
            },
          ]}
        />
      </div>
    </>
  );
}

type Sent = z.output<typeof ReminderResource>;

interface SentPage {
  readonly rows: readonly Sent[];
  readonly names: ReadonlyMap<string, string>;
  readonly next_cursor: string | null;
  readonly address: string;
}

async function sentOnes(
  { cx, query }: PageRequest,
  customer: string | undefined,
): Promise<SentPage> {
  const read = readReminders({ limit: ROWS_A_PAGE, cursor: query.cursor, customer });
  const { data: rows, next_cursor } = pageFrom<Sent>(await read.answer(cx));
  const names = await customerNames(
    cx,
    rows.map(({ customer_id }) => customer_id),
  );
  const address = customer === undefined ? REMINDERS : `${REMINDERS}?customer=${customer}`;
  return { rows, names, next_cursor, address };
}

function SentOnes({
  rows,
  names,
  next_cursor,
  address,
  functional,
}: SentPage & { functional: string }) {
  const { words: all } = useReader();
  const words = all.reminders;
  return (
    <>
      <div data-list>
        <List
          label={words.sent}
          rows={rows}
          empty={<p>{words.none_sent}</p>}
          columns={[
            {
              head: words.customer,
              fold: "lead",
              cell: ({ id, customer_id }) => (
                <a href={`${REMINDERS}/${id}`}>{names.get(customer_id) ?? "–"}</a>
              ),
            },
            { head: words.date, cell: ({ date }) => <Day day={date} /> },
            { head: words.level, cell: ({ level }) => words.nth(level) },
            {
              head: words.number,
              fold: "none",
              cell: ({ number }) => number ?? <span class="quiet">{words.no_number}</span>,
            },
            {
              head: words.state,
              cell: ({ status }) =>
                status === "issued" ? (
                  <Pill kind="ok">{words.issued}</Pill>
                ) : (
                  <Pill kind="bad">{words.cancelled}</Pill>
                ),
            },
            {
              head: words.total,
              kind: "number",
              fold: "end",
              cell: ({ total, currency }) => (
                <Amount value={total} currency={currency} functional={functional} />
              ),
            },
          ]}
        />
      </div>
      <Older address={address} cursor={next_cursor} text={all.older} />
    </>
  );
}
