/** The page of one customer: their details, how they are billed, and their latest documents. */
import type { ComponentChildren } from "preact";
import { termsOf } from "../../domain/sales/payment.ts";
import { buyerReferences } from "../../domain/sales/printed.ts";
import type { CustomerRow } from "../../features/catalogue/customers/present.ts";
import { getCustomer } from "../../features/catalogue/customers/queries.ts";
import {
  creditedOf,
  presentCredited,
  rowTotalsOf,
} from "../../features/documents/issued/include.ts";
import { formatCountry } from "../../features/documents/printing/format.ts";
import { readCustomerSummary } from "../../features/overview/today/read-customer-summary.ts";
import { currentMonth } from "../../features/revenue/accruals/queries.ts";
import { documentsOfInvoices, readInvoices } from "../../features/sales/invoices/list.ts";
import type { InvoiceResource } from "../../features/sales/invoices/schemas.ts";
import {
  type Configuration,
  getConfiguration,
} from "../../features/settings/configuration/queries.ts";
import { ledgerTitle, printsItself } from "../../platform/commands/connected-ledger.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import { pageFrom } from "../../platform/database/page.ts";
import { NEW_DRAFT } from "../draft/new-draft.tsx";
import { Form, Submit } from "../frame/form.tsx";
import type { PageAnswer, PageRequest } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { isAdmin, seenBy } from "../frame/seen.ts";
import { Billed } from "../parts/billed.tsx";
import { Warnings } from "../parts/facts.tsx";
import { List, Tabs } from "../parts/list.tsx";
import { Amount, Day, Pill } from "../parts/values.tsx";
import { accountTab } from "../receivables/account-tab.tsx";
import { accrualsTab } from "../revenue/accruals-tab.tsx";
import { revenueSection } from "../revenue/revenue.tsx";
import { retainersCard } from "./customer-retainers.tsx";
import { Balances, changesTab, hoursTab } from "./customer-tabs.tsx";
import { vatSection } from "./customer-vat.tsx";
import { missingForEinvoices, WhereInvoicesGo } from "./where-invoices-go.tsx";

const MOST_DOCUMENTS = 10;
const TABS = [
  "overview",
  "documents",
  "account",
  "hours",
  "revenue",
  "accruals",
  "changes",
] as const;
type Tab = (typeof TABS)[number];
/** The tabs that people who are not admins see of their customers. */
const OWN_TABS: readonly Tab[] = ["overview", "documents"];

/** The page of the customer under a reference; its forms go to addresses below `at`. Throws NOT_FOUND. */
export async function customerCard(
  request: PageRequest,
  ref: string,
  at: string,
): Promise<PageAnswer> {
  const { cx, query, reader } = request;
  const words = reader.words.customers;
  const [customer, configuration] = await Promise.all([getCustomer(cx, ref), getConfiguration(cx)]);
  const here = `${at}/${customer.id}`;
  const is_admin = isAdmin(cx);
  const tabs = is_admin ? TABS : OWN_TABS;
  const addressOf = (tab: Tab) => (tab === "overview" ? here : `${here}?tab=${tab}`);
  const tab = tabs.find((one) => one === query.tab) ?? "overview";
  const content = (
    <>
      {!customer.active && (
        <p>
          <Pill>{words.inactive}</Pill>
        </p>
      )}
      <WhereInvoicesGo
        customer={customer}
        ledger={printsItself(cx.ledger) ? ledgerTitle(cx.ledger) : null}
      />
      <Warnings
        title={reader.words.invoice.warnings}
        sentences={await missingForEinvoices(request, customer)}
      />
      <Tabs
        label={customer.name}
        tabs={tabs.map((one) => ({ href: addressOf(one), word: words.card_tabs[one] }))}
        current={addressOf(tab)}
      />
      {tab === "overview" && (await overviewTab(request, customer, configuration, here))}
      {tab === "documents" && (await documentsTab(request, customer.id, configuration))}
      {tab === "account" && (await accountTab(request, customer, addressOf(tab)))}
      {tab === "hours" && (await hoursTab(request, customer.id, addressOf(tab)))}
      {tab === "revenue" && (await revenueSection(request, customer.id))}
      {tab === "accruals" && (await accrualsTab(request, configuration, customer.id))}
      {tab === "changes" && (await changesTab(request, customer.id, addressOf(tab)))}
    </>
  );
  const actions = (
    <>
      <a class="button" href={`${here}/edit`}>
        {words.edit}
      </a>
      {customer.active && <NewDraft request={request} customer_id={customer.id} />}
    </>
  );
  // A person who is not an admin begins with a line of their own; the page behind the link asks which one.
  const own_actions = customer.active ? (
    <a class="button main" href={`${NEW_DRAFT}?q=${encodeURIComponent(customer.name)}`}>
      {reader.words.draft.new_invoice}
    </a>
  ) : undefined;
  const offered = is_admin ? actions : own_actions;
  return { title: customer.name, content, ...(offered === undefined ? {} : { actions: offered }) };
}

/** The customer's details and billing. Admins also see the balances, and can deactivate the customer. */
async function overviewTab(
  request: PageRequest,
  customer: CustomerRow,
  configuration: Configuration,
  here: string,
) {
  const { cx, reader } = request;
  const [summary, vat, retainers] = await Promise.all([
    isAdmin(cx)
      ? readCustomerSummary(
          cx,
          configuration,
          customer.id,
          currentMonth(cx, configuration),
          request.takeHeavyPlace,
        )
      : null,
    vatSection(cx, reader, customer, configuration),
    retainersCard(request, customer.id, customer.active),
  ]);
  return (
    <>
      {summary !== null && (
        <Balances summary={summary} currency={configuration.functional_currency} />
      )}
      <div class="beside">
        <section class="card pad">
          <h2>{reader.words.customers.how}</h2>
          <Facts customer={customer} configuration={configuration} />
        </section>
        {vat}
      </div>
      {retainers}
      {summary !== null && (
        <Retire request={request} customer={customer} at={here} drafts={summary.drafts} />
      )}
    </>
  );
}

async function documentsTab({ cx, reader }: PageRequest, id: string, configuration: Configuration) {
  const documents = await documentsOf(cx, id, configuration);
  return (
    <>
      <Documents documents={documents} functional={configuration.functional_currency} />
      {documents.length > 0 && (
        <p>
          <a href={`/invoices?tab=issued&customer=${id}`}>{reader.words.customers.all_issued}</a>
        </p>
      )}
    </>
  );
}

/** Deactivates the customer, who is then not listed, or activates the customer again. `drafts` is the number of drafts left. */
function Retire(props: {
  request: PageRequest;
  customer: CustomerRow;
  at: string;
  drafts: number;
}) {
  const { request, customer, at, drafts } = props;
  const { words: all } = request.reader;
  const verb = customer.active ? "deactivate" : "activate";
  return (
    <>
      <h2>{all.customers[`${verb}_head`]}</h2>
      <Form action={`${at}/${verb}`} csrf={request.csrf(`${at}/${verb}`)}>
        <p class="quiet">
          {verb === "activate"
            ? all.customers.activate_means(customer.name)
            : all.customers.deactivate_means(customer.name, drafts)}
        </p>
        <Submit text={all[verb]} is_secondary />
      </Form>
    </>
  );
}

/** Shows the most frequent action: a new draft for the customer. */
function NewDraft({ request, customer_id }: { request: PageRequest; customer_id: string }) {
  return (
    <Form action={NEW_DRAFT} csrf={request.csrf(NEW_DRAFT)}>
      <input type="hidden" name="customer" value={customer_id} />
      <button type="submit" class="button main">
        {request.reader.words.draft.new_invoice}
      </button>
    </Form>
  );
}

interface DocumentOfCustomer {
  readonly invoice: InvoiceResource;
  readonly totals: ReturnType<typeof rowTotalsOf> & ReturnType<typeof presentCredited>;
}

/** Returns the latest invoices and drafts with their amounts, including those of retainers. */
async function documentsOf(
  cx: PersonContext,
  customer: string,
  configuration: Configuration,
): Promise<readonly DocumentOfCustomer[]> {
  const page = { customer, origin: "all", limit: MOST_DOCUMENTS } as const;
  const { data } = pageFrom<InvoiceResource>(
    await readInvoices(page, seenBy(cx, "invoice")).answer(cx),
  );
  const ids = data.map(({ id }) => id);
  const [snapshots, credited] = await Promise.all([
    documentsOfInvoices(cx, ids, { configuration }),
    creditedOf(cx, ids),
  ]);
  return data.flatMap((invoice) => {
    const snapshot = snapshots.get(invoice.id);
    if (snapshot === undefined) return [];
    const back = presentCredited(credited.get(invoice.id), snapshot.currency_digits);
    return [{ invoice, totals: { ...rowTotalsOf(snapshot), ...back } }];
  });
}

/** Shows the customer's details and how invoices are sent to the customer, as documents print them. */
function Facts(props: { customer: CustomerRow; configuration: Configuration }) {
  const { customer, configuration } = props;
  const { words: all, language } = useReader();
  const words = all.customers;
  const { street, zip_code, city, country_key } = customer;
  const place = [zip_code, city].filter((part) => part !== null).join(" ");
  const { type, days } = termsOf(customer, {
    type: configuration.payment_type,
    days: configuration.payment_days,
  });
  const has_terms =
    customer.payment_condition_type !== null || customer.payment_condition_number_of_days !== null;
  const language_key =
    customer.preferred_invoice_language_key ?? configuration.invoice_language_key;
  const currency = customer.preferred_invoice_currency_key ?? configuration.functional_currency;
  const usual = (is_own: boolean) => (is_own ? "" : `, ${words.usual}`);
  const facts: readonly (readonly [string, ComponentChildren])[] = [
    [words.kind, customer.is_person ? words.person : words.business],
    [words.vat_number, customer.vat_number],
    [
      words.address,
      [street, place, formatCountry(country_key, language)].filter(Boolean).join(", "),
    ],
    [
      words.contact,
      [customer.att_person, customer.phone, customer.webpage].filter(Boolean).join(", "),
    ],
    [words.sent_to, <Billed customer={customer} />],
    [words.terms, words.terms_of(type, days) + usual(has_terms)],
    [
      words.language,
      (/^da\b/i.test(language_key.replace("_", "-")) ? words.danish : words.english) +
        usual(customer.preferred_invoice_language_key !== null),
    ],
    [words.currency, currency + usual(customer.preferred_invoice_currency_key !== null)],
    ...buyerReferences.map((field) => [all.references[field], customer[field]] as const),
    [words.einvoice_by_mail, customer.einvoice_by_mail ? words.einvoice_by_mail_yes : null],
    [words.hours, customer.hours_specification ? words.hours_yes : null],
    [words.reminders, customer.reminders ? null : words.reminders_no],
  ];
  return (
    <dl class="facts">
      {facts
        .filter(([, fact]) => fact !== null && fact !== "")
        .map(([label, fact]) => (
          <div>
            <dt>{label}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
    </dl>
  );
}

function Documents(props: { documents: readonly DocumentOfCustomer[]; functional: string }) {
  const { documents, functional } = props;
  const { words: all } = useReader();
  const words = all.invoices;
  const amount = (name: "net" | "gross" | "credited_gross") => ({
    head: name === "credited_gross" ? words.credited : words[name],
    kind: "number" as const,
    fold: name === "gross" ? ("end" as const) : ("none" as const),
    cell: ({ totals }: DocumentOfCustomer) => (
      <Amount
        value={name === "credited_gross" && totals[name] === 0 ? null : totals[name]}
        currency={totals.currency}
        functional={functional}
      />
    ),
  });
  return (
    <List
      label={all.customers.documents}
      rows={documents}
      empty={<p>{all.customers.no_documents}</p>}
      columns={[
        {
          head: words.number,
          cell: ({ invoice: { ledger_invoice_number: number } }) =>
            number ?? <Pill>{all.customers.draft}</Pill>,
        },
        {
          head: words.title,
          fold: "lead",
          cell: ({ invoice: { id, title } }) => (
            <a href={`/invoices/${id}`}>{title ?? words.untitled}</a>
          ),
        },
        { head: words.date, cell: ({ invoice }) => <Day day={invoice.issue_date} /> },
        amount("net"),
        amount("gross"),
        amount("credited_gross"),
      ]}
    />
  );
}
