/** The island of a month's balances: how they moved, by which contract, and whether they agree with the ledger. */
import { addToMonth, firstDayOf, lastDayOf, type Month } from "../../domain/base/calendar.ts";
import { islandOf } from "../browser/island.ts";
import { useAnswer } from "../browser/use-answer.ts";
import { Waterfall } from "../charts/waterfall.tsx";
import { useReader } from "../frame/reader.ts";
import { Card } from "../parts/facts.tsx";
import {
  amountOf,
  amountOfNumber,
  currencySign,
  dayInStyle,
  monthOf,
  thousandsOf,
} from "../parts/format.ts";
import { List } from "../parts/list.tsx";
import { Pill } from "../parts/values.tsx";
import type { RollShown } from "./balances-shown.ts";

interface OfMonth {
  readonly month: Month;
  readonly language: "en" | "da";
  /** Null until it is computed. */
  readonly shown: RollShown | null;
}

function RevenueBalances({ month, language, shown }: OfMonth) {
  const words = useReader().words.revenue;
  const { answer, is_lost } = useAnswer<RollShown>(
    "/app/revenue/balances",
    { month, language },
    shown,
  );
  if (answer === null) {
    return (
      <p class="card pad quiet" role="status">
        {is_lost ? words.lost : words.adding_up}
      </p>
    );
  }
  return (
    <>
      <div class="two-beside">
        <Moves shown={answer} />
        <Agreement shown={answer} />
      </div>
      <Contracts shown={answer} />
    </>
  );
}

function Moves({ shown }: { shown: RollShown }) {
  const { words: all, language } = useReader();
  const words = all.balances;
  const { month, currency, opening, closing, earned, invoiced, exchange, carried } = shown;
  const before = addToMonth(month, -1);
  const named = (at: Month) => dayInStyle(language, firstDayOf(at), "month");
  const balance = (at: Month) => words.balance(dayInStyle(language, lastDayOf(at), "date"));
  const moves = [
    { label: all.revenue.earned, amount: BigInt(earned) },
    { label: all.revenue.invoiced, amount: -BigInt(invoiced) },
    { label: words.credited, amount: BigInt(shown.credited) },
    { label: words.brought_along, amount: -BigInt(shown.brought_along) },
    { label: words.exchange, amount: BigInt(exchange) },
  ].filter(({ amount, label }) => amount !== 0n || label === all.revenue.earned);
  const steps = [
    { label: balance(before), amount: BigInt(opening), is_balance: true },
    ...moves.map((one) => ({ ...one, is_balance: false })),
    { label: balance(month), amount: BigInt(closing), is_balance: true },
  ];
  const exact = (amount: bigint) => amountOf(language, amount, currency);
  const title = words.moves(named(before), named(month));
  return (
    <Card title={title} id="moves" hint={words.moves_hint(currencySign(language, currency))}>
      <div class="pad">
        <Waterfall
          label={`${title}. ${steps.map(({ label, amount }) => `${label} ${exact(amount)}`).join(". ")}`}
          steps={steps.map((one) => ({
            ...one,
            short: thousandsOf(language, one.amount, currency),
          }))}
        />
        <dl class="becomes">
          {steps.map(({ label, amount }) => (
            <>
              <dt>{label}</dt>
              <dd>{exact(amount)}</dd>
            </>
          ))}
        </dl>
        {carried !== "0" && <p class="tiny quiet">{words.carried(exact(BigInt(carried)))}</p>}
        {shown.unknown > 0 && <p class="tiny quiet">{words.unknown(shown.unknown)}</p>}
      </div>
    </Card>
  );
}

/** States whether the booked accruals equal the accounts of the built-in ledger, else by how much they differ. */
function Agreement({ shown: { agreement, currency } }: { shown: RollShown }) {
  const { words: all, language } = useReader();
  const words = all.balances;
  const { roles, month } = agreement;
  const amount = (value: number | null) =>
    value === null ? "–" : amountOfNumber(language, value, currency);
  const compared = roles.filter(({ difference }) => difference !== null);
  const differs = compared.some(({ difference }) => difference !== 0);
  return (
    <section class="card" aria-labelledby="agrees">
      <header>
        <h2 id="agrees">{differs ? words.differs : words.agrees}</h2>
        <span class="end">
          {compared.length > 0 && (
            <Pill kind={differs ? "bad" : "ok"}>{differs ? words.see : words.to_the_cent}</Pill>
          )}
        </span>
      </header>
      <div class="pad">
        {compared.length === 0 ? (
          <p class="soft">{words.not_compared}</p>
        ) : (
          <dl class="facts-list first">
            {roles.map(({ account_role, account_number, sub_ledger, ledger, difference }) => (
              <>
                <dt>
                  {account_number ?? "–"} {all.close.roles[account_role]}
                </dt>
                <dd>
                  {amount(sub_ledger)}{" "}
                  <span class="quiet">
                    {difference === 0 || difference === null
                      ? `= ${amount(ledger)}`
                      : words.difference(amount(ledger), amount(difference))}
                  </span>
                </dd>
              </>
            ))}
          </dl>
        )}
        <p class="tiny quiet">{words.compared_at(monthOf(language, month))}</p>
        <p>
          <a class="link" href={`/ledger/reconciliation?month=${month}`}>
            {words.all_comparisons}
          </a>
        </p>
      </div>
    </section>
  );
}

function Contracts({ shown }: { shown: RollShown }) {
  const { words: all, language } = useReader();
  const words = all.balances;
  const { month, currency, contracts, contract_count } = shown;
  const amount = (text: string) =>
    text === "0" ? <span class="quiet">–</span> : amountOf(language, BigInt(text), currency);
  const title = words.roll(monthOf(language, month));
  return (
    <Card title={title} id="roll" hint={words.roll_hint}>
      <List
        label={title}
        rows={contracts}
        empty={<p class="soft">{words.no_contracts}</p>}
        columns={[
          {
            head: words.contract,
            fold: "lead",
            cell: ({ name, invoice_id }) =>
              invoice_id === null ? (
                name
              ) : (
                <a class="link" href={`/invoices/${invoice_id}`}>
                  {name}
                </a>
              ),
          },
          {
            head: all.revenue.groupings.customer,
            cell: ({ customer, customer_id }) => (
              <a class="link" href={`/customers/${customer_id}?tab=revenue`}>
                {customer}
              </a>
            ),
          },
          {
            head: words.opening,
            kind: "number",
            fold: "none",
            cell: ({ opening }) => amount(opening),
          },
          { head: all.revenue.earned, kind: "number", cell: ({ earned }) => amount(earned) },
          { head: all.revenue.invoiced, kind: "number", cell: ({ invoiced }) => amount(invoiced) },
          {
            head: words.exchange,
            kind: "number",
            fold: "none",
            cell: ({ exchange }) => amount(exchange),
          },
          {
            head: words.closing,
            kind: "number",
            fold: "end",
            cell: ({ closing }) => amount(closing),
          },
        ]}
      />
      {contract_count > contracts.length && (
        <p class="pad soft">{words.more(contract_count - contracts.length)}</p>
      )}
    </Card>
  );
}

export const island = islandOf<OfMonth>({ name: "revenue-balances", View: RevenueBalances });
