/** What the beginning of receivables would do: how many documents are settled, the one entry, and the button that does it. */
import type { Money } from "../../domain/base/money.ts";
import { Form, Submit } from "../frame/form.tsx";
import { useReader } from "../frame/reader.ts";
import { amountOf, dayOf, moneyOf } from "../parts/format.ts";
import { List } from "../parts/list.tsx";
import type { BeginPosting, BeginShown } from "./begin-dry-run.ts";

/** The customers whose postings are shown one by one; the others are one row. */
const MOST_CUSTOMERS = 30;

export function BeginEffect(props: {
  shown: BeginShown;
  currency: string;
  accounts: ReadonlyMap<number, string>;
  action: string;
  csrf: string;
}) {
  const { shown, currency, accounts, action, csrf } = props;
  const { words: all, language } = useReader();
  const words = all.begin;
  const { settled, amount, date } = shown;
  const money = moneyOf(language, amount, currency);
  const day = dayOf(language, date);
  return (
    <section class="card confirm" aria-labelledby="effect">
      <h2 id="effect">{words.effect}</h2>
      <dl class="will">
        <dt>{words.settles}</dt>
        <dd>{settled === 0 ? words.settles_nothing : words.settles_text(settled, money)}</dd>
        <dt>{words.afterwards}</dt>
        <dd>{words.afterwards_text(day)}</dd>
      </dl>
      {shown.postings.length > 0 && (
        <>
          <h3>{words.entry(day)}</h3>
          <Postings postings={shown.postings} currency={currency} accounts={accounts} />
        </>
      )}
      <Form action={action} csrf={csrf}>
        <input type="hidden" name="digest" value={shown.digest} />
        <Submit
          text={settled === 0 ? words.begin_now : words.settle_now(settled, money)}
          back={{ href: "/receivables", text: all.issuing.not_yet }}
        />
      </Form>
    </section>
  );
}

/** Shows the entry, with at most `MOST_CUSTOMERS` customers one by one. */
export function Postings(props: {
  postings: readonly BeginPosting[];
  currency: string;
  accounts: ReadonlyMap<number, string>;
}) {
  const { postings, currency, accounts } = props;
  const { words: all, language } = useReader();
  const words = all.begin;
  const of_customers = postings.filter(({ customer }) => customer !== null);
  const others = of_customers.slice(MOST_CUSTOMERS);
  const rest = others.reduce((sum, { amount }) => sum + amount, 0n);
  const shown = postings.filter((posting) => !others.includes(posting));
  const [last] = others;
  const rows =
    last === undefined
      ? shown
      : [...shown, { ...last, customer: words.other_customers(others.length), amount: rest }];
  const side = (amount: Money) => (amount > 0n ? amountOf(language, amount, currency) : "");
  return (
    <List
      label={words.entry_label}
      rows={rows}
      empty={null}
      columns={[
        {
          head: all.ledger.account,
          fold: "lead",
          cell: ({ account_number, customer }) =>
            customer ?? `${account_number} ${accounts.get(account_number) ?? ""}`,
        },
        {
          head: words.number,
          cell: ({ account_number }) => account_number,
        },
        { head: all.ledger.debit, kind: "number", cell: ({ amount }) => side(amount) },
        {
          head: all.ledger.credit,
          kind: "number",
          fold: "end",
          cell: ({ amount }) => side(-amount),
        },
      ]}
    />
  );
}
