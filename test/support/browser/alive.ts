/** A real browser that runs the scripts of pages, as one of the people; every message of its console and every refusal of the policy is a fault. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { World } from "../world/world.ts";
import { startChromium } from "./chromium.ts";

interface Alive {
  /** A window of whoever the cookie belongs to. */
  open(cookie: string | null, options?: BrowserContextOptions): Promise<Page>;
}

/** One Chromium for a file of tests; a test that left a message on a console fails. */
export function useChromium(world: World): Alive {
  let browser: Browser;
  const said: string[] = [];
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    expect(said.splice(0)).toEqual([]);
  });
  return {
    async open(cookie, options = {}) {
      const context = await browser.newContext({
        locale: "en",
        reducedMotion: "reduce",
        baseURL: world.origin,
        ...options,
      });
      if (cookie !== null) {
        await context.addCookies([{ name: "matchbook", value: cookie, url: world.origin }]);
      }
      const page = await context.newPage();
      page.on("console", (message) => {
        // That a request was refused or lost, the browser says of each; the page says it in words.
        if (/^Failed to load resource/.test(message.text())) return;
        said.push(message.text());
      });
      page.on("pageerror", (error) => said.push(String(error)));
      return page;
    },
  };
}

/** Until the islands of a page have woken. */
export async function alive(page: Page): Promise<void> {
  await page.locator("[data-island]:not([data-alive])").waitFor({ state: "detached" });
  await page.locator("[data-island][data-alive]").first().waitFor();
}
