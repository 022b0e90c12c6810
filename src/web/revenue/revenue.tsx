/** The revenue page: what was earned by month, for admins of the account, for other people of their own work. */
import * as z from "zod";
import { addToMonth, firstDayOf, type Month } from "../../domain/base/calendar.ts";
import { currentMonth } from "../../features/revenue/accruals/queries.ts";
import { isAddedUpAfter } from "../../features/revenue/revenue-facts/count-lines.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import { reading } from "../../platform/commands/tx.ts";
import { queryFrom } from "../../platform/http/form.ts";
import { Uuid } from "../../platform/http/schemas.ts";
import { type Action, defineAction } from "../frame/action.ts";
import { defineSheetPage } from "../frame/define-sheet.ts";
import { Island } from "../frame/island.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { isAdmin } from "../frame/seen.ts";
import { dayInStyle, monthOf } from "../parts/format.ts";
import { Tabs } from "../parts/list.tsx";
import { balancesReport } from "./balances-report.ts";
import { RevenueTabs } from "./obligations.tsx";
import {
  BASES,
  groupingsOf,
  MOST_MONTHS_SHOWN,
  REVENUE,
  REVENUE_FILE,
  type RevenueAsked,
  revenueAsked,
  revenueFile,
  revenueLink,
  revenuePath,
} from "./revenue-address.ts";
import { island as revenueAhead } from "./revenue-ahead.tsx";
import { island as revenueBalances } from "./revenue-balances.tsx";
import { revenueSheet } from "./revenue-file.ts";
import { revenueReport, revenueShown } from "./revenue-report.ts";
import { RevenueView } from "./revenue-view.tsx";

export const revenuePages: readonly WebPage[] = [
  definePage(`GET ${REVENUE}`, "person", show),
  // The months of an address without a range follow from the day, which the file's own request reads again.
  defineSheetPage(REVENUE_FILE, "person", revenueSheet, ({ query }) => query),
];

const MOST_ADDRESS = 2_000;

export const revenueActions: readonly Action[] = [
  defineAction(
    "/app/revenue/report",
    "person",
    z.object({
      address: z.string().max(MOST_ADDRESS),
      customer: Uuid.nullable(),
      language: z.enum(["en", "da"]),
    }),
    async (cx, { address, customer, language }, { runLong }) => {
      const current = currentMonth(cx, await getConfiguration(cx));
      const asked = revenueAsked(queryFrom(address), current, isAdmin(cx), customer);
      return runLong(revenueReport, { asked, language });
    },
  ),
];

async function show(request: PageRequest): Promise<PageAnswer> {
  const { words } = request.reader;
  const title = isAdmin(request.cx) ? words.revenue.title : words.revenue.title_own;
  const content = (
    <>
      {isAdmin(request.cx) && <RevenueTabs at="revenue" />}
      {await revenueSection(request, null)}
      {isAdmin(request.cx) && (await balancesOf(request))}
    </>
  );
  return { title, lead: words.revenue.lead, content, is_printed: true };
}

/** Returns how the balances of the chosen month moved: computed after the page, unless the address asks for it. */
async function balancesOf({ cx, query, reader, runLong }: PageRequest) {
  const { language, words } = reader;
  const current = currentMonth(cx, await getConfiguration(cx));
  const asked = revenueAsked(query, current, true);
  const month = asked.month ?? (asked.to < current ? asked.to : current);
  if (month > current) return null;
  const here = revenueLink(asked);
  const shown =
    query.balances === undefined ? null : await runLong(balancesReport, { month, language });
  return (
    <section class="stack balances" aria-label={words.balances.moves_of(monthOf(language, month))}>
      <Island of={revenueBalances} with={{ month, language, shown }} />
      {shown === null && (
        <noscript>
          <a class="button" href={`${here}&balances=1`}>
            {words.balances.show}
          </a>
        </noscript>
      )}
    </section>
  );
}

/** Returns the revenue that the address asks for: of all customers, or of one on their page. */
export async function revenueSection(request: PageRequest, customer: string | null) {
  const { cx, query, reader, runLong, url } = request;
  const { language } = reader;
  const words = reader.words.revenue;
  const configuration = await getConfiguration(cx);
  const current = currentMonth(cx, configuration);
  const is_admin = isAdmin(cx);
  const asked = revenueAsked(query, current, is_admin, customer);
  const is_long = await isAddedUpAfter(cx, current, customer);
  return (
    <>
      {asked.is_bad && (
        <p class="note-warn" role="status">
          {words.bad_range(MOST_MONTHS_SHOWN)}
        </p>
      )}
      <Controls asked={asked} current={current} is_admin={is_admin} />
      {is_long && query.all === undefined ? (
        <>
          <Island of={revenueAhead} with={{ address: url, customer, language }} />
          <noscript>
            <a class="button" href={`${revenueLink(asked)}&all=1`}>
              {words.add_up}
            </a>
          </noscript>
        </>
      ) : (
        <RevenueView
          shown={
            is_long
              ? await runLong(revenueReport, { asked, language })
              : await reading(cx, (inside) =>
                  revenueShown(inside, configuration, { asked, language }),
                )
          }
        />
      )}
    </>
  );
}

/** The groupings, the range and the basis of the page: all are links and a form, which work without scripts. */
function Controls(props: { asked: RevenueAsked; current: Month; is_admin: boolean }) {
  const { asked, current, is_admin } = props;
  const { words: all } = useReader();
  const words = all.revenue;
  const groupings = groupingsOf(asked.customer).filter((by) => is_admin || by !== "person");
  const hrefOf = (by: RevenueAsked["by"]) =>
    revenueLink(asked, { by, page: 1, open: null, explain: null });
  const basedOn = (basis: RevenueAsked["basis"]) =>
    revenueLink(asked, { basis, page: 1, open: null, explain: null });
  return (
    <div class="row revenue-controls">
      <Tabs
        label={words.group_by}
        tabs={groupings.map((by) => ({ href: hrefOf(by), word: words.groupings[by] }))}
        current={hrefOf(asked.by)}
      />
      <span class="row">
        <span class="tiny quiet">{words.basis}</span>
        <Tabs
          label={words.basis}
          tabs={BASES.map((basis) => ({ href: basedOn(basis), word: words.bases[basis] }))}
          current={basedOn(asked.basis)}
        />
      </span>
      <span class="row">
        <Range asked={asked} current={current} />
        <a class="button" href={revenueFile(asked)} data-no-prefetch>
          {words.file}
        </a>
      </span>
    </div>
  );
}

function Range({ asked, current }: { asked: RevenueAsked; current: Month }) {
  const { words: all, language } = useReader();
  const words = all.revenue;
  const named = (month: Month) => dayInStyle(language, firstDayOf(month), "month_year");
  const year = Number(current.slice(0, 4));
  const ranges = [
    [words.last_months, addToMonth(current, -12), current],
    [words.this_year, `${year}-01`, `${year}-12`],
    [words.last_year, `${year - 1}-01`, `${year - 1}-12`],
  ] as const;
  const usual = { page: 1, month: null, open: null, explain: null };
  const kept = new URLSearchParams(revenueLink(asked, { ...usual, has_range: false }));
  return (
    <details class="range">
      <summary class="button">{words.range(named(asked.from), named(asked.to))}</summary>
      <div class="card pad">
        <ul>
          {ranges.map(([word, from, to]) => (
            <li>
              <a
                class="link"
                href={revenueLink(asked, {
                  ...usual,
                  has_range: true,
                  from: from as Month,
                  to: to as Month,
                })}
              >
                {word}
              </a>
            </li>
          ))}
        </ul>
        <form method="get" action={revenuePath(asked)}>
          {[...kept].map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <MonthField name="from" label={words.from} value={asked.from} hint={words.month_form} />
          <MonthField name="to" label={words.to} value={asked.to} hint={words.month_form} />
          <button type="submit" class="button main">
            {words.show}
          </button>
        </form>
      </div>
    </details>
  );
}

function MonthField(props: { name: string; label: string; value: string; hint: string }) {
  const { name, label, value, hint } = props;
  return (
    <label class="field">
      <span>{label}</span>
      <input class="input" type="month" name={name} value={value} title={hint} required />
    </label>
  );
}
