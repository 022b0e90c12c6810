/** The list of payments and refunds with its filters, and its file, for admins. */
import { listBankAccounts } from "../../features/receivables/bank-accounts/queries.ts";
import { hasPayable } from "../../features/receivables/open-items/find-own.ts";
import { isPaidInLedger } from "../../features/receivables/open-items/require-begun.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import { ledgerTitle } from "../../platform/commands/connected-ledger.ts";
import { portionsOf } from "../../platform/http/csv-file.ts";
import { todayFor } from "../frame/day-asked.ts";
import { defineSheet, defineSheetPage } from "../frame/define-sheet.ts";
import { Icon } from "../frame/icon.tsx";
import { Island } from "../frame/island.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { textCell } from "../frame/sheet.ts";
import { island as customerChip } from "../invoices/customer-chip.tsx";
import { type CustomerAsked, customerAsked } from "../invoices/find-customer.ts";
import { Chip, type ChipOption, chipClass } from "../parts/chip.tsx";
import { island as dayField } from "../parts/day-field.tsx";
import { fileColumnsOf, List, Older } from "../parts/list.tsx";
import { paymentColumns } from "./payment-columns.tsx";
import { addressOf, filtersOf, isFiltered, type PaymentFilters } from "./payment-filters.ts";
import { NEW_PAYMENT, PAYMENTS } from "./payment-form.tsx";
import { type PaymentListed, readPaymentRows } from "./payment-rows.ts";

const EXPORT_PATH = `${PAYMENTS}/export` as const;
const PAYMENTS_A_PAGE = 50;

export const paymentSheet = defineSheet(
  "pages.payments",
  async (cx, filters: PaymentFilters, { words }) => {
    const [{ functional_currency: functional }, banks] = await Promise.all([
      getConfiguration(cx),
      listBankAccounts(cx),
    ]);
    const columns = paymentColumns({ words, functional, banks: namesOf(banks) });
    return {
      filename: words.files.names.payments,
      columns: [
        ...fileColumnsOf(columns),
        {
          head: words.invoices.currency,
          file: textCell<PaymentListed>(({ currency }) => currency),
        },
      ],
      rows: portionsOf(async (page) => {
        const { data: rows, next_cursor } = await readPaymentRows(cx, filters, page);
        return { rows, next_cursor };
      }),
    };
  },
);

export const paymentListPages: readonly WebPage[] = [
  definePage(`GET ${PAYMENTS}`, "hidden", list),
  defineSheetPage(EXPORT_PATH, "hidden", paymentSheet, filtersOf),
];

function namesOf(banks: Awaited<ReturnType<typeof listBankAccounts>>): ReadonlyMap<string, string> {
  return new Map(banks.map(({ id, name }) => [id, name]));
}

async function list(request: PageRequest): Promise<PageAnswer> {
  const { cx, query, reader } = request;
  const { words } = reader;
  const customer = await customerAsked(request);
  const { customer: _named, ...found } = filtersOf(request);
  const filters = customer.id === undefined ? found : { ...found, customer: customer.id };
  const [{ functional_currency: functional }, all_banks, page, has_payable] = await Promise.all([
    getConfiguration(cx),
    listBankAccounts(cx),
    readPaymentRows(cx, filters, { limit: PAYMENTS_A_PAGE, cursor: query.cursor }),
    hasPayable(cx, null),
  ]);
  const ledger = ledgerTitle(cx.ledger);
  const banks = namesOf(all_banks);
  const content = (
    <>
      {isPaidInLedger(cx) && (
        <p class="soft">
          {has_payable ? words.receivables.in_both(ledger) : words.payments.in_ledger(ledger)}
        </p>
      )}
      <Filtering
        filters={filters}
        customer={customer}
        banks={[...banks].map(([value, text]) => ({ value, text }))}
        today={todayFor(request)}
      />
      <div data-list>
        <List
          label={words.payments.title}
          rows={page.data}
          columns={paymentColumns({ words, functional, banks })}
          empty={
            <p>{isFiltered(filters) ? words.invoices.none_found : words.payments.none_recorded}</p>
          }
        />
      </div>
      <Older address={addressOf(filters, PAYMENTS)} cursor={page.next_cursor} text={words.older} />
    </>
  );
  const actions = (
    <>
      <a class="button" href={addressOf(filters, EXPORT_PATH)} data-no-prefetch data-export>
        <Icon name="download" />
        {words.files.export}
      </a>
      {has_payable && (
        <a class="button main" href={NEW_PAYMENT}>
          <Icon name="plus" />
          {words.payments.record_action}
        </a>
      )}
    </>
  );
  return { title: words.payments.title, content, actions };
}

function Filtering(props: {
  filters: PaymentFilters;
  customer: CustomerAsked;
  banks: readonly ChipOption[];
  today: string;
}) {
  const { filters, customer, banks, today } = props;
  const { words: all } = useReader();
  const words = all.payments;
  const { kinds } = words;
  return (
    <search>
      <form method="get" action={PAYMENTS} class="filters" data-acts>
        <div class={chipClass(customer.id !== undefined)}>
          <span>{all.invoices.customer}</span>
          <Island of={customerChip} with={{ ...customer, id: customer.id ?? "" }} />
        </div>
        <Days filters={filters} today={today} />
        <Chip
          name="kind"
          label={words.kind}
          chosen={filters.kind}
          options={[
            { value: "payment", text: kinds.payment },
            { value: "refund", text: kinds.refund },
          ]}
        />
        <Chip
          name="status"
          label={words.state}
          chosen={filters.status}
          options={[
            { value: "booked", text: words.booked },
            { value: "reversed", text: words.reversed },
          ]}
        />
        {banks.length > 1 && (
          <Chip
            name="bank_account"
            label={words.bank_account}
            chosen={filters.bank_account}
            options={banks}
          />
        )}
        <button type="submit" class="button">
          {all.invoices.filter}
        </button>
        {isFiltered(filters) && (
          <a class="button bare" href={PAYMENTS}>
            {all.invoices.all}
          </a>
        )}
      </form>
      {customer.is_unknown && (
        <p class="small" role="status">
          {all.invoices.no_customer(customer.name)}
        </p>
      )}
    </search>
  );
}

function Days({ filters, today }: { filters: PaymentFilters; today: string }) {
  const { words: all } = useReader();
  return (
    <>
      {(["from", "to"] as const).map((name) => (
        <div class={chipClass(filters[name] !== undefined)}>
          <span>{all.invoices[name]}</span>
          <Island
            of={dayField}
            with={{
              name,
              label: all.invoices[name],
              value: filters[name] ?? "",
              today,
              empty: all.days.any,
              is_named: true,
            }}
          />
        </div>
      ))}
    </>
  );
}
