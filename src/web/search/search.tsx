/** The search: a page with the results, and the action of the palette. */
import * as z from "zod";
import { MOST_FOUND, search } from "../../features/overview/search/find-all.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import { text } from "../../platform/http/schemas.ts";
import { type Action, defineAction } from "../frame/action.ts";
import { beginningsOf, type Jump, SEARCH_PATH } from "../frame/finder.tsx";
import { Icon } from "../frame/icon.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { isAdmin } from "../frame/seen.ts";
import { jumpsOf } from "../frame/shell.tsx";
import { beginsIn, type FoundRow, hasPage, rowOf, type Way, wayTo } from "../parts/found.ts";
import { Searched } from "../parts/list.tsx";

const MOST_LETTERS = 200;

export const searchPages: readonly WebPage[] = [definePage(`GET ${SEARCH_PATH}`, "person", page)];

export const searchActions: readonly Action[] = [
  defineAction(
    "/app/search",
    "person",
    z.strictObject({ q: text(MOST_LETTERS) }),
    async (cx, { q }) => ({ data: await foundBy(cx, q) }),
  ),
];

/** Returns the results for which the person has a page. */
async function foundBy(cx: PersonContext, q: string): Promise<FoundRow[]> {
  const found = await search(cx, q, MOST_FOUND);
  // Only admins have pages of products.
  return found
    .filter(({ kind }) => hasPage(kind) && (kind !== "product" || isAdmin(cx)))
    .map(rowOf);
}

async function page({ cx, query, reader }: PageRequest): Promise<PageAnswer> {
  const { words } = reader;
  const q = (query.q ?? "").trim().slice(0, MOST_LETTERS);
  const { sections } = words.palette;
  const rows = q === "" ? [] : await foundBy(cx, q);
  const found = rows.map((row) => wayTo(row, reader)).filter((way) => way !== null);
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
