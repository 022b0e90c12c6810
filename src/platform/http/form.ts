/** Reads the fields of a form or a query: names and texts, each name once. Any other content is MALFORMED_REQUEST. */
import { Problem } from "../../domain/base/problem.ts";
import { isStorable } from "../../domain/base/text.ts";

export type Fields = Readonly<Record<string, string | undefined>>;

export const FORM_TYPE = "application/x-www-form-urlencoded";
/** The maximum size of a form: an authorization request carries a client id of up to 4,000 characters. */
export const MOST_FORM_BYTES = 16_384;

/** Returns the fields of URL-encoded text. Throws MALFORMED_REQUEST when a name is repeated or a text cannot be stored. */
export function fieldsFrom(encoded: string): Fields {
  const fields: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(encoded)) {
    if (fields[name] !== undefined) throw unreadable("A field occurs twice.");
    if (!isStorable(value)) throw unreadable("A field contains characters that are not allowed.");
    fields[name] = value;
  }
  return fields;
}

/** Returns the query of a request's URL. */
export function queryFrom(url: string): Fields {
  const start = url.indexOf("?");
  return fieldsFrom(start < 0 ? "" : url.slice(start + 1));
}

/** Returns a path on this origin, to redirect to; undefined for any other text. */
export function ownPath(text: string | undefined, base_url: string): string | undefined {
  if (text === undefined || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text)) return undefined;
  if (!URL.canParse(text, base_url)) return undefined;
  return new URL(text, base_url).origin === base_url ? text : undefined;
}

function unreadable(message: string): Problem {
  return new Problem("MALFORMED_REQUEST", { message });
}
