/** Addresses that have moved permanently: mails and bookmarks still name the old ones. */
import { definePage, type WebPage } from "./page.tsx";

/** Defines an old address that leads to the new one with its query. */
export function defineMoved(from: `/${string}`, to: `/${string}`): WebPage {
  return definePage(`GET ${from}`, "person", async ({ url }) => ({
    redirect: `${to}${url.slice(from.length)}`,
    is_moved: true,
  }));
}
