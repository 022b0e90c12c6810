/** The pages of deferred revenue and of remaining obligations at a month's end, for admins. */
import { lastDayOf, type Month, month as readMonth } from "../../domain/base/calendar.ts";
import { currentMonth } from "../../features/revenue/accruals/queries.ts";
import { isAddedUpAfter } from "../../features/revenue/revenue-facts/count-lines.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import { defineSheetPage } from "../frame/define-sheet.ts";
import { Island } from "../frame/island.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { dayOf } from "../parts/format.ts";
import { Tabs } from "../parts/list.tsx";
import { deferredSheet, obligationsReport, remainingSheet } from "./obligations-report.ts";
import type { ObligationKind } from "./obligations-shown.ts";
import { island as obligationsTable } from "./obligations-table.tsx";
import { REVENUE } from "./revenue-address.ts";

const KINDS = ["deferred", "remaining"] as const;

export const obligationPages: readonly WebPage[] = [
  ...KINDS.map((kind) =>
    definePage(`GET ${REVENUE}/${kind}`, "hidden", (request) => show(request, kind)),
  ),
  defineSheetPage(`${REVENUE}/deferred/export`, "hidden", deferredSheet, monthOfFile),
  defineSheetPage(`${REVENUE}/remaining/export`, "hidden", remainingSheet, monthOfFile),
];

/** Returns the month that the address names; null for the current one. */
function monthOfFile({ query }: PageRequest): Month | null {
  return readMonth(query.month ?? "") ?? null;
}

async function show(request: PageRequest, kind: ObligationKind): Promise<PageAnswer> {
  const { cx, query, reader, runLong } = request;
  const { words: all, language } = reader;
  const words = all.balances;
  const current = currentMonth(cx, await getConfiguration(cx));
  const month = readMonth(query.month ?? "") ?? current;
  const page = /^[1-9]\d{0,3}$/.test(query.page ?? "") ? Number(query.page) : 1;
  const asked = { kind, month, page };
  const is_long = await isAddedUpAfter(cx, current);
  const is_after = is_long && query.all === undefined;
  const shown = is_after
    ? null
    : is_long
      ? await runLong(obligationsReport, asked)
      : await obligationsReport.work(cx, asked);
  const day = dayOf(language, lastDayOf(month));
  const content = (
    <>
      <RevenueTabs at={kind} />
      <form method="get" class="row month-asked">
        <label class="field">
          <span>{words.month}</span>
          <input class="input" type="month" name="month" value={month} required />
        </label>
        <button type="submit" class="button">
          {all.revenue.show}
        </button>
        <a class="button" href={`${REVENUE}/${kind}/export?month=${month}`} data-no-prefetch>
          {all.revenue.file}
        </a>
      </form>
      <Island of={obligationsTable} with={{ asked, shown }} />
      {is_after && (
        <noscript>
          <a class="button" href={`${REVENUE}/${kind}?month=${month}&all=1`}>
            {all.revenue.add_up}
          </a>
        </noscript>
      )}
    </>
  );
  const lead = kind === "deferred" ? words.deferred_lead(day) : words.remaining_lead(day);
  return { title: words[kind], lead, content, is_printed: true };
}

/** The pages about revenue, for admins. */
export function RevenueTabs({ at }: { at: "revenue" | ObligationKind }) {
  const words = useReader().words.balances;
  const hrefOf = (one: typeof at) => (one === "revenue" ? REVENUE : `${REVENUE}/${one}`);
  return (
    <p class="revenue-tabs">
      <Tabs
        label={words.revenue}
        tabs={(["revenue", ...KINDS] as const).map((one) => ({
          href: hrefOf(one),
          word: words[one],
        }))}
        current={hrefOf(at)}
      />
    </p>
  );
}
