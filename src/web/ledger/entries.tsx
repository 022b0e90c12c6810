/** The journal as a page: the newest entry first, filtered by account, days, kind, text and amount, which stand in the address. */
import type { CalendarDate } from "../../domain/base/calendar.ts";
import {
  entryKinds,
  type JournalFilter,
  type JournalRow,
  listJournal,
} from "../../features/ledger/reports/list-journal.ts";
import { wholeChart } from "../../features/ledger/reports/queries.ts";
import { TypedAmounts } from "../../features/overview/search/read-number.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import type { Fields } from "../../platform/http/form.ts";
import { todayFor } from "../frame/day-asked.ts";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { NO_FAULTS } from "../frame/submitted.ts";
import { DayEntry } from "../parts/day-entry.tsx";
import { amountOf } from "../parts/format.ts";
import { List, Older, searchIn } from "../parts/list.tsx";
import { Day } from "../parts/values.tsx";
import { firstDayIn, lastDayIn } from "./ledger-range.ts";
import { booksElsewhere, LEDGER, LedgerTabs, otherBooks } from "./ledger-tabs.tsx";

const PATH = `${LEDGER}/entries` as const;
const ENTRIES_A_PAGE = 50;

export const entriesPages: readonly WebPage[] = [definePage(`GET ${PATH}`, "hidden", show)];

/** The filters in the address, as they were typed; those that cannot be read are left out. */
interface TypedFilters {
  readonly account?: string;
  readonly from?: string;
  readonly to?: string;
  readonly kind?: string;
  readonly q?: string;
  readonly amount?: string;
}

async function show(request: PageRequest): Promise<PageAnswer> {
  const { cx, query, reader } = request;
  const { words: all } = reader;
  const words = all.ledger;
  const elsewhere = otherBooks(cx);
  if (elsewhere !== null) return booksElsewhere(request, "entries", words.tabs.entries, elsewhere);
  const { functional_currency: currency } = await getConfiguration(cx);
  const { typed, filter } = filtersIn(query, currency, todayFor(request));
  const [chart, found] = await Promise.all([
    wholeChart(cx, false),
    listJournal(cx, filter, { limit: ENTRIES_A_PAGE, cursor: query.cursor }),
  ]);
  const is_filtered = Object.keys(typed).length > 0;
  const names = new Map(chart.map(({ number, name }) => [number, name]));
  const content = (
    <>
      <LedgerTabs at="entries" elsewhere={null} />
      <Filters typed={typed} accounts={names} today={todayFor(request)} />
      <div data-list>
        <Journal
          rows={found.rows}
          currency={currency}
          names={names}
          empty={is_filtered ? words.no_entries_found : words.no_entries}
        />
      </div>
      <Older
        address={`${PATH}?${new URLSearchParams({ ...typed })}`}
        cursor={found.next_cursor}
        text={all.older}
      />
    </>
  );
  return { title: words.tabs.entries, lead: words.entries_lead(currency), content };
}

/** Reads the filters of an address. An amount may be typed in either notation; no entry has one that cannot be read. */
function filtersIn(
  query: Fields,
  currency: string,
  today: CalendarDate,
): { readonly typed: TypedFilters; readonly filter: JournalFilter } {
  const q = searchIn(query);
  const account = /^\d{1,8}$/.test(query.account ?? "") ? query.account : undefined;
  const [from, to] = [firstDayIn(query.from, today), lastDayIn(query.to, today)];
  const kind = entryKinds.find((one) => one === query.kind);
  const amount = query.amount?.trim().slice(0, 30) || undefined;
  const read =
    amount === undefined ? undefined : new TypedAmounts(amount.replace(/^[-\u2212]/, ""));
  return {
    typed: {
      ...(account && { account }),
      ...(from && { from }),
      ...(to && { to }),
      ...(kind && { kind }),
      ...(q && { q }),
      ...(amount && { amount }),
    },
    filter: {
      ...(account && { account: Number(account) }),
      ...(from && { from }),
      ...(to && { to }),
      ...(kind && { kind }),
      ...(q && { text: q }),
      ...(read && { amounts: read.minor.filter((one) => read.means(one, currency)) }),
    },
  };
}

function Filters(props: {
  typed: TypedFilters;
  accounts: ReadonlyMap<number, string>;
  today: string;
}) {
  const { typed, accounts, today } = props;
  const { words: all } = useReader();
  const words = all.ledger;
  const field = (name: keyof TypedFilters, type: "search" | "text", label: string) => (
    <label class="field">
      <span>{label}</span>
      <input
        class="input"
        type={type as "text"}
        name={name}
        value={typed[name] ?? ""}
        maxLength={200}
      />
    </label>
  );
  return (
    <search>
      <form method="get" action={PATH} class="filters">
        {field("q", "search", words.text)}
        <label class="field">
          <span>{words.account}</span>
          <select class="input" name="account">
            <option value="">{words.any}</option>
            {[...accounts].map(([number, name]) => (
              <option key={number} value={number} selected={typed.account === `${number}`}>
                {`${number} ${name}`}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{words.kind}</span>
          <select class="input" name="kind">
            <option value="">{words.any}</option>
            {entryKinds.map((kind) => (
              <option key={kind} value={kind} selected={typed.kind === kind}>
                {words.kinds[kind]}
              </option>
            ))}
          </select>
        </label>
        {(["from", "to"] as const).map((name) => (
          <DayEntry
            key={name}
            name={name}
            label={words[name]}
            value={typed[name] ?? ""}
            today={today}
            empty={all.days.any}
            faults={NO_FAULTS}
          />
        ))}
        {field("amount", "text", words.amount)}
        <button type="submit" class="button">
          {all.invoices.filter}
        </button>
        {Object.keys(typed).length > 0 && (
          <a class="button bare" href={PATH}>
            {all.invoices.all}
          </a>
        )}
      </form>
    </search>
  );
}

function Journal(props: {
  rows: readonly JournalRow[];
  currency: string;
  names: ReadonlyMap<number, string>;
  empty: string;
}) {
  const { rows, currency, names, empty } = props;
  const { words: all, language } = useReader();
  const words = all.ledger;
  return (
    <List
      label={words.tabs.entries}
      rows={rows}
      empty={<p>{empty}</p>}
      columns={[
        {
          head: words.document,
          fold: "lead",
          cell: ({ guid, kind, number }) => (
            <a href={`${PATH}/${guid}`}>{words.document_of[kind](`${number}`)}</a>
          ),
        },
        { head: words.entry_no, kind: "number", cell: ({ entry_no }) => `${entry_no}` },
        { head: words.day, cell: ({ entry_date }) => <Day day={entry_date} /> },
        {
          head: words.customer,
          cell: ({ customer, is_reversal }) => (
            <>
              {customer ?? "–"}
              {is_reversal && <small class="quiet"> {words.reversal}</small>}
            </>
          ),
        },
        {
          head: words.postings,
          fold: "none",
          cell: ({ postings }) => (
            <ul class="postings">
              {postings.map(({ account_number, amount }, at) => (
                <li key={at}>
                  <span title={names.get(account_number)}>{account_number}</span>
                  <span class="num">{amountOf(language, BigInt(amount), currency)}</span>
                </li>
              ))}
            </ul>
          ),
        },
        {
          head: words.amount,
          kind: "number",
          fold: "end",
          cell: ({ amount }) => amountOf(language, amount, currency),
        },
      ]}
    />
  );
}
