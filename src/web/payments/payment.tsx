/** The page of a payment or refund, for admins: what it was applied to, with the entries, and what is left of it. */

import type { ComponentChildren } from "preact";
import { currencyDigits } from "../../domain/base/currency.ts";
import { scaledToNumber } from "../../domain/base/money.ts";
import { openAtLast } from "../../domain/receivables/open-item.ts";
import { customerNames } from "../../features/catalogue/customers/queries.ts";
import { guidsOfEntries } from "../../features/ledger/reports/find-entry.ts";
import { getBankAccount } from "../../features/receivables/bank-accounts/queries.ts";
import { getPayment, type Payment } from "../../features/receivables/payments/queries.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import { Moment } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { Applied } from "../invoices/applied.tsx";
import { ConfirmLink } from "../parts/confirm-link.tsx";
import { Card, FactList, Facts } from "../parts/facts.tsx";
import { Amount, Day, Pill } from "../parts/values.tsx";
import { useAt } from "../receivables/use-credit.tsx";
import { NEW_PAYMENT, PAYMENTS } from "./payment-form.tsx";

export const paymentPages: readonly WebPage[] = [definePage(`GET ${PAYMENTS}/:id`, "hidden", show)];

async function show(request: PageRequest): Promise<PageAnswer> {
  const { cx, id, reader } = request;
  const payment = await getPayment(cx, id);
  const { row, item, allocations } = payment;
  const [{ functional_currency: functional }, names, bank, entries] = await Promise.all([
    getConfiguration(cx),
    customerNames(cx, [row.customer_id]),
    getBankAccount(cx, row.bank_account_id),
    guidsOfEntries(cx, [
      ...row.entry_nos,
      ...allocations.flatMap(({ entry_no }) => (entry_no === null ? [] : [entry_no])),
    ]),
  ]);
  const words = reader.words.payments;
  const left = scaledToNumber(openAtLast(item).open, currencyDigits(row.currency));
  const is_refund = row.kind === "refund";
  const content = (
    <div class="document">
      <div class="stack">
        <Card title={is_refund ? words.gave_back : words.paid_what} id="applied">
          {allocations.length === 0 && <p class="pad quiet">{words.applied_to_nothing}</p>}
          <Applied
            allocations={allocations.map((one) => ({
              ...one,
              entry: entries.get(Number(one.entry_no)) ?? null,
            }))}
            side={is_refund ? "credit" : "debit"}
            functional={functional}
            is_admin
          />
          {left !== 0 && (
            <p class="pad">
              {words.customer_credit}:{" "}
              <Amount value={left} currency={row.currency} functional={functional} />{" "}
              <a class="link" href={useAt({ kind: "payment", id })}>
                {reader.words.use_credit.open}
              </a>{" "}
              <a class="link" href={`${NEW_PAYMENT}?payment=${id}`}>
                {words.pay_back}
              </a>
            </p>
          )}
        </Card>
      </div>
      <div class="stack">
        <Facts title={reader.words.invoice.facts} id="facts">
          <FactList
            facts={factsOf(request, payment, {
              customer: names.get(row.customer_id) ?? "–",
              bank: bank.name,
              functional,
              entries,
            })}
          />
        </Facts>
      </div>
    </div>
  );
  const title = words.items[row.kind](String(row.number));
  // The built-in ledger has booked it, also where the books have moved since.
  const actions =
    row.reversed_on === null ? (
      <ConfirmLink href={`${PAYMENTS}/${id}/take-back`}>{words.take_back}</ConfirmLink>
    ) : undefined;
  return { title, content, ...(actions && { actions }) };
}

interface Around {
  readonly customer: string;
  readonly bank: string;
  readonly functional: string;
  readonly entries: ReadonlyMap<number, string>;
}

function factsOf(
  { reader }: PageRequest,
  { row, allocations }: Payment,
  { customer, bank, functional, entries }: Around,
) {
  const { words: all } = reader;
  const words = all.payments;
  const money = (amount: bigint, currency: string) => (
    <Amount
      value={scaledToNumber(amount, currencyDigits(currency))}
      currency={currency}
      functional={functional}
    />
  );
  const is_refund = row.kind === "refund";
  const difference = allocations
    .filter(({ reversed_on }) => reversed_on === null)
    .reduce((sum, { exchange_difference }) => sum + exchange_difference, 0n);
  const fact = (is_shown: boolean, name: string, value: ComponentChildren) =>
    is_shown ? [{ name, value }] : [];
  return [
    { name: all.invoice.status, value: <State is_reversed={row.reversed_on !== null} /> },
    { name: all.invoice.customer, value: customer, href: `/customers/${row.customer_id}` },
    { name: is_refund ? words.paid_back_on : words.paid_on, value: <Day day={row.date} /> },
    { name: words.amount, value: money(row.amount, row.currency) },
    { name: words.bank_account, value: bank },
    ...fact(
      row.bank_amount !== row.amount || row.currency !== functional,
      is_refund ? words.bank_debited(functional) : words.bank_credited(functional),
      money(row.bank_amount, functional),
    ),
    ...fact(row.fee !== 0n, words.differences.fee, money(row.fee, functional)),
    ...fact(difference !== 0n, words.exchange_difference, money(difference, functional)),
    ...fact(row.reference !== null, words.reference, row.reference),
    ...(row.bank_line_id === null
      ? []
      : [
          {
            name: words.bank_line,
            value: words.of_bank_line,
            href: `/bank/lines/${row.bank_line_id}`,
          },
        ]),
    ...row.entry_nos.map((entry_no) => ({
      name: words.entry,
      value: String(entry_no),
      href: `/ledger/entries/${entries.get(entry_no)}`,
    })),
    ...fact(row.reversed_on !== null, words.reversed, <Day day={row.reversed_on} />),
    ...fact(row.reversal_reason !== null, all.credit.reason, row.reversal_reason),
    { name: words.recorded, value: <Moment at={row.created_at} /> },
  ];
}

function State({ is_reversed }: { is_reversed: boolean }) {
  const words = useReader().words.payments;
  return is_reversed ? (
    <Pill kind="bad">{words.reversed}</Pill>
  ) : (
    <Pill kind="ok">{words.booked}</Pill>
  );
}
