/**
 * The page of the API in a real browser: it is rendered under its own policy, makes no request to another origin, shows
 * the examples, and calls the API with a key that is typed in.
 */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lacksChromium, startChromium } from "../support/browser/chromium.ts";
import { useWorld } from "../support/world/world.ts";

describe.skipIf(lacksChromium)("/api/docs in Chromium (needs one: CHROMIUM_PATH)", () => {
  let browser: Browser;
  let page: Page;
  const asked: string[] = [];
  const complaints: string[] = [];

  const world = useWorld({ knows_origin: true });
  beforeAll(async () => {
    browser = await startChromium();
    const context = await browser.newContext({
      viewport: { width: 1400, height: 1000 },
      permissions: ["clipboard-read", "clipboard-write"],
    });
    page = await context.newPage();
    page.on("request", (request) => asked.push(request.url()));
    page.on("console", (message) => {
      if (message.type() === "error" || /Content.Security/i.test(message.text())) {
        complaints.push(message.text());
      }
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(`${world.origin}/api/docs#tag/customers/GET/customers`);
    await page.getByRole("button", { name: "Test Request (get /customers)" }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
  });

  it("shows the operation in its address with an example that can be copied", async () => {
    expect(await page.title()).toBe("Matchbook API");
    // The panel of the answer has the button; that of the request is only visible under a pointer.
    const copies = page.getByRole("button", { name: /copy/i });
    await expect
      .poll(async () => {
        for (const copy of await copies.all()) {
          await copy.evaluate((button) => (button as HTMLElement).click());
          const text = await page.evaluate(() => navigator.clipboard.readText());
          if (text.includes("accounts@acme.example")) return text;
        }
        return "";
      })
      .toContain("has_more");
  });

  it("calls the API with the key that the reader enters", async () => {
    await world.done("POST /customers", { name: "Acme of the browser" });
    await page.getByRole("button", { name: "Test Request (get /customers)" }).click();
    const dialog = page.getByRole("dialog").first();
    await dialog.getByPlaceholder("Token").fill(world.account.keys.read_write);
    const answer = page.waitForResponse((response) => response.url().includes("/api/v1/customers"));
    await dialog.getByRole("button", { name: /^send/i }).first().click();
    const response = await answer;
    expect([response.status(), response.url().startsWith(world.origin)]).toEqual([200, true]);
    expect(response.request().headers().authorization).toMatch(/^Bearer mbk_/);
  });

  it("makes no request to another origin, and complies with its own policy", () => {
    expect(asked.length).toBeGreaterThan(4);
    expect(
      asked.filter((url) => !url.startsWith(world.origin) && !/^(data|blob):/.test(url)),
    ).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("does not store the key", async () => {
    const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
    expect(kept).not.toContain(world.account.keys.read_write);
  });
});
