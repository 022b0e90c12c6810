/** The addresses that lead from the close of a month to a cure. The address names the month, so that the page leads back. */
import type { Month } from "../../domain/base/calendar.ts";

/** The field of an address that names the month. */
export const CLOSE_FIELD = "close";

/** Returns the address of a page that cures something of the month's close. A place of the same page, and the close, stay. */
export function curedFrom(href: string, month: Month): string {
  if (href.startsWith("#") || isOfClose(href)) return href;
  const [page = "", place] = href.split("#", 2);
  const to = `${page}${page.includes("?") ? "&" : "?"}${CLOSE_FIELD}=${month}`;
  return place === undefined ? to : `${to}#${place}`;
}

/** Whether an address is a page of the close. */
export function isOfClose(address: string): boolean {
  return /^\/close(?![^/?#])/.test(address);
}
