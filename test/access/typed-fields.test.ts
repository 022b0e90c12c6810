/** Forms in a real browser: what a field says when it is left, and how the fields lie. */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { alive, useChromium } from "../support/browser/alive.ts";
import type { Browser } from "../support/browser/browser.ts";
import { lacksChromium } from "../support/browser/chromium.ts";
import { openConsent } from "../support/mcp/consent.ts";
import { useWorld } from "../support/world/world.ts";

describe.skipIf(lacksChromium)(
  "in Chromium (needs a browser in a usual place or named by CHROMIUM_PATH)",
  () => {
    const world = useWorld({ knows_origin: true });
    const chromium = useChromium(world);
    let admin: Browser;
    beforeAll(async () => {
      admin = await openConsent(world).signedInAdmin();
    });

    async function open(path: string, options = {}): Promise<Page> {
      const page = await chromium.open(admin.cookie(), options);
      await page.goto(path);
      await alive(page);
      return page;
    }
    const leftEdgeOf = async (page: Page, label: string) =>
      (await page.getByLabel(label, { exact: true }).boundingBox())?.x ?? 0;

    it("a number of a customer is checked when its field is left, not before", async () => {
      const page = await open("/customers/new");
      const wrong = page.getByText("The check digit does not match. Is a digit mistyped?");
      await page.getByLabel("EAN number").pressSequentially("5790000123454");
      expect(await wrong.count()).toBe(0);
      await page.getByLabel("Name", { exact: true }).focus();
      await wrong.waitFor();
      await page.getByLabel("EAN number").fill("5790000123452");
      await page.getByLabel("Name", { exact: true }).focus();
      expect(await wrong.count()).toBe(0);
      await page.getByLabel("Country").selectOption("DE");
      await page.getByLabel("CVR or VAT number").fill("DE136695976");
      await page.getByLabel("Name", { exact: true }).fill("Nord GmbH");
      expect(await page.locator(".fault").count()).toBe(0);
      await page.getByRole("button", { name: "Save" }).click();
      await page.waitForURL(/\/customers\/[0-9a-f-]{36}$/);
    });

    it("an address of e-invoices is described when it is left, and a proposal is accepted", async () => {
      const page = await open("/customers/new");
      const address = page.getByLabel("E-invoice address");
      await page.getByLabel("Name", { exact: true }).fill("Fjord AS");
      await page.getByLabel("Country").selectOption("NO");
      await page.getByLabel("CVR or VAT number").fill("123456785MVA");
      await page.getByLabel("Street").focus();
      await page.getByRole("button", { name: "Use 0192:123456785" }).click();
      await page.getByText("This is a Norwegian organisation number.").waitFor();
      expect(await address.inputValue()).toBe("0192:123456785");
      await address.fill("0192:123456784");
      await page.getByLabel("Street").focus();
      const wrong = page.getByText("This looks like a Norwegian organisation number, but");
      await wrong.waitFor();
      await address.fill("5798009811578");
      await page.getByLabel("Street").focus();
      await page.getByRole("button", { name: "Use 0088:5798009811578" }).click();
      await page.getByText("This is an EAN number (GLN).").waitFor();
      expect(await wrong.count()).toBe(0);
      await page.getByRole("button", { name: "Save" }).click();
      await page.waitForURL(/\/customers\/[0-9a-f-]{36}$/);
      const { data } = await world.done("GET /customers?search=Fjord");
      expect(data).toMatchObject([{ einvoice_address: "0088:5798009811578" }]);
    });

    it("a price is shown as it was understood, and the form saves the same", async () => {
      const page = await open("/products/new", { locale: "da" });
      await page.getByLabel("Navn", { exact: true }).fill("Rådgivning");
      const price = page.getByLabel("Pris", { exact: true });
      await price.fill("1450,5");
      await page.getByLabel("Enhed").fill("timer");
      expect(await price.inputValue()).toBe("1.450,50");
      await price.fill("12 kr.");
      await page.getByLabel("Enhed").focus();
      await page.getByText("Det kan ikke læses som et tal").waitFor();
      await price.fill("1.450,50");
      await page.getByRole("button", { name: "Gem" }).click();
      await page.waitForURL(/\/products$/);
      const { data } = await world.done(`GET /products?search=${encodeURIComponent("Rådgivning")}`);
      expect(data).toMatchObject([{ default_price: 1450.5, unit: "hours" }]);
    });

    it("lies in two columns at 1280 pixels, and in one on a phone", async () => {
      for (const [path, first, second] of [
        ["/customers/new", "Name", "Street"],
        ["/products/new", "Name", "Price"],
        ["/settings/company", "Name", "VAT number (CVR)"],
      ] as const) {
        const wide = await chromium.open(admin.cookie(), {
          viewport: { width: 1280, height: 800 },
        });
        await wide.goto(path);
        expect(await leftEdgeOf(wide, second), path).toBeGreaterThan(
          (await leftEdgeOf(wide, first)) + 200,
        );
        await wide.setViewportSize({ width: 360, height: 740 });
        expect(await leftEdgeOf(wide, second)).toBe(await leftEdgeOf(wide, first));
        const overflow = await wide.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect([path, overflow]).toEqual([path, 0]);
      }
    });
  },
);
