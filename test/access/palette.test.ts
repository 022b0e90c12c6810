/** The palette in a real browser, only by keyboard: what it finds and opens, and that it is accessible. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lacksChromium, startChromium } from "../support/browser/chromium.ts";
import { openConsent } from "../support/mcp/consent.ts";
import { type Json, useWorld } from "../support/world/world.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The global that axe adds to a page. */
interface WithAxe {
  readonly axe: { run(where: Document, options: object): Promise<AxeResults> };
}

describe.skipIf(lacksChromium)(
  "in Chromium (needs a browser in a usual place or named by CHROMIUM_PATH)",
  () => {
    let browser: Browser;
    let admin: string;
    let standard: string;
    let customer: Json;
    const messages: string[] = [];

    const world = useWorld({ knows_origin: true });
    beforeAll(async () => {
      browser = await startChromium();
      const oauth = openConsent(world);
      admin = (await oauth.signedInAdmin()).cookie() ?? "";
      standard = (await oauth.person()).browser.cookie() ?? "";
      customer = await world.done("POST /customers", { name: "Fjordbank A/S" });
      await world.done("POST /products", { name: "Fjord <i>survey</i>" });
    });
    afterAll(async () => {
      await browser?.close();
      expect(messages).toEqual([]);
    });

    async function open(path: string, cookie = admin, options: object = {}): Promise<Page> {
      const context = await browser.newContext({ locale: "en-GB", ...options });
      await context.addCookies([{ name: "matchbook", value: cookie, url: world.origin }]);
      const page = await context.newPage();
      page.on("console", (message) => messages.push(message.text()));
      page.on("pageerror", (error) => messages.push(String(error)));
      await page.goto(world.origin + path);
      await page.waitForLoadState("networkidle");
      return page;
    }

    const options = (page: Page) => page.getByRole("option");
    const chosen = (page: Page) => page.locator('[role="option"][aria-selected="true"]');

    it("opens by keyboard, searches during typing, and opens the selected result", async () => {
      const page = await open("/products");
      await page.keyboard.press("Control+k");
      const field = page.getByRole("combobox");
      await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true);
      await page.keyboard.type("fjord");
      await expect.poll(() => options(page).count()).toBe(2);
      expect(await options(page).allInnerTexts()).toEqual([
        "Fjordbank A/S\nCustomer",
        "Fjord <i>survey</i>\nProduct",
      ]);
      await page.keyboard.press("ArrowDown");
      expect(await chosen(page).textContent()).toContain("survey");
      const active = await field.getAttribute("aria-activedescendant");
      expect(await chosen(page).getAttribute("id")).toBe(active);
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("Enter");
      await page.waitForURL(`**/customers/${customer.id}`);
      await page.context().close();
    });

    it("shows recently opened pages until the user signs out", async () => {
      const page = await open(`/customers/${customer.id}`);
      await page.goto(`${world.origin}/products`);
      await page.waitForLoadState("networkidle");
      await page.keyboard.press("/");
      expect(await options(page).first().textContent()).toContain("Fjordbank A/S");
      const kept = () => page.evaluate(() => JSON.stringify(localStorage));
      expect(await kept()).toContain("Fjordbank");
      await page.keyboard.press("Escape");
      await page.locator(".side > .me > summary").click();
      await page.locator(".side > .me").getByRole("button", { name: "Sign out" }).click();
      await page.waitForURL("**/sign-in**");
      expect(await kept()).not.toContain("Fjordbank");
      await page.context().close();
      admin = (await openConsent(world).signedInAdmin()).cookie() ?? "";
    });

    it("closes by Escape and by a click outside of it, and returns the focus", async () => {
      const page = await open("/products");
      const link = page.getByRole("link", { name: "Search or jump" });
      await link.focus();
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect(await link.evaluate((one) => one === document.activeElement)).toBe(true);
      await link.click();
      await page.getByRole("dialog").waitFor();
      await page.mouse.click(5, 5);
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.context().close();
    });

    it("leaves single keys to text fields, and to users who have turned them off", async () => {
      const page = await open("/products");
      await page.getByRole("searchbox").focus();
      await page.keyboard.type("/?gk");
      expect(await page.getByRole("searchbox").inputValue()).toBe("/?gk");
      expect(await page.getByRole("dialog").count()).toBe(0);
      await page.locator("h1").click();
      await page.keyboard.press("?");
      await page.getByRole("checkbox").uncheck();
      await page.getByRole("button", { name: "Close" }).click();
      await page.keyboard.press("/");
      await page.keyboard.press("?");
      expect(await page.getByRole("dialog").count()).toBe(0);
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").waitFor();
      await page.context().close();
    });

    it("opens a page by two keys", async () => {
      const page = await open("/products");
      await page.keyboard.press("g");
      await page.keyboard.press("k");
      await page.waitForURL("**/customers");
      await page.context().close();
    });

    it("shows a standard user no pages of admins, and no results outside of their view", async () => {
      const page = await open("/assistants", standard);
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").waitFor();
      expect(await options(page).allInnerTexts()).not.toContainEqual(
        expect.stringContaining("Month close"),
      );
      await page.keyboard.type("fjord");
      await page.getByText("Nothing matches this name").waitFor();
      expect(await options(page).count()).toBe(0);
      await page.context().close();
    });

    it("is a link to a page if scripts are off", async () => {
      const page = await open("/products", admin, { javaScriptEnabled: false });
      await page.getByRole("link", { name: "Search or jump" }).click();
      await page.getByRole("searchbox").fill("fjord");
      await page.keyboard.press("Enter");
      await page.getByRole("link", { name: "Fjordbank A/S" }).click();
      expect(page.url()).toContain(customer.id);
      await page.context().close();
    });

    it.each([
      ["en-GB", 1280],
      ["da-DK", 1280],
      ["en-GB", 360],
      ["da-DK", 360],
    ])("is accessible in every state, in %s at %i", async (locale, width) => {
      const viewport = { width, height: 800 };
      const page = await open("/products", admin, { locale, viewport, reducedMotion: "reduce" });
      await page.evaluate(AXE);
      const faults: string[] = [];
      const look = async (what: string) => {
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          const { violations, wide } = await page.evaluate(async () => {
            for (const one of document.getAnimations()) one.finish();
            const { axe } = globalThis as unknown as WithAxe;
            const results = await axe.run(document, { resultTypes: ["violations"] });
            const { scrollWidth, clientWidth } = document.documentElement;
            return { violations: results.violations, wide: scrollWidth - clientWidth };
          });
          for (const { id, nodes } of violations) faults.push(`${what}: ${id} ${nodes[0]?.html}`);
          if (wide > 0) faults.push(`${what} is ${wide} too wide`);
        }
      };
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").waitFor();
      await look("opened");
      await page.keyboard.type("fjord");
      await expect.poll(() => options(page).count()).toBe(2);
      await look("found");
      await page.getByRole("combobox").fill("zzz");
      await expect.poll(() => options(page).count()).toBe(0);
      await page.locator(".said:not(.unseen)").waitFor();
      await look("nothing");
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.keyboard.press("?");
      await page.getByRole("checkbox").waitFor();
      await look("keys");
      expect(faults).toEqual([]);
      await page.context().close();
    });
  },
);
