/** The lists of bank lines: the open ones with what they would become, the booked ones, and those that are left out. */
import type { BankAccount } from "../../domain/receivables/bank-account.ts";
import {
  type BankLineRow,
  type LinePaymentRow,
  pageOfBankLines,
  paymentsOfLines,
} from "../../features/receivables/bank-lines/queries.ts";
import { isPaidInLedger } from "../../features/receivables/open-items/require-begun.ts";
import type { PageRequest } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { ConfirmLink } from "../parts/confirm-link.tsx";
import { moneyOf } from "../parts/format.ts";
import { type Column, List, Older, Searched, searchIn } from "../parts/list.tsx";
import { Day } from "../parts/values.tsx";
import type { Language } from "../words/words.ts";
import { BANK, BOOK_LINES, lineAddress } from "./bank-addresses.ts";
import { BecomesShown } from "./becomes.tsx";
import { MOST_BOOKED } from "./book-dry-run.ts";
import { bookText, lineWords, useLineWords } from "./lines-words.ts";
import { type Becomes, suggestLines } from "./suggest-lines.ts";

type LineState = BankLineRow["state"];

/** A line of the list, with its suggestions where it is open. */
interface ListedLine extends BankLineRow {
  readonly becomes: readonly Becomes[];
}

/** Returns the list of lines in a state. `address` is the address of the list. */
export async function linesTab(
  request: PageRequest,
  state: LineState,
  accounts: readonly BankAccount[],
  address: string,
) {
  const { cx, query, reader } = request;
  const { words: all, language } = reader;
  const words = lineWords(language);
  const search = searchIn(query);
  const asked = {
    ...{ limit: MOST_BOOKED, cursor: query.cursor, state },
    ...(search && { search }),
  };
  const { rows, next_cursor } = await pageOfBankLines(cx, asked);
  const [lines, payments] = await Promise.all([
    withSuggestions(request, rows),
    paymentsOfLines(cx, rows),
  ]);
  const names = accounts.length > 1 ? new Map(accounts.map(({ id, name }) => [id, name])) : null;
  const columns = [
    ...(state === "open" ? [boxColumn(language, all.lists.all)] : []),
    ...lineColumns(language, names),
    lastColumn(language, state, payments),
  ];
  const list = (
    <>
      <List
        label={words.tabs[state]}
        rows={lines}
        empty={<p>{search === undefined ? words.none[state] : words.none_found}</p>}
        columns={columns}
      />
      <Older address={searchedAt(address, search)} cursor={next_cursor} text={all.older} />
    </>
  );
  return (
    <>
      <Searched
        action={BANK}
        value={search ?? ""}
        label={words.search}
        {...(state === "open" ? {} : { tab: state })}
      />
      {state === "open" && lines.length > 0 ? (
        <form method="get" action={BOOK_LINES} data-list>
          {list}
          <BookButton lines={lines} />
          <p class="tiny quiet bank-keys">{words.keys}</p>
        </form>
      ) : (
        <div data-list>{list}</div>
      )}
    </>
  );
}

/** Returns the address of a list with its search. */
function searchedAt(address: string, search: string | undefined): string {
  if (search === undefined) return address;
  return `${address}${address.includes("?") ? "&" : "?"}${new URLSearchParams({ q: search })}`;
}

async function withSuggestions(
  { cx, runLong }: PageRequest,
  rows: readonly BankLineRow[],
): Promise<readonly ListedLine[]> {
  const open = rows.filter(({ state }) => state === "open");
  if (open.length === 0 || isPaidInLedger(cx)) return rows.map((row) => ({ ...row, becomes: [] }));
  const found = await runLong(
    suggestLines,
    open.map(({ id }) => id),
  );
  const of = new Map(found.map(({ id, becomes }) => [id, becomes]));
  return rows.map((row) => ({ ...row, becomes: of.get(row.id) ?? [] }));
}

/** What an exact suggestion is selected for: nothing else is selected at first. */
function isExact({ becomes }: ListedLine): boolean {
  return becomes[0]?.confidence === "exact";
}

function nameOf(language: Language, { amount, currency, counterparty_name, text }: BankLineRow) {
  return [moneyOf(language, amount, currency), counterparty_name ?? text]
    .filter(Boolean)
    .join(", ");
}

function boxColumn(language: Language, all: string): Column<ListedLine> {
  const words = lineWords(language);
  return {
    head: "",
    all,
    cell: (line) => {
      const [best] = line.becomes;
      if (best === undefined) return null;
      return (
        <input
          type="checkbox"
          name={line.id}
          value={best.key}
          checked={isExact(line)}
          aria-label={words.pick(nameOf(language, line))}
          data-minor={`${line.amount}`}
          data-currency={line.currency}
        />
      );
    },
  };
}

function lineColumns(
  language: Language,
  accounts: ReadonlyMap<string, string> | null,
): Column<ListedLine>[] {
  const words = lineWords(language);
  return [
    { head: words.day, cell: ({ date }) => <Day day={date} /> },
    {
      head: words.line,
      fold: "lead",
      cell: (line) => (
        <ConfirmLink href={lineAddress(line.id)} class="bank-line">
          <LineText line={line} />
        </ConfirmLink>
      ),
    },
    ...(accounts === null
      ? []
      : [
          {
            head: words.account,
            fold: "none",
            cell: ({ bank_account_id }) => accounts.get(bank_account_id) ?? "–",
          } as const satisfies Column<ListedLine>,
        ]),
    {
      head: words.amount,
      kind: "number",
      fold: "end",
      cell: ({ amount, currency }) => moneyOf(language, amount, currency),
    },
  ];
}

function lastColumn(
  language: Language,
  state: LineState,
  payments: ReadonlyMap<string, LinePaymentRow>,
): Column<ListedLine> {
  const words = lineWords(language);
  if (state === "ignored") {
    return { head: words.reason, cell: ({ ignored_reason }) => ignored_reason ?? "–" };
  }
  if (state === "open") return { head: words.becomes, cell: (line) => <Best line={line} /> };
  return {
    head: words.became,
    cell: ({ payment_id }) => <BookedAs payment={payments.get(payment_id ?? "")} />,
  };
}

function Best({ line: { becomes, amount } }: { line: ListedLine }) {
  const words = useLineWords();
  const [best, ...others] = becomes;
  if (best === undefined) {
    const said = amount < 0n ? words.money_out : `${words.no_suggestion} ${words.open_line}`;
    return <span class="quiet">{said}</span>;
  }
  return (
    <>
      <BecomesShown becomes={best} />
      {others.length > 0 && <span class="small quiet"> {words.others(others.length)}</span>}
    </>
  );
}

/** Shows the other party of a line and its text. */
export function LineText({ line: { counterparty_name, text } }: { line: BankLineRow }) {
  const words = useLineWords();
  return (
    <>
      {counterparty_name !== null && <span class="strong">{counterparty_name}</span>}
      <span class="small soft">{text || words.choose}</span>
    </>
  );
}

/** Shows the payment that a line was booked as. */
export function BookedAs({ payment }: { payment: LinePaymentRow | undefined }) {
  const words = useLineWords();
  if (payment === undefined) return <>–</>;
  return (
    <>
      <a class="link" href={`/customers/${payment.customer_id}`}>
        {payment.customer_name}
      </a>
      ,{" "}
      <a class="link" href={`/payments/${payment.id}`}>
        {words[payment.kind](`${payment.number}`)}
      </a>
    </>
  );
}

/** The one button: it names how many payments would be booked, and their sum. Scripts keep both up to date. */
function BookButton({ lines }: { lines: readonly ListedLine[] }) {
  const { language } = useReader();
  const words = useLineWords();
  if (!lines.some(({ becomes }) => becomes.length > 0)) return null;
  const exact = lines.filter(isExact);
  const sums = new Map<string, bigint>();
  for (const { amount, currency } of exact) {
    sums.set(currency, (sums.get(currency) ?? 0n) + amount);
  }
  const sum = [...sums].map(([currency, of]) => moneyOf(language, of, currency)).join(" + ");
  return (
    <div class="picked" data-picked>
      <button
        type="submit"
        class="button main"
        data-go
        data-one={words.book_one}
        data-many={words.book_many}
      >
        {exact.length === 0 ? words.book_selected : bookText(language, exact.length, sum)}
      </button>
    </div>
  );
}
