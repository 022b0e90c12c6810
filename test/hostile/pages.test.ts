/** Invalid requests to the pages and the authorization server end in a page or an answer, never in an internal error. */
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { csrfToken } from "../../src/platform/security/sessions/csrf.ts";
import { pages } from "../../src/web/pages.ts";
import { type Browser, openBrowser } from "../support/browser/browser.ts";
import { openConsent } from "../support/mcp/consent.ts";
import { useWorld } from "../support/world/world.ts";

const ENDPOINTS = ["/api/oauth/register", "/api/oauth/token", "/api/oauth/revoke"];
const NAMES = [
  ...["client_id", "redirect_uri", "response_type", "scope", "state", "code_challenge", "resource"],
  ...[
    "grant_type",
    "code",
    "refresh_token",
    "token",
    "email",
    "password",
    "again",
    "next",
    "account",
  ],
  ...["id", "name", "csrf", "decision", "__proto__", "constructor", "a[]", "a.b", ""],
];

const world = useWorld({ knows_origin: true });
/** One session for all pages: each test shows that it is still signed in. */
let browser: Browser;
let session: string | null;
beforeAll(async () => {
  browser = await openConsent(world).signedInAdmin();
  session = browser.cookie();
});

async function expectSignedIn(): Promise<void> {
  browser.setCookie(session);
  expect((await browser.get("/settings/developer")).html).toContain("Sign out");
}

const junk = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom(
    "\0",
    "%",
    "%00",
    "' or 1=1 --",
    "<script>",
    "authorization_code",
    "a".repeat(7_000),
  ),
);
const encoded = fc
  .array(fc.tuple(fc.constantFrom(...NAMES), junk), { maxLength: 6 })
  .map((pairs) =>
    pairs
      .map(
        ([name, value]) =>
          `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`,
      )
      .join("&"),
  );

describe("a form", () => {
  const posts = pages.filter(({ method }) => method === "POST").map(({ path }) => path);

  it.each(posts)("for %s is accepted only from our own page, with its token", async (path) => {
    browser.setCookie(session);
    const csrf = csrfToken(browser.cookie() ?? "", path);
    for (const [fields, site] of [
      [{}, "same-origin"],
      [{ csrf: csrfToken(browser.cookie() ?? "", `${path}?x`) }, "same-origin"],
      [{ csrf }, "cross-site"],
      [{ csrf }, "same-site"],
    ] as const) {
      const reply = await browser.post(path, fields, { "sec-fetch-site": site });
      expect([reply.status, reply.location]).toEqual([400, null]);
    }
    await expectSignedIn();
  });
});

describe("invalid data", () => {
  it.each(pages.map(({ method, path }) => [method, path] as const))(
    "sent to %s %s is answered below 500",
    async (method, path) => {
      await fc.assert(
        fc.asyncProperty(encoded, encoded, async (query, body) => {
          browser.setCookie(session);
          const url = `${path}?${query}`;
          const reply = await (method === "GET" ? browser.get(url) : browser.post(url, body));
          expect(reply.status).toBeLessThan(500);
          expect(reply.location ?? "/").toMatch(/^\//);
        }),
        { numRuns: 15 },
      );
      await expectSignedIn();
    },
  );

  it.each(ENDPOINTS)("sent to %s is refused with an error of OAuth", async (path) => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(encoded, fc.json(), junk),
        fc.constantFrom("application/x-www-form-urlencoded", "application/json", "text/plain"),
        async (body, type) => {
          const headers = { "content-type": type };
          const response = await fetch(world.origin + path, { method: "POST", headers, body });
          expect([400, 401]).toContain(response.status);
          expect(await response.json()).toEqual({
            error: expect.any(String),
            error_description: expect.any(String),
          });
        },
      ),
      { numRuns: 40 },
    );
  });

  it.each([
    ["an invalid cookie", { cookie: "matchbook=%00'; matchbook" }],
    ["a cookie twice", { cookie: `matchbook=${"a".repeat(43)}; matchbook=${"b".repeat(43)}` }],
    ["a long cookie", { cookie: `matchbook=${"a".repeat(8_000)}` }],
    ["a foreign host", { host: "evil.example", "x-forwarded-host": "evil.example" }],
  ])("such as %s changes nothing", async (_what, headers) => {
    const page = await openBrowser(world).get("/sign-in", headers);
    expect(page.status).toBe(200);
    expect(page.html).not.toContain("evil.example");
  });
});
