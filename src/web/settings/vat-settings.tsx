/** The page of VAT, accounts and exchange rates, for admins. Which VAT a buyer pays is computed by the rule that books it. */

import * as z from "zod";
import { invalidField } from "../../domain/base/problem.ts";
import { determineVat, type VatCustomer, type VatSettings } from "../../domain/sales/vat.ts";
import { formatCountry, formatPercent } from "../../features/documents/printing/format.ts";
import { wholeChart } from "../../features/ledger/reports/queries.ts";
import { withoutSales } from "../../features/settings/configuration/accounts.ts";
import {
  getConfiguration,
  listRates,
  vatSettings,
} from "../../features/settings/configuration/queries.ts";
import { putRate } from "../../features/settings/configuration/save.ts";
import { RateParams, RatePut } from "../../features/settings/configuration/schemas.ts";
import { run } from "../../platform/commands/command.ts";
import { dayAsked, todayFor } from "../frame/day-asked.ts";
import { Form, Submit } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { type Faults, NO_FAULTS, submitted } from "../frame/submitted.ts";
import { countriesIn } from "../parts/countries.ts";
import { DayEntry } from "../parts/day-entry.tsx";
import { Entry, FormFaults } from "../parts/entry.tsx";
import { Card } from "../parts/facts.tsx";
import { fieldsOf, type TypedFields } from "../parts/fields.tsx";
import { dayOf, plainNumber } from "../parts/format.ts";
import { List } from "../parts/list.tsx";
import { numberFrom } from "../parts/number.ts";
import type { SelectOption } from "../parts/select.tsx";
import { SettingsTabs } from "../parts/settings-tabs.tsx";
import { type FieldKinds, saveFields, storedFields } from "./configuration-form.ts";

const VAT = "/settings/vat";
const KINDS: FieldKinds = {
  "vat.domestic_rate": "number",
  "vat.domestic_country": "word",
  default_revenue_account: "some_number",
  "account_roles.contract_asset": "some_number",
  "account_roles.contract_liability": "some_number",
  "account_roles.exchange_difference": "some_number",
  rate_max_age_days: "some_number",
  "account_roles.customer_credit": "some_number",
  "account_roles.rounding": "some_number",
  "account_roles.payment_fee": "some_number",
  "account_roles.reminder_fee": "some_number",
  "account_roles.interest_income": "some_number",
  "payments.rounding_limit": "number",
};

/** The roles of payments and reminders, with the types of their accounts. */
const PAYMENT_ROLES = [
  ["account_roles.customer_credit", ["liability"]],
  ["account_roles.rounding", ["expense", "income"]],
  ["account_roles.payment_fee", ["expense"]],
  ["account_roles.reminder_fee", ["income"]],
  ["account_roles.interest_income", ["income"]],
] as const;

export const vatSettingsPages: readonly WebPage[] = [
  definePage(`GET ${VAT}`, "hidden", async (request) =>
    vat(request, await storedOf(request), NO_FAULTS, 200),
  ),
  definePage(`POST ${VAT}`, "hidden", (request) =>
    saveFields(request, VAT, KINDS, {}, (typed, faults, status) =>
      vat(request, typed, faults, status),
    ),
  ),
  definePage(`POST ${VAT}/rate`, "hidden", saveRate),
];

function storedOf({ cx, reader }: PageRequest): Promise<TypedFields> {
  return storedFields(cx, reader.language, KINDS);
}

const Rate = z.object({ ...RateParams.shape, rate: RatePut.shape.rate });

async function saveRate(request: PageRequest): Promise<PageAnswer> {
  const { cx, form, reader } = request;
  const sent = {
    currency: form.currency?.trim().toUpperCase(),
    date: dayAsked(request, form.date),
    rate: numberFrom(reader.language, form.rate),
  };
  const outcome = await submitted(Rate, sent, ["currency", "date", "rate"], {}, async (rate) => {
    if (!(rate.rate > 0)) throw invalidField("rate", "too_small", "Not a rate.");
    return run(putRate, cx, rate);
  });
  if ("done" in outcome) {
    return { redirect: VAT, notice: { done: "rate_set", of: sent.currency ?? "" } };
  }
  return vat(request, { ...(await storedOf(request)), ...form }, outcome.faults, outcome.status);
}

interface ShownRate {
  readonly currency: string;
  readonly date: string;
  readonly rate: number;
}

async function vat(
  request: PageRequest,
  typed: TypedFields,
  faults: Faults,
  status: number,
): Promise<PageAnswer> {
  const { cx, csrf, reader } = request;
  const { words: all } = reader;
  const words = all.vat_settings;
  const configuration = await getConfiguration(cx);
  const accounts = await wholeChart(cx, false);
  const { data: rates } = JSON.parse(await listRates(cx, { limit: 20 })) as { data: ShownRate[] };
  const content = (
    <>
      <SettingsTabs current={VAT} />
      <div class="stack settings">
        <FormFaults faults={faults} words={all.see_fields} />
        <Buyers settings={vatSettings(configuration)} />
        <VatForm
          typed={typed}
          faults={faults}
          accounts={accounts}
          without_sales={withoutSales(configuration)}
          books_payments={cx.ledger?.transactional === true}
          csrf={csrf(VAT)}
        />
        <Rates
          rates={rates}
          typed={typed}
          faults={faults}
          currency={configuration.functional_currency}
          today={todayFor(request)}
          csrf={csrf(`${VAT}/rate`)}
        />
      </div>
    </>
  );
  return { title: words.title, lead: words.lead, content, status };
}

/** The fields of VAT and accounts; an account is chosen by number and name. */
function VatForm(props: {
  typed: TypedFields;
  faults: Faults;
  accounts: readonly ChartAccount[];
  /** The numbers of the accounts on which nothing is sold. */
  without_sales: ReadonlySet<number>;
  books_payments: boolean;
  csrf: string;
}) {
  const { words: all, language } = useReader();
  const words = all.vat_settings;
  const { entry, select } = fieldsOf(props.typed, props.faults);
  const optionsOf = (...types: readonly string[]): readonly SelectOption[] => [
    ["", words.no_account],
    ...props.accounts
      .filter(({ type }) => types.includes(type))
      .map(({ number, name }): SelectOption => [String(number), `${number} ${name}`]),
  ];
  return (
    <div class="card pad company-fields">
      <Form action={VAT} csrf={props.csrf}>
        <fieldset class="fields">
          <legend>{words.at_home}</legend>
          {entry("vat.domestic_rate", words.rate, { most: 6 })}
          {select("vat.domestic_country", words.country, countriesIn(language))}
        </fieldset>
        <fieldset class="fields">
          <legend>{words.accounts}</legend>
          {select(
            "default_revenue_account",
            words.roles.default_revenue_account,
            optionsOf("income").filter(([number]) => !props.without_sales.has(Number(number))),
          )}
          {select(
            "account_roles.contract_asset",
            words.roles["account_roles.contract_asset"],
            optionsOf("asset"),
          )}
          {select(
            "account_roles.contract_liability",
            words.roles["account_roles.contract_liability"],
            optionsOf("liability"),
          )}
          {select(
            "account_roles.exchange_difference",
            words.roles["account_roles.exchange_difference"],
            optionsOf("income", "expense"),
          )}
          {entry("rate_max_age_days", words.oldest, { hint: words.oldest_hint, most: 5 })}
        </fieldset>
        {props.books_payments && (
          <fieldset class="fields">
            <legend>{words.accounts_of_payments}</legend>
            {PAYMENT_ROLES.map(([name, types]) =>
              select(name, words.roles[name], optionsOf(...types)),
            )}
            {entry("payments.rounding_limit", words.rounding_limit, {
              hint: words.rounding_limit_hint,
              most: 12,
            })}
          </fieldset>
        )}
        <Submit text={all.save} />
      </Form>
    </div>
  );
}

type ChartAccount = Awaited<ReturnType<typeof wholeChart>>[number];

type RowName = "home" | "eu_business" | "eu_person" | "abroad";

/** A buyer for each row, outside of the seller's own country; the VAT numbers have the forms of their countries. */
function examplesFor({ domestic_country }: VatSettings): Readonly<Record<RowName, VatCustomer>> {
  const [country_key, vat_number] =
    domestic_country === "DE" ? ["DK", "DK13585628"] : ["DE", "DE136695976"];
  const buyer = { is_person: false, vat_number: null };
  const abroad = domestic_country === "US" ? "CA" : "US";
  return {
    home: { ...buyer, country_key: domestic_country },
    eu_business: { ...buyer, country_key, vat_number },
    eu_person: { country_key, is_person: true, vat_number: null },
    abroad: { ...buyer, country_key: abroad },
  };
}

/** Shows which VAT a sale has, by the kind of buyer, with an example of each. */
function Buyers({ settings }: { settings: VatSettings }) {
  const { words: all, language } = useReader();
  const words = all.vat_settings;
  const vatOf = (account_code: "EU_GOODS_RC" | null, buyer: VatCustomer): string => {
    const code = determineVat(account_code, buyer, settings);
    if (code !== "DK25") return words.none[code];
    return words.charged(formatPercent(settings.domestic_rate, language));
  };
  const exampleOf = ({ country_key, is_person, vat_number }: VatCustomer): string => {
    const country = formatCountry(country_key, language);
    if (vat_number !== null) return words.company_with(country, vat_number);
    return is_person ? words.person_in(country) : words.company_in(country);
  };
  return (
    <Card title={words.table} id="buyers">
      <List
        label={words.table}
        rows={Object.entries(examplesFor(settings)) as [RowName, VatCustomer][]}
        empty={null}
        columns={[
          {
            head: words.buyer,
            cell: ([name, buyer]) => (
              <>
                <div>{words.rows[name]}</div>
                <div class="small quiet">{words.example(exampleOf(buyer))}</div>
              </>
            ),
          },
          { head: words.services, cell: ([, buyer]) => vatOf(null, buyer) },
          { head: words.goods, cell: ([, buyer]) => vatOf("EU_GOODS_RC", buyer) },
        ]}
      />
    </Card>
  );
}

function Rates(props: {
  rates: readonly ShownRate[];
  typed: TypedFields;
  faults: Faults;
  currency: string;
  today: string;
  csrf: string;
}) {
  const { rates, typed, faults, currency, today, csrf } = props;
  const { words: all, language } = useReader();
  const words = all.vat_settings;
  const field = (name: string, label: string, most: number) => (
    <Entry
      name={name}
      label={label}
      most={most}
      value={typed[name] ?? ""}
      faults={faults}
      is_required
    />
  );
  return (
    <Card title={words.rates} id="rates">
      <List
        label={words.rates}
        rows={rates}
        empty={<p class="soft">{words.no_rates}</p>}
        columns={[
          { head: words.currency, fold: "lead", cell: (rate) => rate.currency },
          { head: words.day, cell: ({ date }) => dayOf(language, date) },
          {
            head: words.rate_of(currency),
            kind: "number",
            fold: "end",
            cell: ({ rate }) => plainNumber(language, rate),
          },
        ]}
      />
      <div class="pad company-fields">
        <Form action={`${VAT}/rate`} csrf={csrf}>
          <fieldset class="fields">
            {field("currency", words.currency, 3)}
            <DayEntry
              name="date"
              label={words.day}
              value={typed.date ?? ""}
              today={today}
              faults={faults}
              is_required
            />
            {field("rate", words.rate_of(currency), 20)}
          </fieldset>
          <Submit text={words.set_rate} is_secondary />
        </Form>
      </div>
    </Card>
  );
}
