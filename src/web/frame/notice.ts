/**
 * A notice states what a form has done. The redirect carries it in a cookie, and the next page shows it once. The cookie has a
 * code and a name; the sentence comes from the texts of the reader's language.
 */
import type { Words } from "../words/en.ts";

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
  const secure = base_url.startsWith("https:") ? "; Secure" : "";
  const [value, age] =
    notice === null
      ? ["", 0]
      : [encodeURIComponent(JSON.stringify([notice.done, shortened(notice.of)])), SECONDS];
  return `${NAME}=${value}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`;
}

/** Returns the notice in a Cookie header; null without one that can be read. */
export function noticeFrom(header: string | undefined, words: Words): Notice | null {
  const part = (header ?? "").split(";").find((one) => one.trim().startsWith(`${NAME}=`));
  if (part === undefined) return null;
  try {
    const value = decodeURIComponent(part.trim().slice(NAME.length + 1));
    const [done, of] = JSON.parse(value) as [unknown, unknown];
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
