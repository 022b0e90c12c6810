/** The list of retainers by state, below the strip of the months of all of them. */
import { type Month, monthOf } from "../../domain/base/calendar.ts";
import type { Money } from "../../domain/base/money.ts";
import { linesAt } from "../../domain/series/series.ts";
import {
  listPlacedSeries,
  type PlacedSeries,
  SERIES_ON_PAGE,
  type SeriesGroup,
  seriesGroups,
} from "../../features/overview/series-list/list-placed-series.ts";
import { earnedNotInvoiced } from "../../features/overview/series-list/read-earned.ts";
import { netOfWholePeriod } from "../../features/recurring/occurrences/price-range.ts";
import { findManySeries } from "../../features/recurring/series/queries.ts";
import { effectiveIndex, firstOpen, type Series } from "../../features/recurring/series/series.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import { todayIn } from "../../platform/runtime/clock.ts";
import { Icon } from "../frame/icon.tsx";
import { Island } from "../frame/island.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { isId } from "../frame/reference.ts";
import { isAdmin } from "../frame/seen.ts";
import { amountOf } from "../parts/format.ts";
import { type Column, List } from "../parts/list.tsx";
import { periodName } from "../parts/period.ts";
import { Day, Pill } from "../parts/values.tsx";
import { AllMonths } from "./all-months.tsx";
import { island as monthsStrip } from "./months-strip.tsx";
import { type NextOfSeries, type NextState, nextOf } from "./next-state.ts";
import { MOST_AT_ONCE, seriesOfStrip, sumsOfStrip } from "./strip-months.ts";

const RETAINERS = "/retainers";

export const retainerListPages: readonly WebPage[] = [
  definePage(`GET ${RETAINERS}`, "person", list),
];

/** A retainer as a row of the list. Amounts are in minor units of its currency. */
interface RetainerRow extends PlacedSeries {
  readonly series: Series;
  /** The text of the first line, and the number of other lines; null without lines. */
  readonly what: { readonly text: string; readonly others: number } | null;
  readonly net: Money;
  readonly has_hours: boolean;
  readonly next: NextOfSeries | null;
}

async function list(request: PageRequest): Promise<PageAnswer> {
  const { cx, query, reader } = request;
  const words = reader.words.retainers;
  const configuration = await getConfiguration(cx);
  const today = todayIn(cx.clock, configuration.time_zone);
  const current = monthOf(today);
  const shown = shownBy(query);
  const { customer_id } = shown;
  const [placed, within] = await Promise.all([
    listPlacedSeries(cx, today, shown, shown.page * SERIES_ON_PAGE),
    seriesOfStrip(cx, current, customer_id),
  ]);
  const follows = within.length > MOST_AT_ONCE && query.strip === undefined;
  const many = await findManySeries(cx, [
    ...placed.map(({ id }) => id),
    ...(follows ? [] : within),
  ]);
  const rows = placed.flatMap((one) => rowOf(one, many.get(one.id)));
  const [sums, earned] = await Promise.all([
    follows
      ? null
      : sumsOfStrip(
          cx,
          current,
          within.flatMap((id) => many.get(id) ?? []),
        ),
    isAdmin(cx)
      ? earnedNotInvoiced(
          cx,
          configuration,
          current,
          rows.map(({ series }) => series),
        )
      : undefined,
  ]);
  const functional = configuration.functional_currency;
  const columns = columnsOf(request, functional, earned);
  const content =
    placed.length === 0 && shown.group === null && shown.page === 0 && customer_id === null ? (
      <NoRetainers is_admin={isAdmin(cx)} />
    ) : (
      <>
        <OfCustomer id={customer_id} name={placed[0]?.customer ?? null} />
        {sums === null ? (
          <StripToCome current={current} functional={functional} shown={shown} />
        ) : (
          <AllMonths months={sums} current={current} functional={functional} />
        )}
        <div data-list>
          {seriesGroups.map((group) => (
            <Group
              group={group}
              rows={rows.filter((row) => row.group === group)}
              columns={columns}
              customer_id={customer_id}
            />
          ))}
        </div>
      </>
    );
  const actions = <NewRetainer customer_id={customer_id} />;
  return { title: words.title, content, actions };
}

/** Reads the group, the customer and the page in an address; what cannot be read is left out. */
function shownBy({ group, customer, page }: PageRequest["query"]) {
  return {
    group: seriesGroups.find((one) => one === group) ?? null,
    customer_id: isId(customer) ? customer : null,
    page: /^\d{1,3}$/.test(page ?? "") ? Number(page) : 0,
  };
}

function rowOf(placed: PlacedSeries, series: Series | undefined): RetainerRow[] {
  if (series === undefined) return [];
  const lines = linesAt(series.lines, effectiveIndex(series), "effective");
  const [first] = lines;
  const open = firstOpen(series);
  return [
    {
      ...placed,
      series,
      what: first
        ? {
            text: first.content.description_override ?? first.content.product_name,
            others: lines.length - 1,
          }
        : null,
      ...netOfWholePeriod(lines, series.currency),
      next: open === undefined ? null : nextOf(series, open),
    },
  ];
}

function NewRetainer({ customer_id }: { customer_id: string | null }) {
  const words = useReader().words.retainers;
  const of_customer = customer_id === null ? "" : `?customer=${customer_id}`;
  return (
    <a class="button main" href={`${RETAINERS}/new${of_customer}`}>
      <Icon name="plus" />
      {words.add}
    </a>
  );
}

/** The strip of many retainers, which follows after the page; without scripts it is one link away. */
function StripToCome(props: {
  current: Month;
  functional: string;
  shown: ReturnType<typeof shownBy>;
}) {
  const { current, functional, shown } = props;
  const { customer_id } = shown;
  const words = useReader().words.retainers;
  return (
    <>
      <Island of={monthsStrip} with={{ current, functional, customer_id }} />
      <noscript>
        <a class="button" href={addressOf({ ...shown, strip: "1" })}>
          {words.months}
        </a>
      </noscript>
    </>
  );
}

/** Returns the address of the list with its filters. */
function addressOf(parts: {
  readonly group: SeriesGroup | null;
  readonly customer_id: string | null;
  readonly page: number;
  readonly strip?: string;
}): string {
  const { group, customer_id, page, strip } = parts;
  const query = new URLSearchParams({
    ...(group === null ? {} : { group }),
    ...(customer_id === null ? {} : { customer: customer_id }),
    ...(page === 0 ? {} : { page: `${page}` }),
    ...(strip === undefined ? {} : { strip }),
  });
  return `${RETAINERS}?${query}`;
}

/** Says of which customer the list is, with the link to all; nothing for the list of all. */
function OfCustomer({ id, name }: { id: string | null; name: string | null }) {
  const { words: all } = useReader();
  if (id === null) return null;
  return (
    <p class="row">
      {name === null ? (
        <span>{all.customers.no_retainers}</span>
      ) : (
        <a class="link" href={`/customers/${id}`}>
          {all.retainers.of_customer(name)}
        </a>
      )}
      <a class="button small" href={RETAINERS}>
        {all.retainers.all}
      </a>
    </p>
  );
}

function Group(props: {
  group: SeriesGroup;
  rows: readonly RetainerRow[];
  columns: readonly Column<RetainerRow>[];
  customer_id: string | null;
}) {
  const { group, rows, columns, customer_id } = props;
  const { words: all } = useReader();
  const words = all.retainers;
  const [first] = rows;
  if (first === undefined) return null;
  const last = rows.at(-1)?.place ?? 0;
  return (
    <section class="retainer-group" aria-labelledby={`group-${group}`}>
      <h2 id={`group-${group}`}>
        {words.groups[group]} <span class="quiet small">{first.of_group}</span>
      </h2>
      <List label={words.groups[group]} rows={rows} empty={null} columns={columns} />
      {last < first.of_group && (
        <p>
          <a
            class="button"
            rel="next"
            href={addressOf({ group, customer_id, page: Math.ceil(last / SERIES_ON_PAGE) })}
          >
            {all.older}
          </a>
        </p>
      )}
    </section>
  );
}

const LOOKS: Readonly<Record<NextState, "ok" | "hot" | "warn" | "bad" | null>> = {
  scheduled: "ok",
  late: "hot",
  manual: "hot",
  failed: "bad",
  pending: "warn",
  draft: null,
};

/** Shows the planned day of the next invoice and its state, with a link to the period. */
function Next({ id, next }: { id: string; next: NextOfSeries | null }) {
  const { words: all, language } = useReader();
  const words = all.retainers;
  if (next === null) return <span class="quiet">{words.next_none}</span>;
  const look = LOOKS[next.state];
  return (
    <span class="row next">
      <a href={`${RETAINERS}/${id}/${next.key}`}>
        <Day day={next.day} />
        <span class="unseen">{`, ${periodName(language, next.key)}`}</span>
      </a>
      <Pill {...(look && { kind: look })}>{words.next_states[next.state]}</Pill>
    </span>
  );
}

function columnsOf(
  { reader }: PageRequest,
  functional: string,
  earned: ReadonlyMap<string, Money> | null | undefined,
): readonly Column<RetainerRow>[] {
  const { words: all, language } = reader;
  const words = all.retainers;
  const money = (amount: Money, currency: string) => (
    <>
      {currency !== functional && <span class="quiet">{`${currency} `}</span>}
      {amountOf(language, amount, currency)}
    </>
  );
  return [
    {
      head: words.customer,
      fold: "lead",
      cell: ({ id, customer }) => <a href={`${RETAINERS}/${id}`}>{customer}</a>,
    },
    {
      head: words.what,
      cell: ({ what }) =>
        what === null ? (
          <span class="quiet">{words.no_lines}</span>
        ) : (
          words.and_more(what.text, what.others)
        ),
    },
    {
      head: words.net,
      kind: "number",
      fold: "end",
      cell: ({ net, has_hours, series }) => (
        <>
          {money(net, series.currency)}
          <small class="quiet">
            {` ${words.a(series.frequency)}${has_hours ? ` ${words.net_hours}` : ""}`}
          </small>
        </>
      ),
    },
    { head: words.next, cell: ({ id, next }) => <Next id={id} next={next} /> },
    ...(earned === undefined
      ? []
      : [
          {
            head: words.earned,
            kind: "number" as const,
            fold: "none" as const,
            cell: ({ id, series }: RetainerRow) => {
              if (earned === null) return <span title={words.too_many}>–</span>;
              const amount = earned.get(id) ?? 0n;
              return amount === 0n ? "–" : money(amount, series.currency);
            },
          },
        ]),
    {
      head: words.ends,
      fold: "none",
      cell: ({ series }) =>
        series.end_date === null ? (
          <span class="quiet">{words.no_end}</span>
        ) : (
          <Day day={series.end_date} />
        ),
    },
  ];
}

function NoRetainers({ is_admin }: { is_admin: boolean }) {
  const { words: all } = useReader();
  const words = all.retainers;
  return (
    <div class="card pad">
      <p class="strong">{is_admin ? words.none : words.none_seen}</p>
      <p class="soft">{words.none_next}</p>
    </div>
  );
}
