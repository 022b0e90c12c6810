/** The root path, languages, and the preferences of a user. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, openBrowser } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useWorld } from "../../../test/support/world/world.ts";

const HERE = "/assistants";

let oauth: ReturnType<typeof openConsent>;
const world = useWorld({ knows_origin: true });
beforeAll(async () => {
  oauth = openConsent(world);
  // An account with a product is not welcomed.
  await world.done("POST /products", { name: "Design", default_price: 1 });
});

const prefer = async (browser: Browser, fields: Readonly<Record<string, string>>) =>
  browser.submit(await browser.get(HERE), "/me/preferences", fields);

const langOf = (html: string) => /<html lang="(\w+)"/.exec(html)?.[1];
const themeOf = (html: string) => /<html [^>]*data-theme="(\w+)"/.exec(html)?.[1];

describe("the root path", () => {
  it("shows visitors the purpose of Matchbook and its entry points", async () => {
    const { status, html } = await openBrowser(world).get("/");
    expect(status).toBe(200);
    expect(html).toContain("Invoicing and revenue recognition");
    const links = [...html.matchAll(/class="button[^"]*" href="([^"]+)"/g)].map(([, href]) => href);
    expect(links).toEqual(["/sign-in", "/api/docs", "/api/v1/openapi.json"]);
    for (const link of links) expect((await openBrowser(world).get(link ?? "")).status).toBe(200);
  });

  it("redirects users to the start page of their role", async () => {
    expect((await (await oauth.signedInAdmin()).get("/")).location).toBe("/today");
    expect((await (await oauth.person()).browser.get("/")).location).toBe("/hours");
  });

  it("redirects users to the start page of their choice", async () => {
    const browser = await oauth.signedInAdmin();
    await prefer(browser, { start_page: "hours" });
    expect((await browser.get("/")).location).toBe("/hours");
    await prefer(browser, { theme: "dark" });
    expect((await browser.get("/")).location, "with another choice").toBe("/hours");
    await prefer(browser, { start_page: "today" });
    expect((await browser.get("/")).location).toBe("/today");
    await prefer(browser, { start_page: "close" });
    expect((await browser.get("/")).location).toBe("/close");
    await prefer(browser, { start_page: "today" });
    await prefer(browser, { start_page: "/settings/developer" });
    expect((await browser.get("/")).location, "not a start page").toBe("/today");
  });

  it("redirects a user without a chosen account to the choice", async () => {
    const browser = await oauth.signedInAdmin();
    await world.sql("update sessions set account_id = null, user_id = null");
    expect((await browser.get("/")).location).toBe("/choose-account?next=%2F");
  });

  it("redirects an invited user to their start page after the first password", async () => {
    const email = "first@x.example";
    await world.done("POST /users", { name: "First", email });
    const mail = (await world.mails()).find(({ to }) => to?.[0]?.address === email);
    const link = /\/invitation\S+/.exec(mail?.text ?? "")?.[0] ?? "";
    const browser = openBrowser(world);
    const chosen = { password: oauth.password, again: oauth.password };
    const accepted = await browser.submit(await browser.get(link), link, chosen);
    expect(accepted.location).toBe("/");
    expect((await browser.get("/")).location).toBe("/hours");
  });
});

describe("the language", () => {
  it.each([
    [undefined, "en"],
    ["da", "da"],
    ["da-DK,da;q=0.9,en;q=0.8", "da"],
    ["de, en;q=0.5, da;q=0.7", "da"],
    ["da;q=0, en", "en"],
    ["fr", "en"],
  ])("for a visitor with accept-language %s is %s", async (wanted, language) => {
    const headers = wanted === undefined ? {} : { "accept-language": wanted };
    const { html } = await openBrowser(world).get("/sign-in", headers);
    expect(langOf(html)).toBe(language);
    expect(html).toContain(language === "da" ? "<h1>Log ind</h1>" : "<h1>Sign in</h1>");
    const absent = await openBrowser(world).get("/nowhere", { accept: "text/html", ...headers });
    expect(langOf(absent.html)).toBe(language);
  });
});

describe("the preferences of a user", () => {
  it("apply in all their browsers, each one independently", async () => {
    const browser = await oauth.signedInAdmin();
    const set = await prefer(browser, { language: "da" });
    expect([set.status, set.location]).toEqual([303, HERE]);
    await prefer(browser, { theme: "dark" });

    const { html } = await (await oauth.signedInAdmin()).get(HERE, { "accept-language": "en" });
    expect([langOf(html), themeOf(html)]).toEqual(["da", "dark"]);
    expect(html).toContain("Log ud");

    await prefer(browser, { language: "en" });
    const again = await browser.get(HERE);
    expect([langOf(again.html), themeOf(again.html)]).toEqual(["en", "dark"]);
    // A user with a chosen theme is offered the other one and the system's.
    expect(again.html).toContain('value="light"');
    expect(again.html).not.toContain('value="dark"');
    await prefer(browser, { theme: "system" });
    const system = await browser.get(HERE);
    expect(themeOf(system.html)).toBeUndefined();
    expect(system.html).toContain('value="dark"');
    expect(system.html).not.toContain('value="system"');
  });

  it("do not apply to other users", async () => {
    await prefer(await oauth.signedInAdmin(), { theme: "dark" });
    const { browser } = await oauth.person();
    const { html } = await browser.get(HERE);
    expect(themeOf(html)).toBeUndefined();
  });

  it.each([{ language: "tlh" }, { theme: "'><script>" }, {}])(
    "are unchanged by the invalid value %j",
    async (fields) => {
      const browser = await oauth.signedInAdmin();
      await prefer(browser, { language: "en", theme: "light" });
      expect((await prefer(browser, fields)).status).toBe(303);
      const { html } = await browser.get(HERE);
      expect([langOf(html), themeOf(html)]).toEqual(["en", "light"]);
    },
  );

  it("do not redirect to another site", async () => {
    const browser = await oauth.signedInAdmin();
    const changed = await prefer(browser, { theme: "dark", next: "https://evil.example/" });
    expect(changed.location).toBe("/");
  });
});
