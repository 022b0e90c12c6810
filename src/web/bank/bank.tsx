/** The bank page, for admins: files are dropped on it, and it shows the lines that they brought. */
import * as z from "zod";
import { listBankAccounts } from "../../features/receivables/bank-accounts/queries.ts";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { Tabs } from "../parts/list.tsx";
import { BANK } from "./bank-addresses.ts";
import { broughtCard, statementsTab } from "./brought.tsx";
import { filesIsland } from "./drop-page.tsx";
import { linesTab } from "./lines-tab.tsx";
import { lineWords } from "./lines-words.ts";

export const bankPages: readonly WebPage[] = [definePage(`GET ${BANK}`, "hidden", bank)];

const Tab = z.enum(["open", "booked", "ignored", "statements"]);
type Tab = z.output<typeof Tab>;

async function bank(request: PageRequest): Promise<PageAnswer> {
  const { cx, query, reader } = request;
  const words = lineWords(reader.language);
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
        : await linesTab(request, tab, accounts, addressOf(tab))}
    </>
  );
  return { title: words.title, lead: words.lead, content };
}

function addressOf(tab: Tab): string {
  return tab === "open" ? BANK : `${BANK}?tab=${tab}`;
}
