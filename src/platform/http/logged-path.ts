/** Paths of requests in the log, and for developers. The address of a document contains its secret, so only its beginning is shown. */

/** The routes and the paths of links to documents, also in absolute and in encoded addresses. */
const SECRET_ROUTE = /^\/d\//;
const SECRET_PATH = /(^|\/)d\/.*$/is;

/** `url` is as it was sent, `route` the pattern that it matched; undefined where it matched none. */
export function loggedPath(url: string, route: string | undefined): string {
  const path = url.split("?", 1)[0] ?? "";
  if (route !== undefined) return SECRET_ROUTE.test(route) ? "/d/…" : path;
  return SECRET_PATH.test(decoded(path)) ? "/d/…" : path;
}

/** The most characters of a path that are kept. */
const LONGEST_KEPT = 300;
/** Parts of a path that may be secrets: longer than an id, or with the form of a key. */
const MAY_BE_SECRET = /mb[a-z]_\w{20,}|[^/]{41,}/g;
/** Values of a query that are kept: numbers, days, months, and the words of sorting and filtering. */
const HARMLESS =
  /^(?:\d{1,6}|\d{4}-\d{2}(?:-\d{2})?|-?(?:number|issue_date|customer|amount|name)|true|false)$/;

/**
 * Returns the path of a request as it is kept for developers: as `loggedPath`, without parts that may be secrets; of the query only
 * names, and the values that cannot be secret or personal.
 */
export function keptPath(url: string, route: string | undefined): string {
  const path = loggedPath(url, route).replace(MAY_BE_SECRET, "…");
  const at = url.indexOf("?");
  const query =
    at < 0
      ? ""
      : `?${url
          .slice(at + 1)
          .split("&")
          .map(keptPair)
          .join("&")}`;
  const kept = path + query;
  return kept.length > LONGEST_KEPT ? `${kept.slice(0, LONGEST_KEPT)}…` : kept;
}

function keptPair(pair: string): string {
  const [name = "", value] = pair.split("=", 2);
  const shown = /^[a-z_]{1,40}$/.test(name) ? name : "…";
  if (value === undefined) return "…";
  return `${shown}=${HARMLESS.test(value) ? value : "…"}`;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
