/** Cookies that carry something from one page to the next. Scripts cannot read them. */

/** Returns the Set-Cookie header that keeps a value for so many seconds; of null, the one that ends the cookie. */
export function pageCookie(
  base_url: string,
  name: string,
  value: string | null,
  seconds: number,
): string {
  const secure = base_url.startsWith("https:") ? "; Secure" : "";
  const age = value === null ? 0 : seconds;
  return `${name}=${value ?? ""}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`;
}

/** Returns the value of the first cookie with a name in a Cookie header; undefined without one. */
export function cookieIn(header: string | undefined, name: string): string | undefined {
  const start = `${name}=`;
  const parts = (header ?? "").split(";").map((part) => part.trim());
  return parts.find((part) => part.startsWith(start))?.slice(start.length);
}
