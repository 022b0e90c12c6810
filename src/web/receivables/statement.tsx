/**
 * The statement of account of a customer: any period in one currency, as a page and as PDF. What is sent is kept as it was. It books
 * nothing.
 */
import type * as z from "zod";
import { calendarDate } from "../../domain/base/calendar.ts";
import type { StatementSnapshot } from "../../domain/receivables/statement-snapshot.ts";
import type { CustomerRow } from "../../features/catalogue/customers/present.ts";
import { getCustomer } from "../../features/catalogue/customers/queries.ts";
import { letterPdf } from "../../features/documents/issued/store-letter.ts";
import { createStatement } from "../../features/receivables/statements/create.ts";
import { listStatements } from "../../features/receivables/statements/queries.ts";
import {
  readStatementOf,
  type StatementAsked,
  statementPreview,
} from "../../features/receivables/statements/read-account.ts";
import {
  StatementBody,
  type StatementQuery,
  type StatementRow,
} from "../../features/receivables/statements/schemas.ts";
import { run } from "../../platform/commands/command.ts";
import { ledgerTitle } from "../../platform/commands/connected-ledger.ts";
import { pageFrom } from "../../platform/database/page.ts";
import { fileReply } from "../../platform/http/answer.ts";
import type { Fields } from "../../platform/http/form.ts";
import { dayAsked, todayFor } from "../frame/day-asked.ts";
import { definePageFile } from "../frame/define-file.ts";
import { Form, Moment, Submit } from "../frame/form.tsx";
import { defineLongWork } from "../frame/long-work.ts";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { type Faults, refusedBy, submitted } from "../frame/submitted.ts";
import { Chip } from "../parts/chip.tsx";
import { DayEntry } from "../parts/day-entry.tsx";
import { Entry, FormFaults } from "../parts/entry.tsx";
import { Card } from "../parts/facts.tsx";
import { amountOf, amountOfNumber, dayOf, moneyOf } from "../parts/format.ts";
import { List } from "../parts/list.tsx";
import { type Refusal, refusalOf } from "../words/refusal.ts";
import { AGES } from "./balance-columns.tsx";
import { InLedger } from "./in-ledger.tsx";
import { StatementLines } from "./statement-lines.tsx";

export const STATEMENT_PDF = "pages.statement_pdf";
const MOST_LINES = 250;
const MOST_KEPT = 20;
const FIELDS = ["address"];

/** Returns the address of a customer's statement. */
export function statementAt(customer_id: string): `/${string}` {
  return `/customers/${customer_id}/statement`;
}

export const sendingStatement = defineLongWork({
  name: "pages.send_statement",
  is_read: false,
  work: (cx, sent: z.output<typeof StatementBody> & { readonly ref: string }) =>
    run(createStatement, cx, sent),
});

export const statementPages: readonly WebPage[] = [
  definePage("GET /customers/:id/statement", "hidden", (request) => show(request, new Map(), 200)),
  definePage("POST /customers/:id/statement", "hidden", send),
  {
    ...definePageFile("/customers/:id/statement/pdf", STATEMENT_PDF, statementPreview, previewOf),
    access: "hidden",
  },
  { ...definePage("GET /statements/:id/pdf", "hidden", kept), is_heavy: true },
];

/** The fields of the period as they were typed, and the faults of days that cannot be read. */
interface Period {
  readonly asked: StatementQuery;
  readonly faults: ReadonlyMap<string, Refusal>;
}

function periodIn(request: PageRequest, fields: Fields): Period {
  const faults = new Map<string, Refusal>();
  const days = (["from", "to"] as const).flatMap((name) => {
    if (!fields[name]?.trim()) return [];
    const day = calendarDate(dayAsked(request, fields[name]));
    if (day === undefined) faults.set(name, { code: "invalid_format", message: "Is not a date." });
    return day === undefined ? [] : [[name, day] as const];
  });
  const currency = /^[A-Z]{3}$/.test(fields.currency ?? "") ? fields.currency : undefined;
  return { asked: { currency, ...Object.fromEntries(days) }, faults };
}

/** Returns the query of the PDF; leads to the page where the period cannot be read. */
function previewOf(request: PageRequest): StatementAsked | { readonly back: string } {
  const { asked, faults } = periodIn(request, request.query);
  return faults.size > 0 ? { back: statementAt(request.id) } : { ref: request.id, ...asked };
}

/** Returns the PDF of a statement that was kept. */
async function kept({ cx, id }: PageRequest): Promise<PageAnswer> {
  return {
    file: {
      operation: "statements.get_pdf",
      params: { id },
      query: {},
      lane: "computation",
      make: async () => fileReply(200, await letterPdf(cx, "statement", id)),
    },
  };
}

async function send(request: PageRequest): Promise<PageAnswer> {
  const { id, form, runLong } = request;
  const { asked } = periodIn(request, form);
  const { id: ref } = await getCustomer(request.cx, id);
  const address = form.address?.trim();
  const outcome = await submitted(StatementBody, { ...asked, address }, FIELDS, {}, (sent) =>
    runLong(sendingStatement, { ...sent, ref }),
  );
  if ("faults" in outcome) return show(request, outcome.faults, outcome.status);
  const { send_error, ...made } = JSON.parse(outcome.done);
  const done = send_error === null ? "statement_sent" : "statement_not_sent";
  return {
    redirect: `${statementAt(ref)}?${queryOf(made)}`,
    notice: { done, of: address ?? "" },
  };
}

function queryOf({
  from,
  to,
  currency,
}: Pick<StatementSnapshot, "from" | "to" | "currency">): URLSearchParams {
  return new URLSearchParams({ from, to, currency });
}

/** Shows the statement that the address, or a refused form, asks for. */
async function show(request: PageRequest, refused: Faults, status: number): Promise<PageAnswer> {
  const { cx, reader, form, query, id } = request;
  const customer = await getCustomer(cx, id);
  const { words: all, language } = reader;
  const words = all.statement;
  const title = words.title(customer.name);
  const fields = form.from === undefined ? query : form;
  const period = periodIn(request, fields);
  await request.takeHeavyPlace();
  const read = await attempted(request, customer, period);
  if ("refusal" in read) {
    const faults: Faults = new Map([...period.faults, ...read.refusal, ...refused]);
    const content = (
      <div class="receivables">
        <FormFaults faults={faults} words={all.see_fields} />
        <PeriodForm request={request} typed={fields} currencies={[]} faults={faults} />
      </div>
    );
    return { title, content, status: faults.has("") ? 409 : 422 };
  }
  const { statement, currencies, reported } = read;
  const { from, to, currency, closing_balance: balance } = statement;
  const is_held = balance < 0n;
  const money = moneyOf(language, is_held ? -balance : balance, currency);
  const lead = words.lead(dayOf(language, from), dayOf(language, to), money, is_held);
  const shown = queryOf(statement);
  const typed = Object.fromEntries(shown);
  const content = (
    <div class="receivables">
      {reported !== null && (
        // What was not reported is in a statement, as open.
        <InLedger ledger={ledgerTitle(cx.ledger)} reported={{ ...reported, unreported: 0 }} />
      )}
      <FormFaults faults={refused} words={all.see_fields} />
      <PeriodForm request={request} typed={typed} currencies={currencies} faults={refused} />
      {statement.lines.length > MOST_LINES && <p class="soft">{words.more(MOST_LINES)}</p>}
      <StatementLines statement={statement} most={MOST_LINES} />
      <Ages statement={statement} />
      <Sending request={request} customer={customer} statement={statement} faults={refused} />
      <Earlier rows={await keptOf(request, customer.id)} />
    </div>
  );
  const actions = (
    <a class="button" href={`${statementAt(customer.id)}/pdf?${shown}`} data-no-prefetch>
      {words.pdf}
    </a>
  );
  return { title, lead, content, actions, status };
}

/** Reads the statement; returns the refusal by field where there is none. */
async function attempted({ cx }: PageRequest, customer: CustomerRow, { asked, faults }: Period) {
  if (faults.size > 0) return { refusal: faults };
  try {
    return await readStatementOf(cx, customer, asked);
  } catch (thrown) {
    const problem = refusedBy(thrown);
    const errors = problem.extras.field_errors?.map((error) => [error.field, error] as const);
    return { refusal: new Map<string, Refusal>(errors ?? [["", refusalOf(problem)]]) };
  }
}

function PeriodForm(props: {
  request: PageRequest;
  typed: Fields;
  currencies: readonly string[];
  faults: Faults;
}) {
  const { request, typed, currencies, faults } = props;
  const words = request.reader.words.statement;
  const today = todayFor(request);
  const day = (name: "from" | "to") => (
    <DayEntry
      name={name}
      label={words[name]}
      value={typed[name] ?? ""}
      today={today}
      faults={faults}
    />
  );
  return (
    <search>
      <form method="get" action={statementAt(request.id)} class="filters">
        {day("from")}
        {day("to")}
        {currencies.length > 1 && (
          <Chip
            name="currency"
            label={words.currency}
            chosen={typed.currency}
            options={currencies.map((value) => ({ value, text: value }))}
          />
        )}
        <button type="submit" class="button">
          {words.show}
        </button>
      </form>
    </search>
  );
}

/** Shows what is open on the last day by age, and what is held for the customer. */
function Ages({ statement }: { statement: StatementSnapshot }) {
  const { words: all, language } = useReader();
  const { aging, unapplied, currency, to } = statement;
  const shown = [
    ...AGES.map((age) => [all.receivables.ages[age], aging[age], age !== "not_due"] as const),
    [all.receivables.held, -unapplied, false] as const,
  ];
  return (
    <dl class="card ages" aria-label={all.statement.aging(dayOf(language, to))}>
      {shown.map(([label, amount, is_late]) => (
        <div>
          <dt>{label}</dt>
          <dd class={is_late && amount !== 0n ? "ember" : ""}>
            {amountOf(language, amount, currency)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Sending(props: {
  request: PageRequest;
  customer: CustomerRow;
  statement: StatementSnapshot;
  faults: Faults;
}) {
  const { request, customer, statement, faults } = props;
  const words = request.reader.words.statement;
  const action = statementAt(customer.id);
  return (
    <Card title={words.send} id="send">
      <div class="pad">
        <p class="soft">{words.send_text}</p>
        <Form action={action} csrf={request.csrf(action)}>
          {[...queryOf(statement)].map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <Entry
            name="address"
            label={words.address}
            type="email"
            value={request.form.address ?? customer.email ?? ""}
            faults={faults}
            is_required
          />
          <Submit text={words.send_now} is_secondary />
        </Form>
      </div>
    </Card>
  );
}

type KeptStatement = z.output<typeof StatementRow>;

async function keptOf({ cx }: PageRequest, customer_id: string) {
  const page = { limit: MOST_KEPT, cursor: undefined };
  return pageFrom<KeptStatement>(await listStatements(cx, customer_id, page)).data;
}

/** Shows the statements that were sent before, each with its PDF. */
function Earlier({ rows }: { rows: readonly KeptStatement[] }) {
  const { words: all, language } = useReader();
  const words = all.statement;
  return (
    <Card title={words.kept} id="kept">
      <List
        label={words.kept}
        rows={rows}
        empty={<p class="soft">{words.none_kept}</p>}
        columns={[
          {
            head: words.period,
            fold: "lead",
            cell: ({ id, from, to }) => (
              <a
                href={`/statements/${id}/pdf`}
                data-no-prefetch
                aria-label={words.a_pdf(dayOf(language, to))}
              >
                {words.period_of(dayOf(language, from), dayOf(language, to))}
              </a>
            ),
          },
          { head: words.made, cell: ({ created_at }) => <Moment at={created_at} /> },
          {
            head: words.balance,
            kind: "number",
            fold: "end",
            cell: ({ closing_balance, currency }) => (
              <span class="num">
                <span class="quiet">{`${currency} `}</span>
                {amountOfNumber(language, closing_balance, currency)}
              </span>
            ),
          },
        ]}
      />
    </Card>
  );
}
