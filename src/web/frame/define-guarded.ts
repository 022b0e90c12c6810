/** Defines the forms that change who has access: each asks again who the person is (`ask-again.tsx`). */
import { definePage, type WebPage } from "./page.tsx";

/**
 * Defines a form that changes a key, a connection, a mapping, a person or a factor. A person whose last answer is more than ten
 * minutes old answers again first.
 */
export function defineGuarded(
  target: `POST /${string}`,
  access: "person" | "hidden",
  handle: WebPage["handle"],
): WebPage {
  return { ...definePage(target, access, handle), asks_again: true };
}
