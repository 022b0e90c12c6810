/** The tab of a customer with what is open of them: balances, open items, and the latest changes with the balance after each. */
import type { Money } from "../../domain/base/money.ts";
import { Problem } from "../../domain/base/problem.ts";
import type { CustomerRow } from "../../features/catalogue/customers/present.ts";
import type { ItemOnDay } from "../../features/receivables/open-items/find-open.ts";
import { daysOverdue } from "../../features/receivables/open-items/list-items.ts";
import { isPaidInLedger } from "../../features/receivables/open-items/require-begun.ts";
import { readAccount } from "../../features/receivables/statements/read-account.ts";
import { ledgerTitle } from "../../platform/commands/connected-ledger.ts";
import type { PageRequest } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { ConfirmLink } from "../parts/confirm-link.tsx";
import { Card } from "../parts/facts.tsx";
import { amountOf } from "../parts/format.ts";
import { List, Older } from "../parts/list.tsx";
import { Day, Pill } from "../parts/values.tsx";
import { CurrencyBalances } from "./currency-balances.tsx";
import { InLedger } from "./in-ledger.tsx";
import { whyUnknown } from "./not-begun.tsx";
import { statementAt } from "./statement.tsx";
import { StatementLines } from "./statement-lines.tsx";
import { useAt } from "./use-credit.tsx";

const MOST_ITEMS = 50;
const MOST_CHANGES = 10;

/** Shows the account of a customer; `at` is the address of the tab. */
export async function accountTab(request: PageRequest, customer: CustomerRow, at: string) {
  const { cx, query, reader } = request;
  const { words: all } = reader;
  const page = { limit: MOST_ITEMS, cursor: query.cursor };
  await request.takeHeavyPlace();
  const account = await readAccount(cx, customer, page).catch((thrown) => {
    if (thrown instanceof Problem && thrown.code === "RECEIVABLES_NOT_BEGUN") return null;
    throw thrown;
  });
  if (account === null) return whyUnknown(cx);
  const { day, is_known, balances, items, own_ids, next_cursor, statement } = account;
  const is_elsewhere = isPaidInLedger(cx);
  return (
    <div class="receivables">
      {is_elsewhere && (
        <InLedger
          ledger={ledgerTitle(cx.ledger)}
          reported={account.reported}
          has_own={own_ids.size > 0}
        />
      )}
      <p class="buttons">
        {account.has_payable && (
          <a class="button main" href={`/payments/new?customer=${customer.id}`}>
            {all.payments.record_action}
          </a>
        )}
        {statement !== null && (
          <a class="button" href={statementAt(customer.id)}>
            {all.statement.open}
          </a>
        )}
        {balances.length > 0 && (
          <a class="button" href={`/reminders?customer=${customer.id}`}>
            {all.reminders.remind}
          </a>
        )}
      </p>
      {balances.length > 0 && (
        <CurrencyBalances label={all.statement.account.balances} rows={balances} />
      )}
      <Items items={items} day={day} own_ids={own_ids} is_known={is_known} />
      <Older address={at} cursor={next_cursor} text={all.older} />
      {statement !== null && (
        <Card
          title={all.statement.account.latest}
          id="latest"
          hint={all.statement.account.latest_in(statement.currency)}
        >
          {statement.lines.length === 0 ? (
            <p class="pad soft">{all.statement.account.unchanged}</p>
          ) : (
            <StatementLines statement={statement} most={MOST_CHANGES} />
          )}
        </Card>
      )}
    </div>
  );
}

/** The pages of the documents behind items. */
const PAGES: Partial<Record<ItemOnDay["kind"], string>> = {
  invoice: "/invoices",
  credit_note: "/credit-notes",
  payment: "/payments",
  reminder: "/reminders",
};

/** Lists the open items, the newest first. */
function Items(props: {
  items: readonly ItemOnDay[];
  day: Parameters<typeof daysOverdue>[1];
  own_ids: ReadonlySet<string>;
  is_known: boolean;
}) {
  const { items, day, own_ids, is_known } = props;
  const { words: all, language } = useReader();
  const words = all.statement.account;
  const money = ({ is_credit, currency }: ItemOnDay, amount: Money) =>
    amountOf(language, is_credit ? -amount : amount, currency);
  const nameOf = ({ kind, number }: ItemOnDay) => all.payments.items[kind](number);
  return (
    <Card title={words.items} id="items">
      <List
        label={words.items}
        rows={items}
        empty={<p class="soft">{is_known ? words.none : all.receivables.unknown}</p>}
        columns={[
          {
            head: words.item,
            fold: "lead",
            cell: (item) => {
              const folder = PAGES[item.kind];
              if (folder === undefined) return nameOf(item);
              return <a href={`${folder}/${item.id}`}>{nameOf(item)}</a>;
            },
          },
          { head: all.statement.date, cell: ({ date }) => <Day day={date} /> },
          {
            head: all.statement.due,
            cell: (item) => {
              const days = daysOverdue(item, day);
              if (days > 0) return <Pill kind="warn">{words.late(days)}</Pill>;
              return item.is_credit ? "" : <Day day={item.due_date} />;
            },
          },
          {
            head: "",
            cell: (item) => own_ids.has(item.id) && <ItemLinks item={item} name={nameOf(item)} />,
          },
          {
            head: words.amount,
            kind: "number",
            fold: "none",
            cell: (item) => money(item, item.amount),
          },
          {
            head: words.open,
            kind: "number",
            fold: "end",
            cell: (item) => (
              <span class="num">
                <span class="quiet">{`${item.currency} `}</span>
                {money(item, item.open)}
              </span>
            ),
          },
        ]}
      />
    </Card>
  );
}

/** The links that apply a credit to what is owed, pay it back, and take back an opening item to which nothing is applied. */
function ItemLinks({ item, name }: { item: ItemOnDay; name: string }) {
  const { use_credit, payments } = useReader().words;
  const { kind, id, is_credit, open, amount } = item;
  return (
    <span class="row">
      {is_credit && (
        <>
          <a class="button small" href={useAt(item)} aria-label={`${use_credit.open} ${name}`}>
            {use_credit.open}
          </a>
          <a
            class="button small"
            href={`/payments/new?${kind}=${id}`}
            aria-label={`${payments.pay_back} ${name}`}
          >
            {payments.pay_back}
          </a>
        </>
      )}
      {kind === "opening" && open === amount && (
        <ConfirmLink
          class="button small"
          href={`/opening-items/${id}/take-back`}
          label={payments.take_back_of(name)}
        >
          {payments.take_back}
        </ConfirmLink>
      )}
    </span>
  );
}
