/** The page of one entry: its postings, its document, who had it booked, and the entries that it reverses or that reverse it. */
import { decimalText, RATE_DECIMALS } from "../../domain/base/money.ts";
import { getEntry, type ShownEntry } from "../../features/ledger/reports/find-entry.ts";
import type { EntryKind } from "../../features/ledger/reports/list-journal.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import { findStored } from "../../platform/database/resources.ts";
import { Moment } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { Card, FactList, Facts } from "../parts/facts.tsx";
import { amountOf, currencySign, monthOf } from "../parts/format.ts";
import { List } from "../parts/list.tsx";
import { Day } from "../parts/values.tsx";
import { LEDGER, LedgerTabs, otherBooks } from "./ledger-tabs.tsx";
import { vatCodeInWords } from "./words.ts";

const PATH = `${LEDGER}/entries` as const;

export const entryPages: readonly WebPage[] = [definePage(`GET ${PATH}/:id`, "hidden", show)];

const FOLDERS = { invoice: "/invoices", credit_note: "/credit-notes" } as const;

async function show({ cx, id, reader }: PageRequest): Promise<PageAnswer> {
  const words = reader.words.ledger;
  const [{ functional_currency }, entry, payment] = await Promise.all([
    getConfiguration(cx),
    getEntry(cx, id),
    findStored(cx, "payments", id),
  ]);
  const document = payment === undefined ? documentOf(entry) : `/payments/${id}`;
  const content = (
    <>
      <LedgerTabs at="entries" elsewhere={otherBooks(cx)} />
      <div class="document">
        <Postings entry={entry} currency={functional_currency} />
        <div class="stack">
          <Facts title={words.facts} id="facts">
            <FactList facts={factsOf(entry, document, reader)} />
          </Facts>
        </div>
      </div>
    </>
  );
  return {
    title: words.entry_title(`${entry.entry_no}`),
    lead: words.document_of[entry.kind](`${entry.number}`),
    content,
  };
}

/** Returns the address of the document of an entry, other than a payment's; null for one without a page. */
function documentOf({ kind, guid }: ShownEntry): string | null {
  return kind === "invoice" || kind === "credit_note" ? `${FOLDERS[kind]}/${guid}` : null;
}

function factsOf(
  entry: ShownEntry,
  href: string | null,
  { words: all, language }: PageRequest["reader"],
) {
  const words = all.ledger;
  const { kind, number, currency, rate_micro, accrual_month, reverses, reversed_by } = entry;
  const named = (of: { readonly kind: EntryKind; readonly number: string }) =>
    words.document_of[of.kind](of.number);
  const linkTo = (of: {
    readonly guid: string;
    readonly kind: EntryKind;
    readonly number: string;
  }) => ({
    value: named(of),
    href: `${PATH}/${of.guid}`,
  });
  return [
    {
      name: words.document,
      value: named({ kind, number: `${number}` }),
      ...(href === null ? {} : { href }),
    },
    ...(accrual_month === null
      ? []
      : [
          {
            name: words.accrual,
            value: monthOf(language, accrual_month),
            href: `/close/${accrual_month}`,
          },
        ]),
    ...(entry.customer_id === null
      ? []
      : [
          {
            name: words.customer,
            value: entry.customer ?? "–",
            href: `/customers/${entry.customer_id}`,
          },
        ]),
    { name: words.day, value: <Day day={entry.entry_date} /> },
    { name: words.text, value: textOf(entry.text, language, words) },
    ...(rate_micro === null
      ? []
      : [{ name: words.rate, value: `${currency} ${decimalOf(rate_micro, language)}` }]),
    { name: words.booked_at, value: <Moment at={entry.registered_at} /> },
    { name: words.booked_by, value: actorOf(entry, all) },
    ...(reverses === null
      ? []
      : [
          {
            name: reverses.kind === "invoice" ? words.credits : words.reverses,
            ...linkTo(reverses),
          },
        ]),
    ...reversed_by.map((one) => ({
      name: one.kind === "credit_note" ? words.credited_by : words.reversed_by,
      ...linkTo(one),
    })),
  ];
}

/** What a voucher's text says, in the reader's language; other texts as they were booked. */
const OF_ACCRUAL =
  /^(Reversal of )?Accrual (\d{4}-\d{2}) (.*?)(?: \(incl\. corrections from (\d{4}-\d{2})\))?$/;

function textOf(
  text: string,
  language: "en" | "da",
  words: PageRequest["reader"]["words"]["ledger"],
) {
  const [, reversal, month, customer, since] = OF_ACCRUAL.exec(text) ?? [];
  if (month === undefined || customer === undefined) return <span lang="en">{text}</span>;
  const of = words.accrual_of(monthOf(language, month), customer);
  const whole =
    since === undefined ? of : `${of} (${words.corrections_from(monthOf(language, since))})`;
  return reversal === undefined ? whole : words.reversal_of(whole);
}

function actorOf(
  { registered_by, actor_name }: ShownEntry,
  { activity }: PageRequest["reader"]["words"],
): string {
  const [kind] = registered_by.split(":");
  if (kind === "api_key") return activity.api_key(actor_name ?? "–");
  if (kind === "scheduler") return activity.scheduler;
  return actor_name ?? activity.operator;
}

/** Formats a rate in millionths with the decimals that it has. */
function decimalOf(rate_micro: bigint, language: "en" | "da"): string {
  const text = decimalText(rate_micro, RATE_DECIMALS).replace(/\.?0+$/, "");
  return language === "da" ? text.replace(".", ",") : text;
}

function Postings({ entry, currency }: { entry: ShownEntry; currency: string }) {
  const { words: all, language } = useReader();
  const words = all.ledger;
  const { postings, entry_date } = entry;
  const is_foreign = entry.currency !== currency;
  const amount = (value: bigint) => (value > 0n ? amountOf(language, value, currency) : "");
  return (
    <Card
      title={words.postings}
      id="postings"
      hint={all.close.in_currency(currencySign(language, currency))}
    >
      <List
        label={words.postings}
        rows={postings}
        empty={<p>{words.no_postings}</p>}
        columns={[
          {
            head: words.account,
            fold: "lead",
            cell: ({ account_number, account }) => (
              <a
                href={`${PATH}?account=${account_number}&from=${entry_date.slice(0, 7)}&to=${entry_date.slice(0, 7)}`}
              >
                <span>{account_number}</span> <span>{account}</span>
              </a>
            ),
          },
          { head: words.vat_code, cell: ({ vat_code }) => vatCodeInWords(words, vat_code) },
          ...(is_foreign
            ? [
                {
                  head: entry.currency,
                  kind: "number" as const,
                  cell: ({ currency_amount }: ShownEntry["postings"][number]) =>
                    amountOf(language, BigInt(currency_amount), entry.currency),
                },
              ]
            : []),
          {
            head: words.debit,
            kind: "number",
            fold: "end",
            cell: (row) => amount(BigInt(row.amount)),
          },
          {
            head: words.credit,
            kind: "number",
            fold: "end",
            cell: (row) => amount(-BigInt(row.amount)),
          },
        ]}
      />
    </Card>
  );
}
