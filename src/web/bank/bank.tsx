/** The bank page, for admins: files are dropped on it, and it shows the lines that they brought. */
import * as z from "zod";
import type { BankAccount } from "../../domain/receivables/bank-account.ts";
import { listBankAccounts } from "../../features/receivables/bank-accounts/queries.ts";
import { pageOfBankLines } from "../../features/receivables/bank-lines/queries.ts";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { moneyOf } from "../parts/format.ts";
import { List, Older, Searched, searchIn, Tabs } from "../parts/list.tsx";
import { Day } from "../parts/values.tsx";
import { broughtCard, statementsTab } from "./brought.tsx";
import { filesIsland } from "./drop-page.tsx";

const BANK = "/bank";

export const bankPages: readonly WebPage[] = [definePage(`GET ${BANK}`, "hidden", bank)];

const Tab = z.enum(["open", "booked", "ignored", "statements"]);
type Tab = z.output<typeof Tab>;

async function bank(request: PageRequest): Promise<PageAnswer> {
  const { cx, query, reader } = request;
  const words = reader.words.bank_page;
  const tab = Tab.safeParse(query.tab).data ?? "open";
  const accounts = await listBankAccounts(cx);
  const content = (
    <>
      {filesIsland(request, accounts)}
      {await broughtCard(request, accounts)}
      <Tabs
        label={words.title}
        current={addressOf(tab)}
        tabs={Tab.options.map((one) => ({ href: addressOf(one), word: words.tabs[one] }))}
      />
      {tab === "statements"
        ? await statementsTab(request, accounts)
        : await linesTab(request, tab, accounts)}
    </>
  );
  return { title: words.title, lead: words.lead, content };
}

function addressOf(tab: Tab): string {
  return tab === "open" ? BANK : `${BANK}?tab=${tab}`;
}

async function linesTab(
  { cx, query, reader }: PageRequest,
  state: Exclude<Tab, "statements">,
  accounts: readonly BankAccount[],
) {
  const { words: all, language } = reader;
  const words = all.bank_page;
  const search = searchIn(query);
  const page = { limit: 50, cursor: query.cursor, state, ...(search && { search }) } as const;
  const { rows, next_cursor } = await pageOfBankLines(cx, page);
  const of = new Map(accounts.map(({ id, name }) => [id, name]));
  return (
    <>
      <Searched action={BANK} value={search ?? ""} label={words.search} />
      <List
        label={words.tabs[state]}
        rows={rows}
        empty={<p>{words.none[state]}</p>}
        columns={[
          { head: words.day, cell: ({ date }) => <Day day={date} /> },
          {
            head: words.line,
            fold: "lead",
            cell: ({ counterparty_name, text }) => (
              <>
                {counterparty_name !== null && (
                  <span class="strong block">{counterparty_name}</span>
                )}
                <span class="small soft">{text}</span>
              </>
            ),
          },
          {
            head: words.account,
            fold: "none",
            cell: ({ bank_account_id }) => of.get(bank_account_id) ?? "–",
          },
          {
            head: words.amount,
            kind: "number",
            fold: "end",
            cell: ({ amount, currency }) => moneyOf(language, amount, currency),
          },
        ]}
      />
      <Older address={addressOf(state)} cursor={next_cursor} text={all.older} />
    </>
  );
}
