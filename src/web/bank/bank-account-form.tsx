/** The form of a bank account: its fields, as they are shown and as they are sent. */
import type { BankAccount } from "../../domain/receivables/bank-account.ts";
import { wholeChart } from "../../features/ledger/reports/queries.ts";
import { booksOf } from "../../features/settings/configuration/accounts.ts";
import { getConfiguration, roleAccounts } from "../../features/settings/configuration/queries.ts";
import type { Reader } from "../../platform/commands/context.ts";
import { Form, Submit } from "../frame/form.tsx";
import type { PageAnswer, PageRequest } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import type { Faults } from "../frame/submitted.ts";
import { accountFrom, accountText } from "../parts/account-text.ts";
import { CheckedField } from "../parts/checked-entry.tsx";
import { FormFaults, ListedEntry } from "../parts/entry.tsx";
import { fieldsOf, type TypedFields } from "../parts/fields.tsx";
import { SettingsTabs } from "../parts/settings-tabs.tsx";
import { Pill } from "../parts/values.tsx";
import { BANK_ACCOUNTS } from "./bank-addresses.ts";
import { CsvProfileCard } from "./csv-profile-facts.tsx";

export const BANK_ACCOUNT_FIELDS = [
  "name",
  "currency",
  "ledger_account",
  "iban",
  "registration_number",
  "account_number",
];

/** What the form needs besides the bank account: accounts that may stand for one, and the currency of the books. */
interface BankBooks {
  readonly accounts: readonly { readonly number: number; readonly name: string }[];
  readonly currency: string;
  /** The numbers that documents print of the firm's own bank account. */
  readonly printed: BankNumbers;
}

type BankNumbers = Pick<BankAccount, "iban" | "registration_number" | "account_number">;

/** Returns the asset accounts that have no other use. */
export async function bankBooks(cx: Reader): Promise<BankBooks> {
  const configuration = await getConfiguration(cx);
  const control = booksOf(cx)?.control_accounts;
  const taken = new Set<number | null | undefined>([
    ...Object.values(roleAccounts(configuration)),
    control?.receivables,
    control?.vat,
  ]);
  const chart = await wholeChart(cx, false);
  return {
    accounts: chart.filter(({ type, number }) => type === "asset" && !taken.has(number)),
    currency: configuration.functional_currency,
    printed: {
      iban: configuration.seller?.iban ?? null,
      registration_number: configuration.seller?.bank_registration_number ?? null,
      account_number: configuration.seller?.bank_account_number ?? null,
    },
  };
}

/** Whether the form of a bank account offers the numbers that documents print: it is the default one, and has none of its own. */
function takesPrinted(account: BankAccount, { printed }: BankBooks): boolean {
  return account.is_default && !hasNumber(account) && hasNumber(printed);
}

function hasNumber({ iban, account_number }: BankNumbers): boolean {
  return iban !== null || account_number !== null;
}

/** Returns the values of the form's fields for a stored bank account. */
export function typedOfBank(account: BankAccount, books: BankBooks): TypedFields {
  const numbers = takesPrinted(account, books) ? books.printed : account;
  return {
    name: account.name,
    currency: account.currency,
    ledger_account: accountText(account.ledger_account, books.accounts),
    iban: numbers.iban?.replace(/(.{4})(?=.)/g, "$1 ") ?? "",
    registration_number: numbers.registration_number ?? "",
    account_number: numbers.account_number ?? "",
  };
}

/** Returns the values of the form, as the API takes them. An empty field is removed where the API allows that. */
export function sentBank(
  { form }: PageRequest,
  { accounts, currency }: BankBooks,
  is_new: boolean,
): Record<string, unknown> {
  const text = (name: string) => form[name]?.trim() || null;
  return {
    name: text("name") ?? "",
    ...(is_new && { currency: text("currency")?.toUpperCase() ?? currency }),
    ledger_account: accountFrom(form.ledger_account, accounts) ?? null,
    iban: text("iban"),
    registration_number: text("registration_number"),
    account_number: text("account_number"),
  };
}

interface ShownBank {
  /** Null for a new bank account. */
  readonly account: BankAccount | null;
  readonly books: BankBooks;
  readonly typed: TypedFields;
  readonly faults: Faults;
}

/** Returns the page with the form of a bank account, and with what can be done to a stored one. */
export function bankAccountForm(request: PageRequest, shown: ShownBank): PageAnswer {
  const { words: all } = request.reader;
  const { account, typed, faults } = shown;
  const action = `${BANK_ACCOUNTS}/${account?.id ?? "new"}`;
  const content = (
    <>
      <SettingsTabs current={BANK_ACCOUNTS} />
      {account !== null && (account.is_default || !account.active) && (
        <p>
          <States account={account} />
        </p>
      )}
      <div class="card pad wide-form">
        <FormFaults faults={faults} words={all.see_fields} />
        <Form action={action} csrf={request.csrf(action)}>
          <Fields shown={shown} />
          <Submit text={all.save} />
        </Form>
      </div>
      {account !== null && (
        <>
          <CsvProfileCard profile={account.csv_profile} />
          <Verbs request={request} account={account} />
        </>
      )}
    </>
  );
  return { title: account === null ? all.bank_accounts.add : (typed.name ?? ""), content };
}

function Fields({ shown }: { shown: ShownBank }) {
  const { bank_accounts: words, customers } = useReader().words;
  const { account, books, typed, faults } = shown;
  const { entry } = fieldsOf(typed, faults);
  const is_unknown = Number.isNaN(accountFrom(typed.ledger_account, books.accounts));
  const is_refused = faults.get("ledger_account")?.code === "not_allowed";
  const note = is_unknown ? words.no_account : is_refused ? words.ledger_fault : undefined;
  return (
    <div class="form-columns">
      <div class="fields">
        {entry("name", words.name, { most: 100 })}
        {account === null ? (
          entry("currency", words.currency, {
            hint: customers.currency_hint(books.currency),
            most: 3,
          })
        ) : (
          <p class="small">
            {words.currency}: <span class="strong">{account.currency}</span>.{" "}
            <span class="tiny quiet">{words.currency_fixed}</span>
          </p>
        )}
        <ListedEntry
          name="ledger_account"
          label={words.ledger_account}
          value={typed.ledger_account ?? ""}
          hint={words.ledger_hint}
          listed={books.accounts.map(({ number, name }) => `${number} ${name}`)}
          note={note}
          faults={faults}
        />
      </div>
      <div class="fields">
        <CheckedField
          name="iban"
          label={words.iban}
          value={typed.iban ?? ""}
          check="iban"
          faults={faults}
        />
        {entry("registration_number", words.registration_number, { most: 20 })}
        {entry("account_number", words.account_number, { most: 40 })}
        {account !== null && takesPrinted(account, books) && (
          <p class="tiny quiet">{words.from_company}</p>
        )}
      </div>
    </div>
  );
}

/** Shows whether a bank account is the default, or inactive. */
export function States({ account }: { account: Pick<BankAccount, "is_default" | "active"> }) {
  const words = useReader().words.bank_accounts;
  if (account.is_default) return <Pill kind="ok">{words.is_default}</Pill>;
  return account.active ? null : <Pill>{words.inactive}</Pill>;
}

function Verbs({ request, account }: { request: PageRequest; account: BankAccount }) {
  const { words: all } = request.reader;
  const words = all.bank_accounts;
  const verbs = [
    ...(account.is_default
      ? []
      : account.active
        ? ([
            ["default", words.default_means, words.make_default],
            ["deactivate", words.deactivate_means, all.deactivate],
          ] as const)
        : ([["activate", words.activate_means, all.activate]] as const)),
    ...(account.csv_profile === null
      ? []
      : ([["forget-profile", words.forget_means, words.forget]] as const)),
  ];
  return (
    <>
      {account.is_default && <p class="quiet">{words.default_means}</p>}
      {verbs.map(([verb, means, text]) => {
        const action = `${BANK_ACCOUNTS}/${account.id}/${verb}`;
        return (
          <Form action={action} csrf={request.csrf(action)}>
            <p class="quiet">{means}</p>
            <Submit text={text} is_secondary />
          </Form>
        );
      })}
    </>
  );
}
