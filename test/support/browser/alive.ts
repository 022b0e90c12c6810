/**
 * A real browser that runs the scripts of pages, signed in as a user. Every console message and every violation of the
 * content security policy is a fault.
 */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { World } from "../world/world.ts";
import { startChromium } from "./chromium.ts";

interface Alive {
  /** A window with the cookie, for the user to whom it belongs. */
  open(cookie: string | null, options?: BrowserContextOptions): Promise<Page>;
}

/** One Chromium for a file of tests; a test with a message on a console fails. */
export function useChromium(world: Pick<World, "origin">): Alive {
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
        // The browser logs every refused or lost request; the page itself reports these to the user.
        if (/^Failed to load resource/.test(message.text())) return;
        said.push(message.text());
      });
      page.on("pageerror", (error) => said.push(String(error)));
      return page;
    },
  };
}

/** Waits until the islands of a page are active. */
export async function alive(page: Page): Promise<void> {
  await page.locator("[data-island]:not([data-alive])").first().waitFor({ state: "detached" });
  await page.locator("[data-island][data-alive]").first().waitFor();
}
