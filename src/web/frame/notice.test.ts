/** What a form has done is shown by the next page, once. */
import { beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useWorld } from "../../../test/support/world/world.ts";
import { wordsOf } from "../words/words.ts";
import { noticeCookie, noticeFrom } from "./notice.ts";

const world = useWorld({ knows_origin: true });
const ENGLISH = wordsOf("en");
let cookie: string;
beforeAll(async () => {
  cookie = (await openConsent(world).signedInAdmin()).cookie() ?? "";
});

const inCookie = (header: string): string => header.split(";", 1)[0] ?? "";

describe("a notice", () => {
  it("is what its cookie carries, with the name shortened", () => {
    const notice = { done: "customer_saved", of: 'Grøn; Logistik "A/S" 🌱' } as const;
    const header = noticeCookie("https://books.example", notice);
    expect(header).toContain("; Secure");
    expect(noticeFrom(`matchbook=x; ${inCookie(header)}`, ENGLISH)).toEqual(notice);
    const long = noticeCookie("http://x", { done: "customer_saved", of: "x".repeat(5000) });
    expect(noticeFrom(inCookie(long), ENGLISH)?.of).toHaveLength(200);
  });

  it.each([
    undefined,
    "",
    "matchbook-notice=",
    "matchbook-notice=%",
    "matchbook-notice=null",
    'matchbook-notice=["toString",""]',
    'matchbook-notice=["unknown",""]',
    "matchbook-notice=[1,2]",
  ])("is not read from the cookie %s", (header) => {
    expect(noticeFrom(header, ENGLISH)).toBeNull();
  });
});

describe("the page after a form", () => {
  it("shows what was done in the reader's language, escaped, and the page after it does not", async () => {
    const visit = (sent: string, language = "en") =>
      fetch(`${world.origin}/me`, {
        headers: { cookie: `matchbook=${cookie}; ${sent}`, "accept-language": language },
      });
    const sent = inCookie(
      noticeCookie(world.origin, { done: "customer_saved", of: "<b>Acme</b>" }),
    );
    const shown = await visit(sent);
    expect(await shown.text()).toContain('role="status">&lt;b>Acme&lt;/b> is saved.</p>');
    expect(shown.headers.get("set-cookie")).toContain("matchbook-notice=; Path=/; Max-Age=0");
    expect(await (await visit(sent, "da")).text()).toContain("er gemt.");
    expect(await (await visit("")).text()).not.toContain('class="toast"');
  });

  it("carries a notice after a product is deactivated", async () => {
    const { id } = await world.done("POST /products", { name: "Workshop", default_price: 100 });
    const browser = openBrowser(world);
    browser.setCookie(cookie);
    const path = `/products/${id}/deactivate`;
    const done = await browser.submit(await browser.get(`/products/${id}`), path, {});
    expect(done.status).toBe(303);
    const [sent = ""] = done.headers.getSetCookie().filter((one) => one.includes("-notice="));
    const notice = { done: "product_inactive", of: "Workshop" };
    expect(noticeFrom(inCookie(sent), ENGLISH)).toEqual(notice);
  });

  it.each([
    ["/invoices/new", "/invoices/new", { customer: "id" }, "draft_made"],
    ["/today", "/today/steps", { step: "assistant" }, "step_put_away"],
    ["/customers", "/me/preferences", { theme: "dark", next: "/customers" }, "preferences"],
  ])("carries a notice after a form of %s to %s", async (page, path, fields, done) => {
    const { id } = await world.done("POST /customers", { name: `Of ${done}` });
    const browser = openBrowser(world);
    browser.setCookie(cookie);
    const typed = "customer" in fields ? { customer: id } : fields;
    const reply = await browser.submit(await browser.get(page), path, typed);
    expect(reply.status).toBe(303);
    const [sent = ""] = reply.headers.getSetCookie().filter((one) => one.includes("-notice="));
    expect(noticeFrom(inCookie(sent), ENGLISH)).toEqual({ done });
  });
});

describe("an old address", () => {
  it.each([
    ["/settings/assistants", "/assistants"],
    ["/settings/activity?cursor=abc", "/settings/audit?cursor=abc"],
    ["/settings/password", "/me"],
  ])("%s leads to %s permanently", async (path, to) => {
    const browser = openBrowser(world);
    browser.setCookie(cookie);
    const { status, location } = await browser.get(path);
    expect([status, location]).toEqual([301, to]);
  });
});
