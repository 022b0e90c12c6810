/**
 * A notice states what a form has done. The redirect carries it in a cookie, and the next page shows it once. The cookie has a
 * code and a name; the sentence comes from the texts of the reader's language.
 */
import type { Words } from "../words/en.ts";
import { cookieIn, pageCookie } from "./page-cookie.ts";

/** A deed with the name of its object: a number, a month, or a name that people gave. */
export interface Notice {
  readonly done: keyof Words["notices"];
  readonly of?: string;
}

const NAME = "matchbook-notice";
/** A notice that no page has shown within this time is dropped. */
const SECONDS = 30;
const MOST_CHARACTERS = 200;

/** Returns the Set-Cookie header of a notice; of null, the one that ends it. */
export function noticeCookie(base_url: string, notice: Notice | null): string {
  const value = notice && encodeURIComponent(JSON.stringify([notice.done, shortened(notice.of)]));
  return pageCookie(base_url, NAME, value, SECONDS);
}

/** Returns the notice in a Cookie header; null without one that can be read. */
export function noticeFrom(header: string | undefined, words: Words): Notice | null {
  const value = cookieIn(header, NAME);
  if (value === undefined) return null;
  try {
    const [done, of] = JSON.parse(decodeURIComponent(value)) as [unknown, unknown];
    if (typeof done !== "string" || !Object.hasOwn(words.notices, done)) return null;
    const named = typeof of === "string" && of !== "" ? { of: shortened(of) } : {};
    return { done: done as Notice["done"], ...named };
  } catch {
    return null;
  }
}

function shortened(text = ""): string {
  return [...text].slice(0, MOST_CHARACTERS).join("");
}
