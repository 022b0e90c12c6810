/**
 * The way back to the close of a month. A link of the close names its month in the address; a cookie keeps it over forms and
 * redirects, until a page of the close is opened.
 */
import { type Month, month as monthFrom } from "../../domain/base/calendar.ts";
import { monthOf } from "../parts/format.ts";
import { CLOSE_FIELD, isOfClose } from "./cured-from.ts";
import { Icon } from "./icon.tsx";
import { cookieIn, pageCookie } from "./page-cookie.ts";
import { useReader } from "./reader.ts";

const NAME = "matchbook-close";
const SECONDS = 30 * 60;

interface Visit {
  readonly url: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** The account of a person who may open the close of a month; null for others. The way ends where the person leaves it. */
  readonly account_id: string | null;
}

/** The month to which a page leads back, and the cookie that the page sets; nulls where there is none. */
interface WayBackShown {
  readonly month: Month | null;
  readonly cookie: string | null;
}

/** Returns the way back of a page. `header` is the Cookie header. A page of the close ends the way. */
export function wayBackOf(
  visit: Visit,
  base_url: string,
  header: string | undefined,
): WayBackShown {
  const { account_id } = visit;
  if (account_id === null) return { month: null, cookie: null };
  const [text = "", of] = cookieIn(header, NAME)?.split(".", 2) ?? [];
  const known = of === account_id ? (monthFrom(text) ?? null) : null;
  if (isOfClose(visit.url)) {
    return {
      month: null,
      cookie: known === null ? null : pageCookie(base_url, NAME, null, SECONDS),
    };
  }
  const named = monthFrom(visit.query[CLOSE_FIELD] ?? "") ?? null;
  if (named === null) return { month: known, cookie: null };
  return { month: named, cookie: pageCookie(base_url, NAME, `${named}.${account_id}`, SECONDS) };
}

/** The link back to the close of the month, above a page. */
export function WayBack({ month }: { month: Month | null }) {
  const { words, language } = useReader();
  if (month === null) return null;
  return (
    <p class="way-back row">
      <a class="link row" href={`/close/${month}`} data-no-prefetch>
        <Icon name="chevron-left" />
        {words.assigning.back_to(monthOf(language, month))}
      </a>
    </p>
  );
}
