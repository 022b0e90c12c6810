/** The pages of bank accounts in the settings, for admins: the list, and a form for each bank account. */
import type { BankAccount } from "../../domain/receivables/bank-account.ts";
import {
  getBankAccount,
  listBankAccounts,
} from "../../features/receivables/bank-accounts/queries.ts";
import {
  changeBankAccount,
  createBankAccount,
} from "../../features/receivables/bank-accounts/save.ts";
import {
  BankAccountCreate,
  BankAccountUpdate,
} from "../../features/receivables/bank-accounts/schemas.ts";
import { run } from "../../platform/commands/command.ts";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { NO_FAULTS, submitted } from "../frame/submitted.ts";
import { accountText } from "../parts/account-text.ts";
import { List } from "../parts/list.tsx";
import { SettingsTabs } from "../parts/settings-tabs.tsx";
import { Day } from "../parts/values.tsx";
import {
  BANK_ACCOUNT_FIELDS,
  bankAccountForm,
  bankBooks,
  States,
  sentBank,
  typedOfBank,
} from "./bank-account-form.tsx";
import { BANK_ACCOUNTS } from "./bank-addresses.ts";

export const bankAccountPages: readonly WebPage[] = [
  definePage(`GET ${BANK_ACCOUNTS}`, "hidden", list),
  definePage(`GET ${BANK_ACCOUNTS}/new`, "hidden", async (request) =>
    bankAccountForm(request, {
      account: null,
      books: await bankBooks(request.cx),
      typed: {},
      faults: NO_FAULTS,
    }),
  ),
  definePage(`POST ${BANK_ACCOUNTS}/new`, "hidden", async (request) => {
    const books = await bankBooks(request.cx);
    const sent = sentBank(request, books, true);
    const outcome = await submitted(BankAccountCreate, sent, BANK_ACCOUNT_FIELDS, {}, (account) =>
      run(createBankAccount, request.cx, account),
    );
    if ("done" in outcome) return saved(outcome.done.document);
    const { faults, status } = outcome;
    const shown = { account: null, books, typed: request.form, faults };
    return { ...bankAccountForm(request, shown), status };
  }),
  definePage(`GET ${BANK_ACCOUNTS}/:id`, "hidden", async (request) => {
    const [account, books] = await Promise.all([
      getBankAccount(request.cx, request.id),
      bankBooks(request.cx),
    ]);
    const typed = typedOfBank(account, books);
    return bankAccountForm(request, { account, books, typed, faults: NO_FAULTS });
  }),
  definePage(`POST ${BANK_ACCOUNTS}/:id`, "hidden", async (request) => {
    const { cx, id: ref } = request;
    const books = await bankBooks(cx);
    const sent = sentBank(request, books, false);
    const outcome = await submitted(BankAccountUpdate, sent, BANK_ACCOUNT_FIELDS, {}, (changes) =>
      run(changeBankAccount, cx, { ref, changes }),
    );
    if ("done" in outcome) return saved(outcome.done);
    const { faults, status } = outcome;
    const account = await getBankAccount(cx, ref);
    return { ...bankAccountForm(request, { account, books, typed: request.form, faults }), status };
  }),
  ...(
    [
      ["activate", { active: true }],
      ["deactivate", { active: false }],
      ["default", { is_default: true }],
      ["forget-profile", { csv_profile: null }],
    ] as const
  ).map(([verb, changes]) =>
    definePage(`POST ${BANK_ACCOUNTS}/:id/${verb}`, "hidden", async ({ cx, id: ref }) =>
      saved(await run(changeBankAccount, cx, { ref, changes })),
    ),
  ),
];

/** Leads to the list with a notice that names the bank account. */
function saved(document: string): PageAnswer {
  const { name: of } = JSON.parse(document) as { readonly name: string };
  return { redirect: BANK_ACCOUNTS, notice: { done: "bank_account_saved", of } };
}

async function list({ cx, reader }: PageRequest): Promise<PageAnswer> {
  const words = reader.words.bank_accounts;
  const [accounts, { accounts: chart }] = await Promise.all([listBankAccounts(cx), bankBooks(cx)]);
  const content = (
    <>
      <SettingsTabs current={BANK_ACCOUNTS} />
      <List
        label={words.title}
        rows={accounts}
        empty={<p>{words.lead}</p>}
        columns={[
          {
            head: words.name,
            fold: "lead",
            cell: (account) => (
              <>
                <a class="link" href={`${BANK_ACCOUNTS}/${account.id}`}>
                  {account.name}
                </a>{" "}
                <States account={account} />
              </>
            ),
          },
          { head: words.number, cell: (account) => numberOf(account) },
          { head: words.currency, fold: "end", cell: ({ currency }) => currency },
          {
            head: words.ledger_account,
            cell: ({ ledger_account }) => accountText(ledger_account, chart),
          },
          { head: words.through, cell: ({ statements_through: day }) => <Day day={day} /> },
          {
            head: words.csv,
            fold: "none",
            cell: ({ csv_profile }) => (csv_profile === null ? words.csv_asked : words.csv_known),
          },
        ]}
      />
    </>
  );
  const actions = (
    <a class="button main" href={`${BANK_ACCOUNTS}/new`}>
      {words.add}
    </a>
  );
  return { title: words.title, lead: words.lead, content, actions };
}

/** The number by which people know a bank account. */
function numberOf({ iban, registration_number, account_number }: BankAccount): string {
  const own = [registration_number, account_number].filter(Boolean).join(" ");
  return own || iban?.replace(/(.{4})(?=.)/g, "$1 ") || "–";
}
