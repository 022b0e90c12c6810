/** The page of the VAT return of a quarter or a month: the boxes with their documents, and the sales to the EU. */
import * as z from "zod";
import { monthOf } from "../../domain/base/calendar.ts";
import { vatBoxes } from "../../domain/sales/vat-report.ts";
import { customerNames } from "../../features/catalogue/customers/queries.ts";
import { hasManyDocuments, leaveIfMany } from "../../features/ledger/reports/count-documents.ts";
import type { VatReport } from "../../features/ledger/reports/schemas.ts";
import { readVatReport } from "../../features/ledger/reports/vat-report.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import { FirstDay, LastDay } from "../../platform/http/schemas.ts";
import { todayIn } from "../../platform/runtime/clock.ts";
import { type Action, defineAction } from "../frame/action.ts";
import { Island } from "../frame/island.tsx";
import { defineLongWork } from "../frame/long-work.ts";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { monthOf as monthInWords } from "../parts/format.ts";
import type { Words } from "../words/en.ts";
import type { Language } from "../words/words.ts";
import type { DayRange } from "./ledger-range.ts";
import { booksElsewhere, LEDGER, LedgerTabs, otherBooks } from "./ledger-tabs.tsx";
import { island as vatIsland } from "./vat-boxes.tsx";
import { quarterOf, type VatPeriod, vatPeriodIn } from "./vat-period.ts";
import type { VatShown } from "./vat-shown.ts";

const PATH = `${LEDGER}/vat` as const;
const MOST_DOCUMENTS = 100;

export const vatPages: readonly WebPage[] = [definePage(`GET ${PATH}`, "hidden", show)];

/** Computes a VAT return as work that may be long. Throws nothing but the faults of the database. */
export const vatReturn = defineLongWork({
  name: "pages.vat_return",
  is_read: true,
  on_replica: true,
  work: async (cx: PersonContext, range: DayRange): Promise<VatShown> => {
    await leaveIfMany(cx);
    const read = await readVatReport(cx, { ...range, include: ["documents"] });
    const { boxes, eu_sales, documents } = JSON.parse(read) as z.output<typeof VatReport>;
    const shown = vatBoxes.map((box) => {
      const all = documents?.[box] ?? [];
      return {
        box,
        amount: boxes[box],
        count: all.length,
        documents: all.slice(0, MOST_DOCUMENTS),
      };
    });
    const names = await customerNames(cx, [
      ...shown.flatMap((box) => box.documents.map(({ customer_id }) => customer_id)),
      ...eu_sales.map(({ customer_id }) => customer_id),
    ]);
    return {
      boxes: shown.map((box) => ({
        ...box,
        documents: box.documents.map(
          ({ kind, number, date, document_id, customer_id, amount }) => ({
            ...{ kind, number, date, document_id, amount },
            customer: names.get(customer_id) ?? null,
          }),
        ),
      })),
      eu_sales: eu_sales.map(({ vat_number, customer_id, goods, services, warnings }) => ({
        ...{ vat_number, customer_id, goods, services },
        customer: names.get(customer_id) ?? null,
        fault: faultOf(warnings),
      })),
    };
  },
});

function faultOf(warnings: readonly { readonly code: string }[] = []) {
  const [warning] = warnings;
  if (warning === undefined) return null;
  return warning.code === "BUYER_NUMBER_MISSING" ? "missing" : "wrong_form";
}

const Range = z.strictObject({ from: FirstDay, to: LastDay });

export const vatActions: readonly Action[] = [
  defineAction("/app/ledger/vat", "hidden", Range, (_cx, range, { runLong }) =>
    runLong(vatReturn, range),
  ),
];

async function show(request: PageRequest): Promise<PageAnswer> {
  const { cx, query, reader, runLong } = request;
  const words = reader.words.ledger;
  const elsewhere = otherBooks(cx);
  if (elsewhere !== null) return booksElsewhere(request, "vat", words.tabs.vat, elsewhere);
  const { functional_currency: currency, time_zone } = await getConfiguration(cx);
  const period = vatPeriodIn(query.period, todayIn(cx.clock, time_zone));
  const range = { from: period.from, to: period.to };
  const is_late = query.all === undefined && (await hasManyDocuments(cx));
  const report = is_late ? null : await runLong(vatReturn, range);
  const content = (
    <>
      <LedgerTabs at="vat" elsewhere={null} />
      <Periods period={period} />
      <Island of={vatIsland} with={{ ...range, currency, report }} />
      {is_late && (
        <noscript>
          <a class="button" href={`${PATH}?period=${period.key}&all=1`}>
            {words.add_up}
          </a>
        </noscript>
      )}
    </>
  );
  return {
    title: words.tabs.vat,
    lead: words.vat_lead(nameOf(period, reader.language, words), currency),
    content,
    is_printed: true,
  };
}

function nameOf({ quarter, key }: VatPeriod, language: Language, words: Words["ledger"]): string {
  return quarter === null
    ? monthInWords(language, key)
    : words.quarter(quarter.number, quarter.year);
}

/** Shows links to the periods before and after, and to the other length. */
function Periods({ period }: { period: VatPeriod }) {
  const words = useReader().words.ledger;
  const { before, after, quarter, from } = period;
  const other = quarter === null ? quarterOf(monthOf(from)) : monthOf(from);
  const to = (key: string, word: string) => (
    <a class="button" href={`${PATH}?period=${key}`}>
      {word}
    </a>
  );
  return (
    <p class="buttons periods">
      {to(before, words.before)}
      {to(after, words.after)}
      {to(other, quarter === null ? words.whole_quarter : words.by_month)}
    </p>
  );
}
