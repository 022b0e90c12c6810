/**
 * The address of the revenue page: what is asked for, and links that change one part of it. Everything is in the address, so that
 * each view can be sent to a colleague.
 */
import {
  addToMonth,
  type Month,
  monthsApart,
  month as readMonth,
} from "../../domain/base/calendar.ts";

export const REVENUE = "/revenue";
const GROUPINGS = ["customer", "person", "product", "line"] as const;
export type RevenueGrouping = (typeof GROUPINGS)[number];
export const BASES = ["work_month", "booking_month"] as const;
/** The filters, under the names of the API. */
export const FILTERS = ["customer", "user", "product", "series", "invoice"] as const;
export type FilterName = (typeof FILTERS)[number];

/** The most months of a range, both ends included. */
export const MOST_MONTHS_SHOWN = 36;
/** The rows of one page of the matrix; its sums are of all rows. */
export const ROWS_A_PAGE = 50;
/** The months that a page without a range shows: before the current one, and the forecast after it. */
const [BEFORE, AHEAD] = [12, 2];
const MOST_PAGES = 10_000;

/** One amount of the matrix: a group (null for revenue without a person) or the line that is explained, and the month. */
export interface CellAsked {
  readonly id: string | null;
  readonly month: Month;
}

export interface RevenueAsked {
  /** The customer on whose page the revenue stands; null on the page of all revenue. */
  readonly customer: string | null;
  readonly by: RevenueGrouping;
  readonly from: Month;
  readonly to: Month;
  /** Whether the address names the range. */
  readonly has_range: boolean;
  /** Whether the address names a range that cannot be shown; the last thirteen months stand for it. */
  readonly is_bad: boolean;
  readonly basis: (typeof BASES)[number];
  /** The month of the figures, within the range; null for the last month that is no forecast. */
  readonly month: Month | null;
  readonly filters: Readonly<Partial<Record<FilterName, string>>>;
  /** The page of the matrix, from 1. */
  readonly page: number;
  readonly open: CellAsked | null;
  readonly explain: (CellAsked & { readonly id: string }) | null;
}

type Fields = Readonly<Record<string, string | undefined>>;

/**
 * Returns what an address asks for. A standard user sees their own revenue: groups by person and filters of people do not apply.
 * On the page of a customer the revenue is theirs, by line unless the address says otherwise.
 */
export function revenueAsked(
  fields: Fields,
  current: Month,
  is_admin: boolean,
  customer: string | null = null,
): RevenueAsked {
  const usual = customer === null ? "customer" : "line";
  const known = groupingsOf(customer).find((one) => one === fields.by) ?? usual;
  const by = known === "person" && !is_admin ? "customer" : known;
  const range = rangeOf(fields, current);
  const month = readMonth(fields.month ?? "");
  const page = /^[1-9]\d{0,4}$/.test(fields.page ?? "") ? Number(fields.page) : 1;
  const explain = cellFrom(fields.explain);
  const named = FILTERS.filter((name) => is_admin || name !== "user").flatMap((name) => {
    const value = fields[name]?.trim();
    return value ? [[name, value] as const] : [];
  });
  return {
    customer,
    by,
    ...range,
    basis: BASES.find((one) => one === fields.basis) ?? "work_month",
    month: month !== undefined && month >= range.from && month <= range.to ? month : null,
    filters: { ...Object.fromEntries(named), ...(customer !== null && { customer }) },
    page: Math.min(page, MOST_PAGES),
    // The amounts of lines have an explanation instead.
    open: by === "line" ? null : cellFrom(fields.open),
    explain: explain?.id == null ? null : { id: explain.id, month: explain.month },
  };
}

/** Returns the groupings that make sense: a customer's page has one customer. */
export function groupingsOf(customer: string | null): readonly RevenueGrouping[] {
  return customer === null ? GROUPINGS : GROUPINGS.filter((one) => one !== "customer");
}

function rangeOf(fields: Fields, current: Month) {
  const has_range = Boolean(fields.from) || Boolean(fields.to);
  const usual = { from: addToMonth(current, -BEFORE), to: addToMonth(current, AHEAD) };
  if (!has_range) return { ...usual, has_range, is_bad: false };
  const to = fields.to ? readMonth(fields.to) : current;
  const from = fields.from ? readMonth(fields.from) : to && addToMonth(to, -BEFORE);
  const count = from === undefined || to === undefined ? 0 : monthsApart(from, to) + 1;
  if (from !== undefined && to !== undefined && count >= 1 && count <= MOST_MONTHS_SHOWN) {
    return { from, to, has_range, is_bad: false };
  }
  return { from: usual.from, to: current, has_range: false, is_bad: true };
}

const ID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const CELL = new RegExp(`^(${ID}|-)\\.(\\d{4}-\\d\\d)$`);
/** Stands for the group of revenue without a person. */
const NO_ID = "-";

/** Returns the amount that a text such as `<id>.2026-11` names; null for any other text. */
export function cellFrom(text: string | undefined): CellAsked | null {
  const [, id = "", at = ""] = CELL.exec(text ?? "") ?? [];
  const month = readMonth(at);
  return month === undefined ? null : { id: id === NO_ID ? null : id, month };
}

/** Returns the text of `cellFrom`. */
export function cellText({ id, month }: CellAsked): string {
  return `${id ?? NO_ID}.${month}`;
}

/** Returns the address of a page with the explanation of a line's month; an empty page is the present one without a query. */
export function explainedAt(page: string, line_id: string, month: Month): string {
  const joint = page.includes("?") ? "&" : "?";
  return `${page}${joint}explain=${cellText({ id: line_id, month })}#panel`;
}

/** Returns the link from the page to itself with some parts changed; it begins with `?` and leaves out what is usual. */
export function revenueLink(asked: RevenueAsked, changes: Partial<RevenueAsked> = {}): string {
  const { customer, by, from, to, has_range, basis, month, filters, page, open, explain } = {
    ...asked,
    ...changes,
  };
  const parts: (readonly [string, string])[] = [
    ...(customer === null ? [] : [["tab", "revenue"] as const]),
    ["by", by],
    ...(has_range
      ? ([
          ["from", from],
          ["to", to],
        ] as const)
      : []),
    ...(basis === "work_month" ? [] : [["basis", basis] as const]),
    ...(month === null ? [] : [["month", month] as const]),
    ...FILTERS.flatMap((name) => {
      const is_given = name === "customer" && customer !== null;
      return filters[name] && !is_given ? [[name, filters[name]] as const] : [];
    }),
    ...(page === 1 ? [] : [["page", `${page}`] as const]),
    ...(open === null ? [] : [["open", cellText(open)] as const]),
    ...(explain === null ? [] : [["explain", cellText(explain)] as const]),
  ];
  return `?${parts.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")}`;
}

/** Returns the path of the page on which the revenue stands. */
export function revenuePath({ customer }: Pick<RevenueAsked, "customer">): string {
  return customer === null ? REVENUE : `/customers/${customer}`;
}

export const REVENUE_FILE = `${REVENUE}/export`;

/** Returns the address of the file of what is shown. */
export function revenueFile(asked: RevenueAsked): string {
  return `${REVENUE_FILE}${revenueLink({ ...asked, customer: null, page: 1, open: null, explain: null })}`;
}
