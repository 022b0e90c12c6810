/**
 * Applies a credit note, the rest of a payment or an opening credit to what the same customer owes. The choice is in the address; the
 * confirmation does what was shown.
 */
import type { Money } from "../../domain/base/money.ts";
import { notFound } from "../../domain/base/problem.ts";
import type { NumberedItem } from "../../domain/receivables/item-of-document.ts";
import { openAtLast } from "../../domain/receivables/open-item.ts";
import { customerLabels } from "../../features/catalogue/customers/queries.ts";
import { wholeChart } from "../../features/ledger/reports/queries.ts";
import { requireOwn } from "../../features/receivables/open-items/find-own.ts";
import { findItems } from "../../features/receivables/open-items/queries.ts";
import { AllocationCreate } from "../../features/receivables/payments/schemas.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import { run } from "../../platform/commands/command.ts";
import { reading } from "../../platform/commands/tx.ts";
import { sql } from "../../platform/database/sql.ts";
import { newId } from "../../platform/runtime/id.ts";
import { dayAsked, todayFor } from "../frame/day-asked.ts";
import { Fault, Form, Submit } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { isId } from "../frame/reference.ts";
import { type Faults, NO_FAULTS, submitted } from "../frame/submitted.ts";
import { DayEntry } from "../parts/day-entry.tsx";
import { Entry, FormFaults } from "../parts/entry.tsx";
import { Card } from "../parts/facts.tsx";
import { amountOf, dayOf, moneyOf } from "../parts/format.ts";
import { numberFrom } from "../parts/number.ts";
import { addressOf } from "./begin-choice.ts";
import { Postings } from "./begin-effect.tsx";
import { ConfirmedUse, dryRunUse, type UseShown, useAsShown } from "./use-dry-run.ts";

const NEW = "/allocations/new";
const MOST_ITEMS = 100;
const CREDITS = ["credit_note", "payment", "opening"] as const;
const OWED = ["invoice", "reminder", "opening"];
const FIELDS = ["amount", "date"];
const BLAMES = {
  PAYMENT_DATE_IN_FUTURE: "date",
  PERIOD_LOCKED: "date",
  PAYMENT_EXCEEDS_OPEN: "amount",
  CREDIT_EXCEEDS_OPEN: "amount",
} as const;

export const allocationPages: readonly WebPage[] = [
  definePage(`GET ${NEW}`, "hidden", async (request) =>
    creditNamed(request) === undefined
      ? { redirect: "/receivables" }
      : show(request, NO_FAULTS, 200),
  ),
  definePage(`POST ${NEW}`, "hidden", use),
];

/** Returns the address of the page for a credit item. */
export function useAt({ kind, id }: Pick<NumberedItem, "kind" | "id">): string {
  return `${NEW}?${kind}=${id}`;
}

/** The credit with its customer, and what the customer owes in its currency, the earliest due date first. */
interface Usable {
  readonly credit: NumberedItem;
  readonly customer: { readonly id: string; readonly name: string };
  readonly left: Money;
  readonly items: readonly NumberedItem[];
}

/** Returns the kind of the credit that the address names; undefined where it names none. */
function creditNamed({ query }: PageRequest): (typeof CREDITS)[number] | undefined {
  return CREDITS.find((one) => isId(query[one]));
}

/** Reads the credit that the address names. Throws NOT_FOUND, and PAYMENTS_IN_LEDGER for one that a connected ledger booked. */
function usableIn(request: PageRequest): Promise<Usable> {
  const { cx, query } = request;
  const kind = creditNamed(request);
  if (kind === undefined) throw notFound("credit_note", "");
  const id = query[kind] ?? "";
  return reading(cx, async (inside) => {
    const credit = (await findItems(inside, sql`i.id = ${id}`)).get(id);
    if (credit === undefined) await requireOwn(inside, id);
    if (credit?.kind !== kind || !credit.is_credit) throw notFound(kind, id);
    const { customer_id, currency } = credit;
    const owed = await findItems(
      inside,
      sql`i.customer_id = ${customer_id} and i.currency = ${currency} and not i.is_credit and i.open > 0
        and i.kind = any(${OWED}) order by i.due_date, i.id limit ${MOST_ITEMS}`,
    );
    const names = await customerLabels(inside, [customer_id]);
    const customer = { id: customer_id, name: names.get(customer_id)?.name ?? "" };
    return { credit, customer, left: openAtLast(credit).open, items: [...owed.values()] };
  });
}

/** Returns the request that the fields of the address make, under an external id. */
function sentBy(request: PageRequest, { credit, items }: Usable, external_id: string) {
  const { query, reader } = request;
  const item = items.find(({ id }) => id === query.item);
  const typed_day = query.date?.trim();
  return {
    external_id,
    [credit.kind === "opening" ? "opening_credit" : credit.kind]: credit.id,
    ...(item !== undefined && { [item.kind]: item.id }),
    amount: numberFrom(reader.language, query.amount) ?? null,
    date: typed_day ? dayAsked(request, typed_day) : null,
  };
}

async function use(request: PageRequest): Promise<PageAnswer> {
  const { cx, form, reader } = request;
  const usable = await usableIn(request);
  const sent = sentBy(request, usable, form.external_id ?? "");
  const typed = { sent, digest: form.digest };
  const outcome = await submitted(ConfirmedUse, typed, FIELDS, BLAMES, (confirmed) =>
    run(useAsShown, cx, confirmed),
  );
  if ("faults" in outcome) return show(request, outcome.faults, outcome.status);
  const { customer, credit } = usable;
  const of = reader.words.payments.items[credit.kind](credit.number);
  return { redirect: `/customers/${customer.id}?tab=account`, notice: { done: "credit_used", of } };
}

/** Shows the choice and what it would do. `refused` are the faults of the confirmation. */
async function show(request: PageRequest, refused: Faults, status: number): Promise<PageAnswer> {
  const { cx, query, csrf, reader } = request;
  const { words: all, language } = reader;
  const words = all.use_credit;
  const usable = await usableIn(request);
  const { credit, customer, left, items } = usable;
  const name = all.payments.items[credit.kind](credit.number);
  const title = words.title(name);
  const lead = words.lead(customer.name, moneyOf(language, left, credit.currency));
  const back = `/customers/${customer.id}?tab=account`;
  if (left === 0n || items.length === 0) {
    const said =
      left === 0n ? words.used(name) : words.nothing_owed(customer.name, credit.currency);
    return { title, content: <Nothing text={said} back={back} /> };
  }
  const external_id = `page:${newId<string>()}`;
  const is_asked = items.some(({ id }) => id === query.item);
  const looked = is_asked
    ? await submitted(
        AllocationCreate,
        sentBy(request, usable, external_id),
        FIELDS,
        BLAMES,
        (sent) => dryRunUse(cx, sent),
      )
    : null;
  const faults = looked !== null && "faults" in looked ? looked.faults : refused;
  const is_stale = [...refused.values()].some(({ code }) => code === "PLAN_STALE");
  const action = addressOf(NEW, query);
  const { functional_currency } = await getConfiguration(cx);
  const content = (
    <div class="receivables">
      {is_stale ? (
        <Fault text={words.changed} />
      ) : (
        <FormFaults faults={faults} words={all.see_fields} />
      )}
      <Choice request={request} usable={usable} faults={is_stale ? NO_FAULTS : faults} />
      {looked !== null && "done" in looked && (
        <Effect
          shown={looked.done}
          usable={usable}
          item={items.find(({ id }) => id === query.item) ?? credit}
          currency={functional_currency}
          accounts={
            new Map((await wholeChart(cx, false)).map(({ number, name }) => [number, name]))
          }
          form={{ action, csrf: csrf(action), external_id, back }}
        />
      )}
    </div>
  );
  const failed = looked !== null && "faults" in looked ? looked.status : 200;
  return { title, lead, content, status: status === 200 ? failed : status };
}

function Nothing({ text, back }: { text: string; back: string }) {
  const { words } = useReader();
  return (
    <div class="card">
      <div class="pad">
        <p>{text}</p>
        <p class="buttons">
          <a class="button" href={back}>
            {words.customers.card_tabs.account}
          </a>
        </p>
      </div>
    </div>
  );
}

/** The form that asks what the credit is used for. */
function Choice(props: { request: PageRequest; usable: Usable; faults: Faults }) {
  const { request, usable, faults } = props;
  const { query } = request;
  const { words: all, language } = useReader();
  const words = all.use_credit;
  const { credit, left, items } = usable;
  const { currency, kind, id } = credit;
  const [first] = items;
  const chosen = items.some((one) => one.id === query.item) ? query.item : first?.id;
  return (
    <form method="get" action={NEW} class="receivables">
      <input type="hidden" name={kind} value={id} />
      <Card title={words.to} id="to">
        <fieldset aria-labelledby="to">
          <ul class="applied-list">
            {items.map((item) => (
              <li>
                <label class="choice">
                  <input type="radio" name="item" value={item.id} checked={item.id === chosen} />
                  <span class="grow">
                    {all.payments.items[item.kind](item.number)}
                    {item.due_date !== null && (
                      <small class="quiet">{words.due(dayOf(language, item.due_date))}</small>
                    )}
                  </span>
                  <span class="num">{amountOf(language, openAtLast(item).open, currency)}</span>
                </label>
              </li>
            ))}
          </ul>
        </fieldset>
      </Card>
      <div class="card pad fields">
        <Entry
          name="amount"
          label={words.amount(currency)}
          hint={words.amount_hint(amountOf(language, left, currency))}
          value={query.amount ?? ""}
          most={20}
          faults={faults}
          note={Number.isNaN(numberFrom(language, query.amount)) ? all.not_a_number : undefined}
        />
        <DayEntry
          name="date"
          label={words.date}
          hint={words.date_hint}
          value={query.date?.trim() ? dayAsked(request, query.date) : ""}
          today={todayFor(request)}
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

/** What the use of the credit would do, and the button that does it. */
function Effect(props: {
  shown: UseShown;
  usable: Usable;
  item: NumberedItem;
  currency: string;
  accounts: ReadonlyMap<number, string>;
  form: { action: string; csrf: string; external_id: string; back: string };
}) {
  const { shown, usable, item, currency, accounts, form } = props;
  const { words: all, language } = useReader();
  const words = all.use_credit;
  const money = (amount: Money) => moneyOf(language, amount, usable.credit.currency);
  const name = all.payments.items[item.kind](item.number);
  const has_entry = shown.postings.length > 0;
  return (
    <section class="card confirm" aria-labelledby="effect">
      <h2 id="effect">{words.effect}</h2>
      <dl class="will">
        <dt>{words.applies}</dt>
        <dd>{words.applies_text(money(shown.amount), name, dayOf(language, shown.date))}</dd>
        <dt>{words.left}</dt>
        <dd>{words.left_text(money(shown.credit_left), money(shown.debit_left))}</dd>
        {!has_entry && (
          <>
            <dt>{words.books}</dt>
            <dd>{words.books_nothing}</dd>
          </>
        )}
      </dl>
      {has_entry && (
        <>
          <h3>{words.entry}</h3>
          <Postings postings={shown.postings} currency={currency} accounts={accounts} />
        </>
      )}
      <Form action={form.action} csrf={form.csrf}>
        <input type="hidden" name="external_id" value={form.external_id} />
        <input type="hidden" name="digest" value={shown.digest} />
        <Submit
          text={words.now(money(shown.amount))}
          back={{ href: form.back, text: all.issuing.not_yet }}
        />
      </Form>
    </section>
  );
}
