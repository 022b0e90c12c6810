/**
 * Pages of documents: first those that are not issued, the last change first, then the issued ones, the latest day and number
 * first. The cursor has the moment of the first page. A document that was issued after it stays where it was as a draft, so
 * that each document is on one page, whatever is issued meanwhile.
 */
import { calendarDate } from "../../domain/base/calendar.ts";
import { REPLANNED } from "./database.ts";
import {
  type Condition,
  HORIZON_FORM,
  isHorizon,
  isPlannedOnce,
  isScanned,
  isUneven,
  type RowsAsSql,
  strangeCursor,
  UUID,
  whereOf,
} from "./page.ts";
import type { Tables } from "./tables.ts";

/** The columns of a table of documents, with `status` and `id`, by which it is ordered. All are SQL expressions. */
export interface WaitingFirst {
  /** The last change of a row as a draft, which its issue leaves as it is. */
  readonly changed: string;
  readonly day: string;
  readonly number: string;
  /** The moment up to which a page knows what is issued. */
  readonly moment: string;
  /** Returns a select of the ids of rows that were issued after a moment. */
  issuedAfter(moment: string): string;
}

interface WaitingFirstPage {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Returns SQL for the rows of a page that meet the conditions, and the first row after it. Throws VALIDATION_FAILED for a bad cursor. */
export function rowsWaitingFirst(
  table: keyof Tables,
  order: WaitingFirst,
  conditions: readonly Condition[],
  { limit, cursor }: WaitingFirstPage,
): RowsAsSql {
  const after = cursor === undefined ? null : positionIn(cursor);
  const { where, values } = whereOf([["account_id =", null], ...conditions]);
  const sent: unknown[] = values.slice(1);
  const placeOf = (value: unknown, type: string): string => `$${sent.push(value) + 1}::${type}`;
  const is_kept = isPlannedOnce(conditions, limit);
  const size = is_kept ? String(limit) : placeOf(limit, "int");
  const moment = after === null ? null : placeOf(after.moment, "timestamptz");
  const branches = branchesOf(table, order, where, after, placeOf, {
    size,
    is_walked: conditions.every(isWalked),
  });
  const late = moment === null ? "" : `late as materialized (${order.issuedAfter(moment)})`;
  const withs = [late, branches.found].filter((text) => text !== "");
  const waits = moment === null ? "status = 'draft'" : `(status = 'draft' or id = ${ANY_LATE})`;
  const ids = `select k.id from (${branches.texts.join(" union all ")}) k
    order by k.rank, k.changed desc, k.day desc, k.number desc, k.id desc limit ${size} + 1`;
  const shown_moment = asText(moment ?? `(select ${order.moment})`);
  const place = `concat_ws('|', ${shown_moment}, case when ${waits} then concat_ws('|', 'w', ${asText(order.changed)})
    else concat_ws('|', 'i', to_char(${order.day}, 'YYYY-MM-DD'), ${order.number}) end, id)`;
  return {
    select: (
      columns,
    ) => `${withs.length > 0 ? `with ${withs.join(", ")} ` : ""}select ${columns}, ${place} as place
      from ${table} where account_id = $1 and id = any(array(${ids}))
      order by ${waits} desc, case when ${waits} then ${order.changed} end desc,
        case when not ${waits} then ${order.day} end desc, case when not ${waits} then ${order.number} end desc, id desc`,
    values: sent,
    limit: size,
    prefix: conditions.some(isUneven) ? REPLANNED : "",
    place: "place",
    cursorAfter: (text) => Buffer.from(`${CURSOR_FORM}|${text}`).toString("base64url"),
  };
}

const ANY_LATE = "any(array(select late.id from late))";

/** Whether a condition excludes few rows of the order's index, so that a page is found by walking along the index. */
function isWalked(condition: Condition): boolean {
  return !isScanned(condition) && /^(status|series_id) /.test(condition[0]);
}

interface BranchForm {
  readonly size: string;
  readonly is_walked: boolean;
}

/** Returns a select for the drafts, for those that were drafts at the moment, and for the others, each with a page at most. */
function branchesOf(
  table: keyof Tables,
  { changed, day, number }: WaitingFirst,
  where: string,
  after: PositionOfPage | null,
  placeOf: (value: unknown, type: string) => string,
  { size, is_walked }: BranchForm,
): { readonly texts: readonly string[]; readonly found: string } {
  const texts: string[] = [];
  if (after?.of !== "issued") {
    const beyond =
      after === null
        ? ""
        : ` and (${changed}, id) < (${placeOf(after.changed, "timestamptz")}, ${placeOf(after.id, "uuid")})`;
    const waiting = (which: string): string =>
      `(select id, 0 as rank, ${changed} as changed, null::date as day, null::bigint as number from ${table}
        where ${where} and ${which}${beyond} order by ${changed} desc, id desc limit ${size} + 1)`;
    texts.push(waiting("status = 'draft'"));
    if (after !== null) texts.push(waiting(`status = 'issued' and id = ${ANY_LATE}`));
  }
  const later = after === null ? "" : ` and not id = ${ANY_LATE}`;
  const from_day = after?.of === "issued" ? placeOf(after.day, "date") : "";
  // The first condition repeats a part of the second, for the index of the day.
  const beyond =
    after?.of === "issued"
      ? ` and ${day} <= ${from_day} and (${day}, ${number}, id) < (${from_day}, ${placeOf(after.number, "bigint")}, ${placeOf(after.id, "uuid")})`
      : "";
  const ending = `order by ${day} desc, ${number} desc, id desc limit ${size} + 1`;
  const columns = `id, 1 as rank, null::timestamptz as changed, ${day} as day, ${number} as number`;
  const issued = `from ${table} where ${where} and status = 'issued'`;
  if (is_walked) {
    texts.push(`(select ${columns} ${issued}${later}${beyond} ${ending})`);
    return { texts, found: "" };
  }
  // Apart from the order, the rows are found in the index that fits the conditions.
  texts.push(
    `(select found.* from found order by found.day desc, found.number desc, found.id desc limit ${size} + 1)`,
  );
  return { texts, found: `found as materialized (select ${columns} ${issued}${later}${beyond})` };
}

type PositionOfPage = { readonly moment: string; readonly id: string } & (
  | { readonly of: "waiting"; readonly changed: string }
  | { readonly of: "issued"; readonly day: string; readonly number: string }
);

const CURSOR_FORM = "3";

function positionIn(cursor: string): PositionOfPage {
  const text = Buffer.from(cursor, "base64url").toString("utf8");
  const [form, moment = "", of, ...rest] = text.split("|");
  const is_known =
    form === CURSOR_FORM && isHorizon(moment) && Buffer.from(text).toString("base64url") === cursor;
  if (!is_known) throw strangeCursor();
  if (of === "w" && rest.length === 2) {
    const [changed = "", id = ""] = rest;
    if (isHorizon(changed) && UUID.test(id)) return { moment, of: "waiting", changed, id };
  }
  if (of === "i" && rest.length === 3) {
    const [day = "", number = "", id = ""] = rest;
    const is_valid = calendarDate(day) !== undefined && /^\d{1,18}$/.test(number) && UUID.test(id);
    if (is_valid) return { moment, of: "issued", day, number, id };
  }
  throw strangeCursor();
}

function asText(moment: string): string {
  return `to_char(${moment} at time zone 'UTC', ${HORIZON_FORM})`;
}
