/** The search: a page with the results, and the action of the palette. */
import * as z from "zod";
import { type Month, monthOf } from "../../domain/base/calendar.ts";
import { findByNumber } from "../../features/ledger/reports/find-entry.ts";
import { MOST_FOUND, search } from "../../features/overview/search/find-all.ts";
import { readNumber } from "../../features/overview/search/read-number.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import { text } from "../../platform/http/schemas.ts";
import { todayIn } from "../../platform/runtime/clock.ts";
import { type Action, defineAction } from "../frame/action.ts";
import { beginningsOf, type Jump, SEARCH_PATH } from "../frame/finder.tsx";
import { Icon } from "../frame/icon.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { isAdmin } from "../frame/seen.ts";
import { jumpsOf } from "../frame/shell.tsx";
import { beginsIn, type FoundRow, rowOf, type Way, wayTo, wayToMonth } from "../parts/found.ts";
import { monthIn } from "../parts/found-months.ts";
import { Searched } from "../parts/list.tsx";

const MOST_LETTERS = 200;

export const searchPages: readonly WebPage[] = [definePage(`GET ${SEARCH_PATH}`, "person", page)];

export const searchActions: readonly Action[] = [
  defineAction(
    "/app/search",
    "person",
    z.strictObject({ q: text(MOST_LETTERS) }),
    async (cx, { q }) => ({ data: await foundBy(cx, q), current: await closableMonth(cx) }),
  ),
];

/** The kinds whose pages only admins have. */
const OF_ADMINS: readonly FoundRow["kind"][] = [
  "payment",
  "reminder",
  "product",
  "user",
  "ledger_account",
  "bank_line",
];

/** Returns the results for which the person has a page. */
async function foundBy(cx: PersonContext, q: string): Promise<FoundRow[]> {
  const found = await search(cx, q, MOST_FOUND);
  const has_books = cx.ledger?.transactional === true;
  const rows = found
    .filter(({ kind }) => isAdmin(cx) || !OF_ADMINS.includes(kind))
    .filter(({ kind }) => kind !== "ledger_account" || has_books)
    .map(rowOf);
  return isAdmin(cx) && has_books ? [...rows, ...(await entriesBy(cx, q))] : rows;
}

/** Returns the entries with the typed number; a word such as "voucher" may stand before it. */
async function entriesBy(cx: PersonContext, q: string): Promise<FoundRow[]> {
  const number = readNumber(q.replace(/^(entry|voucher|postering|bilag)\s+/i, ""));
  if (number === null) return [];
  const none = { beside: null, credits: null, amount: null, currency: null };
  return (await findByNumber(cx, number)).map(({ guid, entry_no, text: name }) => ({
    ...{ kind: "ledger_entry", id: guid, name, number: `${entry_no}`, ...none },
  }));
}

/** Returns the latest month that the person may close or look at; null for a person without the close. */
async function closableMonth(cx: PersonContext): Promise<Month | null> {
  if (!isAdmin(cx)) return null;
  const { time_zone } = await getConfiguration(cx);
  return monthOf(todayIn(cx.clock, time_zone));
}

async function page({ cx, query, reader }: PageRequest): Promise<PageAnswer> {
  const { words } = reader;
  const q = (query.q ?? "").trim().slice(0, MOST_LETTERS);
  const { sections } = words.palette;
  const rows = q === "" ? [] : await foundBy(cx, q);
  const current = await closableMonth(cx);
  const month = current === null ? null : monthIn(q, reader.language, current);
  const found = [
    ...(month === null ? [] : [wayToMonth(month, reader)]),
    ...rows.map((row) => wayTo(row, reader)),
  ];
  const { person } = cx.caller;
  const jumps = (of: readonly Jump[]) =>
    of.filter((one) => beginsIn(q, one.text)).map((one): Way => ({ ...one, end: "" }));
  const lists: readonly (readonly [string, readonly Way[]])[] = [
    [sections.found, found],
    [sections.go, jumps(jumpsOf(person, words))],
    [sections.do, jumps(beginningsOf(person, words))],
  ];
  const content = (
    <>
      <Searched action={SEARCH_PATH} value={q} label={words.palette.label} />
      {lists.every(([, ways]) => ways.length === 0) && <p>{words.palette.none}</p>}
      {lists.map(([head, ways]) => ways.length > 0 && <Ways head={head} ways={ways} />)}
      <p class="small quiet">{words.palette.hint}</p>
    </>
  );
  return { title: words.palette.open, content };
}

function Ways({ head, ways }: { head: string; ways: readonly Way[] }) {
  return (
    <section class="ways">
      <h2>{head}</h2>
      <ul>
        {ways.map(({ href, text: said, end, icon }) => (
          <li>
            <a href={href}>
              <Icon name={icon} />
              <span>{said}</span>
              {end !== "" && <span class="end">{end}</span>}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
