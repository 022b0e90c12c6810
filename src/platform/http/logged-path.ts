/** Returns the path of a request for the log. The address of a document contains its secret, so only its beginning is logged. */

/** The routes and the paths of links to documents, also in absolute and in encoded addresses. */
const SECRET_ROUTE = /^\/d\//;
const SECRET_PATH = /(^|\/)d\/.*$/is;

/** `url` is as it was sent, `route` the pattern that it matched; undefined where it matched none. */
export function loggedPath(url: string, route: string | undefined): string {
  const path = url.split("?", 1)[0] ?? "";
  if (route !== undefined) return SECRET_ROUTE.test(route) ? "/d/…" : path;
  return SECRET_PATH.test(decoded(path)) ? "/d/…" : path;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
