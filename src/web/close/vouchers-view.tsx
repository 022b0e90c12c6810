/** Shows what the close of a month would book: the vouchers by customer with their lines, the checklist and the balances. */
import type { ComponentChildren } from "preact";
import type { Month } from "../../domain/base/calendar.ts";
import { firstDayOf, lastDayOf } from "../../domain/base/calendar.ts";
import { curedFrom } from "../frame/cured-from.ts";
import { useReader } from "../frame/reader.ts";
import { ConfirmLink } from "../parts/confirm-link.tsx";
import { DebitCredit } from "../parts/debit-credit.tsx";
import { Card } from "../parts/facts.tsx";
import {
  amountOf,
  currencySign,
  dayInStyle,
  dayOf,
  monthOf,
  shortDecimal,
} from "../parts/format.ts";
import { List } from "../parts/list.tsx";
import { explainedAt } from "../revenue/revenue-address.ts";
import type { Language } from "../words/words.ts";
import type {
  BecomesShown,
  EntryShown,
  LineShown,
  MonthAheadShown,
  UnassignedShown,
  VoucherShown,
} from "./ahead-shown.ts";

/** Shows the vouchers of a month, with the lines that cause each. */
export function Vouchers({ ahead }: { ahead: MonthAheadShown }) {
  const { words: all, language } = useReader();
  const words = all.close;
  const { month, currency, with_voucher, vouchers, entries } = ahead;
  const day = dayInStyle(language, lastDayOf(month), "date");
  const sums = words.in_currency(currencySign(language, currency));
  return (
    <Card
      title={words.vouchers}
      id="vouchers"
      hint={with_voucher === 0 ? sums : `${words.dated(with_voucher, day)} · ${sums}`}
    >
      {with_voucher === 0 && <p class="pad soft">{words.no_vouchers}</p>}
      {vouchers.map((voucher) => (
        <Voucher key={voucher.customer_id} voucher={voucher} month={month} currency={currency} />
      ))}
      {with_voucher > vouchers.length && (
        <p class="pad soft">{words.more_vouchers(with_voucher - vouchers.length)}</p>
      )}
      {with_voucher > 0 && (
        <section class="voucher sum" aria-labelledby="sum">
          <h3 id="sum">{words.sum}</h3>
          <Entries entries={entries} currency={currency} label={words.sum} />
        </section>
      )}
      <Rest ahead={ahead} />
    </Card>
  );
}

/** States the customers without a voucher. */
function Rest({ ahead: { skipped, remaining } }: { ahead: MonthAheadShown }) {
  const words = useReader().words.close;
  if (skipped === 0 && remaining === 0) return null;
  return (
    <p class="pad tiny quiet">
      {remaining > 0 ? words.remaining(remaining) : words.skipped(skipped)}
    </p>
  );
}

function Voucher(props: { voucher: VoucherShown; month: Month; currency: string }) {
  const { voucher, month, currency } = props;
  const { customer_id, customer, entries, lines, more_lines } = voucher;
  return (
    <section class="voucher" aria-labelledby={`of-${customer_id}`}>
      <h3 id={`of-${customer_id}`}>
        <a class="link" href={`/customers/${customer_id}`}>
          {customer}
        </a>
      </h3>
      <Entries entries={entries} currency={currency} label={customer} />
      <WhyLines customer={customer} more={more_lines}>
        {lines.map((line) => (
          <Moved key={line.line_id} line={line} month={month} currency={currency} />
        ))}
      </WhyLines>
    </section>
  );
}

/** Shows the lines behind the voucher of a customer, folded, and how many more there are. */
export function WhyLines(props: { customer: string; more: number; children: ComponentChildren }) {
  const { customer, more, children } = props;
  const words = useReader().words.close;
  return (
    <details>
      <summary>
        {words.why}
        <span class="unseen"> {customer}</span>
      </summary>
      <ul class="moved">
        {children}
        {more > 0 && <li class="quiet">{words.more_lines(more)}</li>}
      </ul>
    </details>
  );
}

function Entries(props: { entries: readonly EntryShown[]; currency: string; label: string }) {
  const { entries, currency, label } = props;
  const words = useReader().words.close;
  const postings = entries.map(({ role, account_number, amount }) => ({
    account: `${account_number ?? words.no_account} ${words.roles[role]}`,
    amount: BigInt(amount),
  }));
  return <DebitCredit label={label} heads={words} postings={postings} currency={currency} />;
}

/** Shows what a voucher moves for a line, and why. */
function Moved({ line, month, currency }: { line: LineShown; month: Month; currency: string }) {
  const { words: all, language } = useReader();
  const words = all.close;
  const { text, method, since, moved } = line;
  const reasons = [
    ...(method === null ? [] : [all.draft.methods[method]]),
    ...progressOf(line, language, words),
    ...(since < month ? [words.since(dayInStyle(language, firstDayOf(since), "month_year"))] : []),
  ];
  const href = placeOf(line);
  const amount = amountOf(language, BigInt(moved), currency);
  return (
    <li>
      <span>
        {href === null ? (
          (text ?? words.removed)
        ) : (
          <a class="link" href={href}>
            {text ?? words.removed}
          </a>
        )}
        {reasons.length > 0 && <span class="quiet"> {reasons.join(", ")}</span>}
      </span>
      <a
        class="why num"
        href={explainedAt("", line.line_id, month)}
        aria-label={words.why_amount(text ?? words.removed, amount)}
      >
        {amount}
      </a>
    </li>
  );
}

function progressOf(
  { progress }: LineShown,
  language: Language,
  words: ReturnType<typeof useReader>["words"]["close"],
): string[] {
  if (progress === null) return [];
  const { unit, part, whole } = progress;
  if (unit !== "months" && unit !== "days" && unit !== "hours") return [];
  const shown = (decimal: string) => shortDecimal(language, decimal);
  return [words.through(shown(part), shown(whole), words.units[unit])];
}

/** Returns the page of a line: its invoice, or the period of its retainer; null for a removed line of neither. */
function placeOf(place: Pick<LineShown, "invoice_id" | "series_id" | "period">): string | null {
  const { invoice_id, series_id, period } = place;
  if (invoice_id !== null) return `/invoices/${invoice_id}`;
  return series_id === null ? null : `/retainers/${series_id}${period ? `/${period}` : ""}`;
}

/** Lists the lines whose revenue is assigned to no person; nothing where there is none. */
export function Unassigned(props: { lines: readonly UnassignedShown[]; month: Month }) {
  const { lines, month } = props;
  const { words: all, language } = useReader();
  const words = all.close;
  if (lines.length === 0) return null;
  return (
    <Card title={words.unassigned} id="unassigned">
      <p class="pad soft">{words.unassigned_text}</p>
      <List
        label={words.unassigned}
        rows={lines}
        empty={null}
        columns={[
          {
            head: words.line,
            fold: "lead",
            cell: (line) => {
              const href = placeOf(line);
              const text = line.text ?? words.removed;
              return href === null ? (
                text
              ) : (
                <a class="link" href={curedFrom(href, month)} data-no-prefetch>
                  {text}
                </a>
              );
            },
          },
          {
            head: words.customer,
            cell: ({ customer_id, customer }) => (
              <a class="link" href={curedFrom(`/customers/${customer_id}`, month)} data-no-prefetch>
                {customer}
              </a>
            ),
          },
          {
            head: words.who,
            cell: (line) => <Earner line={line} month={month} />,
          },
          {
            head: words.amount,
            kind: "number",
            fold: "end",
            cell: ({ amount: text, currency, line_id, text: name }) => {
              const amount = `${currency} ${amountOf(language, BigInt(text), currency)}`;
              return (
                <a
                  class="why num"
                  href={explainedAt("", line_id, month)}
                  aria-label={words.why_amount(name ?? words.removed, amount)}
                >
                  {amount}
                </a>
              );
            },
          },
        ]}
      />
    </Card>
  );
}

/** The link that chooses who earned a line; says why there is none for a line that stays as it is. */
function Earner({ line, month }: { line: UnassignedShown; month: Month }) {
  const words = useReader().words.close;
  const { line_id, invoice_id, text, is_open } = line;
  if (!is_open) return <span class="quiet">{words.stays}</span>;
  const of_line = { line: line_id, ...(invoice_id !== null && { invoice: invoice_id }) };
  return (
    <ConfirmLink
      class="button small"
      href={`/close/${month}/assign?${new URLSearchParams(of_line)}`}
      label={`${words.choose_people}: ${text}`}
    >
      {words.choose_people}
    </ConfirmLink>
  );
}

/** Shows the figures that the month ends with, and how the balances move. */
export function Becomes(props: { month: Month; currency: string; becomes: BecomesShown | null }) {
  const { month, currency, becomes } = props;
  const { words: all, language } = useReader();
  const words = all.close;
  const amount = (text: string) => amountOf(language, BigInt(text), currency);
  const moved = (now: string, before: string) => {
    const change = BigInt(now) - BigInt(before);
    return words.change(`${change > 0n ? "+" : ""}${amountOf(language, change, currency)}`);
  };
  return (
    <Card title={words.becomes(monthOf(language, month))} id="becomes">
      {becomes === null ? (
        <p class="pad soft">{words.no_rate}</p>
      ) : (
        <dl class="becomes pad">
          <dt>{words.earned}</dt>
          <dd>{amount(becomes.earned)}</dd>
          <dt>{words.invoiced}</dt>
          <dd>{amount(becomes.invoiced)}</dd>
          <dt>{words.asset}</dt>
          <dd>
            {amount(becomes.asset)}
            <small class="quiet">{moved(becomes.asset, becomes.asset_before)}</small>
          </dd>
          <dt>{words.liability}</dt>
          <dd>
            {amount(becomes.liability)}
            <small class="quiet">{moved(becomes.liability, becomes.liability_before)}</small>
          </dd>
        </dl>
      )}
    </Card>
  );
}

/** States what follows from the close of the month. */
export function AfterClose({ month }: { month: Month }) {
  const { words, language } = useReader();
  return (
    <Card title={words.close.after_close} id="after">
      <p class="pad soft">{words.close.after_text(dayOf(language, lastDayOf(month)))}</p>
    </Card>
  );
}
