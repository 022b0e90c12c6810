/** Navigation through the pages in a real browser: back and forward, and at twice the usual size. */
import { beforeAll, describe, expect, it } from "vitest";
import { alive, useChromium } from "../support/browser/alive.ts";
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
    });

    it("back and forward return to the earlier page with the typed text", async () => {
      const { id } = await draft([1000], { title: "Autumn" });
      const page = await chromium.open(admin.cookie());
      await page.goto("/invoices?q=Autumn");
      await page.getByRole("link", { name: "Autumn" }).click();
      await alive(page);
      await page.getByLabel("Price, Line 1").fill("12x");
      await page.getByLabel("Title").fill("Winter");
      await page.goBack();
      await page.waitForURL(/q=Autumn/);
      await page.goForward();
      await alive(page);
      expect(await page.getByLabel("Title").inputValue()).toBe("Winter");
      expect(await page.getByLabel("Price, Line 1").inputValue()).toBe("12x");
      await page.getByLabel("Price, Line 1").fill("12");
      await page.getByText("Saved", { exact: true }).waitFor();
      expect(await world.done(`GET /invoices/${id}`)).toMatchObject({ title: "Winter" });
    });

    it("a page is prefetched while the mouse button is down, and loaded once", async () => {
      const page = await chromium.open(admin.cookie());
      await page.goto("/today");
      const link = page.getByRole("navigation").first().getByRole("link", { name: "Customers" });
      await link.hover();
      await page.mouse.down();
      await page.waitForTimeout(500);
      await page.mouse.up();
      await page.waitForURL("**/customers");
      const came = await page.evaluate(() => {
        const [entry] = performance.getEntriesByType("navigation");
        return (entry as PerformanceResourceTiming & { deliveryType: string }).deliveryType;
      });
      expect(came).toBe("navigational-prefetch");
    });

    it("at twice the size nothing is cut off, and every control can be reached", async () => {
      const { id } = await draft([1000, 2000]);
      // A window of 1280 at 200 % has room for 640.
      const page = await chromium.open(admin.cookie(), {
        viewport: { width: 640, height: 430 },
        deviceScaleFactor: 2,
      });
      const paths = ["/today", "/hours", "/customers", "/invoices", `/invoices/${id}`, "/products"];
      for (const path of paths) {
        await page.goto(path);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        expect([path, wide]).toEqual([path, 640]);
      }
      await page.goto(`/invoices/${id}`);
      await alive(page);
      await page.getByRole("link", { name: "Issue…" }).click();
      await page.getByRole("button", { name: /^Issue/ }).click();
      await page.getByRole("link", { name: "Open the PDF" }).waitFor();
    });
  },
);
