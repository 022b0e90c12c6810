/** Missing and refused pages: browsers receive a page with a link to continue, other clients the error envelope. */
import { beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useWorld } from "../../../test/support/world/world.ts";

const HTML = "text/html,application/xhtml+xml,*/*;q=0.8";

let oauth: ReturnType<typeof openConsent>;
const world = useWorld({ knows_origin: true });
beforeAll(async () => {
  oauth = openConsent(world);
});

const ask = (path: string, accept: string, method = "GET") =>
  fetch(world.origin + path, { method, headers: { accept } });

describe("an unknown path", () => {
  it.each(["/nowhere", "/settings/nothing?x", "/apis", "/favicon.ico"])(
    "such as %s returns a page with a link to browsers",
    async (path) => {
      const response = await ask(path, HTML);
      expect(response.status).toBe(404);
      expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
      const html = await response.text();
      expect(html).toContain("Page not found");
      expect(html).toContain('<a href="/">');
    },
  );

  it.each([
    ["/nowhere", "application/json", "GET"],
    ["/nowhere", "*/*", "GET"],
    ["/nowhere", HTML, "DELETE"],
    ["/api", HTML, "GET"],
    ["/api?x", HTML, "GET"],
    ["/api/nothing", HTML, "GET"],
    ["/.well-known/nothing", HTML, "GET"],
    ["/assets/nothing.css", HTML, "GET"],
  ])("such as %s returns the error envelope for %s by %s", async (path, accept, method) => {
    const response = await ask(path, accept, method);
    expect(response.status).toBe(404);
    expect((await response.json()).error.code).toBe("NOT_FOUND");
  });

  it("is not repeated in the page", async () => {
    const html = await (await ask("/<script>alert(1)</script>", HTML)).text();
    expect(html).not.toContain("alert");
  });
});

describe("a refused page", () => {
  it.each([
    ["/customers/new", 404, "There is no page at this address."],
    ["/settings/developer", 404, "There is no page at this address."],
    ["/customers/01a20dc9-0598-72d4-bf78-ed400ae648d6", 404, "There is no page at this address."],
    ["/nowhere", 404, "There is no page at this address."],
  ])(
    "keeps the shell of a signed-in person and leads to their start: %s",
    async (path, status, text) => {
      const { browser } = await oauth.person();
      const page = await browser.get(path, { accept: HTML });
      expect(page.status).toBe(status);
      expect(page.html).toContain(text);
      expect(page.html).toContain('<a href="/hours"');
      expect(page.html).toContain('action="/sign-out"');
      expect(page.html).toContain('<a href="/">Go to the start page</a>');
      const { html } = await openBrowser(world).get("/nowhere", { accept: HTML });
      expect(html).not.toContain('action="/sign-out"');
    },
  );

  it("keeps the shell and the entry of the navigation for a refused form", async () => {
    const admin = await oauth.signedInAdmin();
    const form = await admin.get("/customers/new");
    const page = await admin.submit(form, "/customers/new", { name: "" });
    expect(page.status).toBe(422);
    expect(page.html).toContain('<a href="/customers" aria-current="page">');
  });

  it("keeps the entry of the invoices on the page of a credit note that is not found", async () => {
    const admin = await oauth.signedInAdmin();
    const { html } = await admin.get("/credit-notes/01a20dc9-0598-72d4-bf78-ed400ae648d6");
    expect(html).toContain('<a href="/invoices" aria-current="page">');
  });

  it("links a visitor with an expired link to a new link and to the sign-in", async () => {
    for (const path of ["/invitation?token=x", "/password-reset?token=x"]) {
      const page = await openBrowser(world).get(path);
      expect(page.status).toBe(404);
      expect(page.html).toContain('href="/forgot-password"');
      expect(page.html).toContain('href="/sign-in"');
    }
  });

  it("states the waiting time after too many sign-in attempts and links to a new password", async () => {
    const browser = openBrowser(world);
    for (let n = 0; n < 10; n += 1) await browser.signIn("guessed@x.example", "wrong");
    const page = await browser.signIn("guessed@x.example", "wrong");
    expect(page.status).toBe(429);
    expect(Number(page.headers.get("retry-after"))).toBeGreaterThan(840);
    expect(page.html).toContain("Too many attempts. Try again in 15 minutes.");
    expect(page.html).toContain('href="/forgot-password"');
  });

  it("states the waiting time after too many reset links and links to the sign-in", async () => {
    const browser = openBrowser(world);
    const send = async () =>
      browser.submit(await browser.get("/forgot-password"), "/forgot-password", {
        email: "many@x.example",
      });
    for (let n = 0; n < 3; n += 1) {
      const { status, location } = await send();
      expect([status, location]).toEqual([303, "/forgot-password/sent"]);
    }
    const page = await send();
    expect([page.status, page.html.includes("in 60 minutes")]).toEqual([429, true]);
    expect(page.html).toContain('href="/sign-in"');
    expect((await browser.get("/forgot-password/sent")).html).toContain("a link is on its way");
  });
});

it("redirects /settings to the first page of the settings of the role", async () => {
  const admin = await oauth.signedInAdmin();
  const { status, location } = await admin.get("/settings");
  expect([status, location]).toEqual([303, "/settings/company"]);
  expect((await (await oauth.person()).browser.get("/settings")).location).toBe("/me");
  expect((await openBrowser(world).get("/settings")).html).toContain("Password");
});

it("serves the icon of every page from its own origin", async () => {
  const { html, headers } = await openBrowser(world).get("/sign-in");
  const path = /<link rel="icon"[^>]* href="([^"]+)"/.exec(html)?.[1] ?? "";
  expect(headers.get("content-security-policy")).toContain("img-src 'self'");
  const icon = await fetch(world.origin + path);
  expect([icon.status, icon.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
  expect(await icon.text()).toMatch(/^<svg /);
});
