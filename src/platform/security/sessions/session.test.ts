/** Session cookies by origin, and the paths accepted for redirects. */
import { describe, expect, it } from "vitest";
import { ownPath } from "../../http/form.ts";
import { cookieName, sessionCookie, tokenFromCookies } from "./session.ts";
import { newToken } from "./token.ts";

const HTTPS = "https://books.example";
const LOOPBACK = "http://localhost:3000";

describe("the session's cookie", () => {
  const token = newToken();

  it("is __Host- and Secure on https, plain on loopback (spec 12.6)", () => {
    expect(sessionCookie(HTTPS, token)).toBe(
      `__Host-matchbook=${token}; Path=/; HttpOnly; SameSite=Lax; Secure`,
    );
    expect(sessionCookie(LOOPBACK, token)).toBe(
      `matchbook=${token}; Path=/; HttpOnly; SameSite=Lax`,
    );
  });

  it.each([
    ["", undefined],
    [undefined, undefined],
    ["other=1", undefined],
    [`a=b; ${cookieName(HTTPS)}=${token}; c=d`, token],
    [`matchbook=${token}`, undefined],
    [`${cookieName(HTTPS)}=${token}; ${cookieName(HTTPS)}=${newToken()}`, undefined],
    [`${cookieName(HTTPS)}=short`, undefined],
    [`${cookieName(HTTPS)}=${token}x`, undefined],
  ])("is read only if it is unique and complete: %s", (header, found) => {
    expect(tokenFromCookies(HTTPS, header)).toBe(found);
  });
});

describe("a path for redirects", () => {
  it.each(["/", "/settings/developer", "/api/oauth/authorize?a=b%2Fc&d=e"])(
    "is accepted within the origin: %s",
    (path) => {
      expect(ownPath(path, HTTPS)).toBe(path);
    },
  );

  it.each([
    undefined,
    "",
    "settings",
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/ /evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "https://books.example/",
    "https:evil.example",
    "/ä",
  ])("is refused: %j", (path) => {
    expect(ownPath(path, HTTPS)).toBeUndefined();
  });
});
