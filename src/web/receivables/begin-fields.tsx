/** The choices of the beginning of receivables: the day, the account, and the documents that are still open. */
import type { OldDocument } from "../../features/receivables/opening-items/find-old.ts";
import { useReader } from "../frame/reader.ts";
import type { Faults } from "../frame/submitted.ts";
import { DayEntry } from "../parts/day-entry.tsx";
import { Entry } from "../parts/entry.tsx";
import { Card } from "../parts/facts.tsx";
import { amountOf, dayOf } from "../parts/format.ts";
import { List } from "../parts/list.tsx";
import { Select } from "../parts/select.tsx";
import { Day } from "../parts/values.tsx";
import { type BeginChoice, MOST_LISTED } from "./begin-choice.ts";

interface Account {
  readonly number: number;
  readonly name: string;
}

export function BeginFields(props: {
  action: string;
  choice: BeginChoice;
  faults: Faults;
  chart: readonly Account[];
}) {
  const { action, choice, faults, chart } = props;
  const { words: all } = useReader();
  const words = all.begin;
  const { typed, list } = choice;
  const today = choice.today;
  return (
    <form method="get" action={action} class="receivables">
      <input type="hidden" name="list" value={list} />
      <div class="card pad fields">
        <DayEntry
          name="date"
          label={words.date}
          hint={words.date_hint}
          value={typed.date}
          today={today}
          faults={faults}
          is_required
        />
        <Select
          name="account"
          label={words.account}
          value={typed.account}
          options={chart.map(({ number, name }) => [`${number}`, `${number} ${name}`] as const)}
          faults={faults}
        />
      </div>
      <WhichOpen is_all={typed.is_all} />
      <Documents choice={choice} />
      <div class="card pad fields">
        <DayEntry
          name="from"
          label={words.from}
          hint={words.from_hint}
          value={typed.from}
          today={today}
          faults={faults}
        />
        <Entry
          name="older"
          label={words.older}
          hint={words.older_hint}
          value={typed.older}
          most={2000}
          faults={faults}
        />
      </div>
      <p class="buttons">
        <button type="submit" class="button">
          {words.show}
        </button>
      </p>
    </form>
  );
}

/** Asks whether all documents are open, or those with a tick. */
function WhichOpen({ is_all }: { is_all: boolean }) {
  const words = useReader().words.begin;
  return (
    <div class="card pad">
      <fieldset>
        <legend class="strong">{words.which}</legend>
        <label class="choice">
          <input type="radio" name="open" value="some" checked={!is_all} />
          <span>{words.some}</span>
        </label>
        <label class="choice">
          <input type="radio" name="open" value="all" checked={is_all} />
          <span>{words.all}</span>
        </label>
      </fieldset>
    </div>
  );
}

/** Lists documents with a box each; a ticked one is still open. */
function Documents({ choice }: { choice: BeginChoice }) {
  const { words: all, language } = useReader();
  const words = all.begin;
  const { listed, ticked, has_more } = choice;
  const nameOf = ({ kind, number }: OldDocument) => words.document_of[kind](number);
  return (
    <Card title={words.documents} id="documents" hint={words.ticked(ticked.size, listed.length)}>
      {has_more && <p class="pad soft">{words.more(MOST_LISTED)}</p>}
      <List
        label={words.documents}
        rows={listed}
        empty={<p class="soft">{words.none}</p>}
        columns={[
          {
            head: words.open,
            cell: (row) => (
              <input
                type="checkbox"
                name={row.id}
                value="on"
                checked={ticked.has(row.id)}
                aria-label={words.is_open(nameOf(row), row.customer_name)}
              />
            ),
          },
          {
            head: words.document,
            fold: "lead",
            cell: (row) => (
              <a href={`/${row.kind === "invoice" ? "invoices" : "credit-notes"}/${row.id}`}>
                {nameOf(row)}
              </a>
            ),
          },
          { head: all.receivables.customer, cell: ({ customer_name }) => customer_name },
          {
            head: words.due,
            cell: ({ due_date, date }) =>
              due_date === null ? dayOf(language, date) : <Day day={due_date} />,
          },
          {
            head: words.amount,
            kind: "number",
            fold: "end",
            cell: ({ kind, open, currency }) => (
              <span class="num">
                <span class="quiet">{`${currency} `}</span>
                {amountOf(language, kind === "invoice" ? open : -open, currency)}
              </span>
            ),
          },
        ]}
      />
    </Card>
  );
}
