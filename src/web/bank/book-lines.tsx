/** Books chosen bank lines: a confirmation that shows each with its entries, as the command would book them, and the booking. */

import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import { Form } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { type PageReader, useReader } from "../frame/reader.ts";
import { isId } from "../frame/reference.ts";
import { moneyOf } from "../parts/format.ts";
import { List } from "../parts/list.tsx";
import { Day } from "../parts/values.tsx";
import { accountNames } from "../payments/entry-table.tsx";
import { BANK, BOOK_LINES, lineAddress } from "./bank-addresses.ts";
import { BecomesShown } from "./becomes.tsx";
import { type BookAhead, bookDryRun, bookingAsShown, MOST_BOOKED } from "./book-dry-run.ts";
import { LineEntry } from "./line-entry.tsx";
import { LineText } from "./lines-tab.tsx";
import { bookText, lineWords, useLineWords } from "./lines-words.ts";

export const bookLinesPages: readonly WebPage[] = [
  definePage(`GET ${BOOK_LINES}`, "hidden", confirmation),
  definePage(`POST ${BOOK_LINES}`, "hidden", book),
];

/** Returns the fields of lines: the id of each, and what is sent with it. */
function linesIn(fields: PageRequest["query"]): readonly (readonly [string, string])[] {
  return Object.entries(fields)
    .flatMap(([id, value = ""]) => (isId(id) ? [[id, value] as const] : []))
    .slice(0, MOST_BOOKED);
}

async function confirmation(request: PageRequest): Promise<PageAnswer> {
  const { cx, query, reader, csrf, runLong } = request;
  const chosen = linesIn(query).map(([id, key]) => ({ id, key }));
  const ahead = chosen.length === 0 ? [] : await runLong(bookDryRun, chosen);
  if (ahead.length === 0) return { redirect: BANK };
  const [{ functional_currency }, names] = await Promise.all([
    getConfiguration(cx),
    accountNames(cx),
  ]);
  const words = lineWords(reader.language);
  const ready = ahead.filter(({ refused }) => refused === null);
  const content = (
    <div class="stack" data-list>
      <Lines ahead={ahead} currency={functional_currency} accounts={names} />
      {ready.length < ahead.length && <p class="quiet">{words.not_booked}</p>}
      <div class="buttons">
        <a class="button" href={BANK}>
          {words.not_yet}
        </a>
        {ready.length > 0 && (
          <Form action={BOOK_LINES} csrf={csrf(BOOK_LINES)}>
            {ready.map(({ line, becomes, token }) => (
              <input type="hidden" name={line.id} value={`${becomes?.key ?? ""}.${token}`} />
            ))}
            <button type="submit" class="button main" data-go>
              {bookText(reader.language, ready.length, sumOf(reader, ready))}
            </button>
          </Form>
        )}
      </div>
    </div>
  );
  return { title: words.book_title(ahead.length), content };
}

/** Returns the sum of lines in each currency. */
function sumOf({ language }: PageReader, ready: readonly BookAhead[]): string {
  const sums = new Map<string, bigint>();
  for (const { line } of ready) {
    sums.set(line.currency, (sums.get(line.currency) ?? 0n) + line.amount);
  }
  return [...sums].map(([currency, sum]) => moneyOf(language, sum, currency)).join(" + ");
}

function Lines(props: {
  ahead: readonly BookAhead[];
  currency: string;
  accounts: ReadonlyMap<number, string>;
}) {
  const { ahead, ...books } = props;
  const { language } = useReader();
  const words = useLineWords();
  return (
    <List
      label={words.would_be}
      rows={ahead}
      empty={null}
      columns={[
        { head: words.day, cell: ({ line }) => <Day day={line.date} /> },
        {
          head: words.line,
          cell: ({ line }) => (
            <a class="bank-line" href={lineAddress(line.id)}>
              <LineText line={line} />
            </a>
          ),
        },
        {
          head: words.amount,
          kind: "number",
          cell: ({ line }) => moneyOf(language, line.amount, line.currency),
        },
        { head: words.becomes, cell: (one) => <Ahead ahead={one} {...books} /> },
      ]}
    />
  );
}

function Ahead(props: {
  ahead: BookAhead;
  currency: string;
  accounts: ReadonlyMap<number, string>;
}) {
  const { ahead, ...books } = props;
  const { words: all } = useReader();
  const words = useLineWords();
  const { becomes, refused, entries } = ahead;
  return (
    <>
      {becomes !== null && <BecomesShown becomes={becomes} />}
      {refused !== null && (
        <span class="fault bank-why">{refused === "gone" ? words.gone : all.refused(refused)}</span>
      )}
      {entries.length > 0 && (
        <details>
          <summary class="small">{words.entries(entries.length)}</summary>
          {entries.map((entry) => (
            <LineEntry entry={entry} {...books} />
          ))}
        </details>
      )}
    </>
  );
}

async function book(request: PageRequest): Promise<PageAnswer> {
  const { form, runLong } = request;
  const confirmed = linesIn(form).flatMap(([id, value]) => {
    const [key, token] = value.split(".");
    return key && token ? [{ id, key, token }] : [];
  });
  if (confirmed.length === 0) return { redirect: BANK };
  const booked = new Set(await runLong(bookingAsShown, confirmed));
  const left = confirmed.filter(({ id }) => !booked.has(id));
  if (left.length === 0) {
    return { redirect: BANK, notice: { done: "bank_lines_booked", of: `${booked.size}` } };
  }
  const query = left.map(({ id, key }) => `${id}=${key}`).join("&");
  const of = `${booked.size}/${confirmed.length}`;
  return { redirect: `${BOOK_LINES}?${query}`, notice: { done: "bank_lines_booked_partly", of } };
}
