/** The page of the chart of accounts, whose names are changed in place. */
import * as z from "zod";
import { changeAccount } from "../../features/ledger/reports/change-account.ts";
import {
  type AccountRow,
  hasManyEntries,
  wholeChart,
} from "../../features/ledger/reports/queries.ts";
import { LedgerAccountUpdate } from "../../features/ledger/reports/schemas.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import { run } from "../../platform/commands/command.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import { type Action, defineAction } from "../frame/action.ts";
import { Island } from "../frame/island.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { island as accountList } from "./account-list.tsx";
import { LEDGER, LedgerTabs, otherBooks } from "./ledger-tabs.tsx";

export const accountPages: readonly WebPage[] = [
  definePage(`GET ${LEDGER}/accounts`, "hidden", show),
];

const Renamed = z.strictObject({
  number: z.int(),
  name: LedgerAccountUpdate.shape.name.unwrap(),
  seen_name: z.string(),
});

export const accountActions: readonly Action[] = [
  defineAction("/app/ledger/rename", "hidden", Renamed, async (cx, sent) => {
    const { number, name, seen_name } = sent;
    const done = await run(changeAccount, cx, { number, changes: { name }, seen_name });
    return { name: (JSON.parse(done) as { readonly name: string }).name };
  }),
  defineAction(
    "/app/ledger/account-balances",
    "hidden",
    z.strictObject({}),
    async (cx) => balancesByNumber(await wholeChart(cx, true)),
    (cx: PersonContext) => hasManyEntries(cx),
  ),
];

/** Returns the balances by account number, as text in minor units. */
function balancesByNumber(rows: readonly AccountRow[]): Readonly<Record<string, string>> {
  return Object.fromEntries(rows.map(({ number, balance }) => [number, `${balance}`]));
}

async function show({ cx, query, reader, takeHeavyPlace }: PageRequest): Promise<PageAnswer> {
  const words = reader.words.ledger;
  const elsewhere = otherBooks(cx);
  const { functional_currency: currency } = await getConfiguration(cx);
  const is_long = elsewhere === null && (await hasManyEntries(cx));
  const is_late = is_long && query.all === undefined;
  if (is_long && !is_late) await takeHeavyPlace();
  const has_balances = elsewhere === null && !is_late;
  const rows = await wholeChart(cx, has_balances);
  const content = (
    <>
      <LedgerTabs at="accounts" elsewhere={elsewhere} />
      <Island
        of={accountList}
        with={{
          rows: rows.map(({ number, name, type, vat_code }) => ({ number, name, type, vat_code })),
          balances: has_balances ? balancesByNumber(rows) : null,
          currency,
          has_books: elsewhere === null,
        }}
      />
      {is_late && (
        <noscript>
          <a class="button" href={`${LEDGER}/accounts?all=1`}>
            {words.add_up}
          </a>
        </noscript>
      )}
    </>
  );
  return {
    title: words.tabs.accounts,
    lead: elsewhere === null ? words.accounts_lead : words.accounts_elsewhere(elsewhere),
    content,
    stores_itself: true,
  };
}
