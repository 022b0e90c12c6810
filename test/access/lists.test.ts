/** Lists in a real browser: keys, the selection with its sums, and filters that act when they are chosen. */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { useChromium } from "../support/browser/alive.ts";
import type { Browser } from "../support/browser/browser.ts";
import { lacksChromium } from "../support/browser/chromium.ts";
import { openConsent } from "../support/mcp/consent.ts";
import { useSales } from "../support/world/sales.ts";

describe.skipIf(lacksChromium)(
  "in Chromium (needs a browser in a usual place or named by CHROMIUM_PATH)",
  () => {
    const { world, draft } = useSales({ knows_origin: true });
    const chromium = useChromium(world);
    let admin: Browser;
    beforeAll(async () => {
      admin = await openConsent(world).signedInAdmin();
      for (const amount of [100, 200, 300.5]) await draft([amount], { title: `Draft ${amount}` });
    });

    async function open(path: string, options = {}): Promise<Page> {
      const page = await chromium.open(admin.cookie(), options);
      await page.goto(path);
      await page.locator("[data-list][data-alive]").first().waitFor();
      return page;
    }
    const bar = (page: Page) => page.locator("[data-picked]");

    it("move and select by keys, and show the sum of what is selected", async () => {
      const page = await open("/invoices");
      expect(await bar(page).isVisible()).toBe(false);
      await page.keyboard.press("j");
      expect(await page.locator(":focus").textContent()).toBe("Draft 300.5");
      await page.keyboard.press("Space");
      await page.keyboard.press("j");
      await page.keyboard.press("Space");
      expect(await bar(page).textContent()).toContain("2 selected · DKK 625.63");
      await page.keyboard.press("x");
      expect(await bar(page).textContent()).toContain("3 selected · DKK 750.63");
      await page.keyboard.press("x");
      expect(await bar(page).isVisible()).toBe(false);
      await page.getByRole("checkbox", { name: "Select all rows" }).check();
      await page.getByRole("button", { name: "Issue selected…" }).click();
      await page.getByRole("heading", { name: "Issue 3 drafts?" }).waitFor();
    });

    it("opens the row on Enter, and sums in Danish on a phone above the tabs", async () => {
      const viewport = { width: 360, height: 740 };
      const page = await open("/invoices", { locale: "da", viewport });
      await page.getByRole("checkbox", { name: "Vælg Acme A/S, Draft 100" }).check();
      expect(await bar(page).textContent()).toContain("1 valgt · 125,00 kr.");
      const place = await bar(page).boundingBox();
      expect((place?.y ?? 0) + (place?.height ?? 0)).toBeLessThanOrEqual(740 - 56);
      await page.keyboard.press("k");
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/invoices\/[0-9a-f-]{36}$/);
    });

    it("take a day as people type it, or from a calendar", async () => {
      const page = await chromium.open(admin.cookie(), { locale: "da" });
      await page.goto("/invoices?tab=issued");
      await page.locator('[data-island="day-field"][data-alive]').first().waitFor();
      const from = page.getByRole("textbox", { name: "Fra" });
      await from.fill("2/3-26");
      await from.press("Tab");
      await page.waitForURL((url) => url.searchParams.get("issued_from") === "2/3-26");
      await page.locator('[data-island="day-field"][data-alive]').first().waitFor();
      expect(await from.inputValue()).toBe("02.03.2026");
      await from.press("ArrowDown");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("PageDown");
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => url.searchParams.get("issued_from") === "03.04.2026");
      await from.press("ArrowDown");
      await page.keyboard.press("Escape");
      expect(await page.getByRole("dialog").count()).toBe(0);
      await from.fill("31.2.");
      expect(await from.getAttribute("aria-invalid")).toBe("true");
    });

    it("are filtered when a filter is chosen", async () => {
      const page = await open("/invoices");
      await page.getByLabel("Currency").selectOption("DKK");
      await page.waitForURL((url) => url.search === "?tab=drafts&currency=DKK");
      expect(await page.getByRole("row").count()).toBe(4);
    });
  },
);
