/** Editing names and prices in the list of products, in a real browser. */
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

    const make = (name: string) => world.done("POST /products", { name, default_price: 1150.5 });
    const priceOf = async (id: string) => (await world.done(`GET /products/${id}`)).default_price;

    async function opened(name: string, options = {}) {
      const page = await chromium.open(admin.cookie(), options);
      await page.goto(`/products?q=${name}`);
      await alive(page);
      return { page, price: page.getByLabel(new RegExp(`(Price of|Pris på) ${name}`)) };
    }

    it("saves a price when the focus leaves its field, in the reader's number format", async () => {
      const { id } = await make("Danish");
      const { page, price } = await opened("Danish", { locale: "da" });
      expect(await price.inputValue()).toBe("1.150,50");
      await price.fill("1.275,25");
      expect(await priceOf(id)).toBe(1150.5);
      await price.press("Enter");
      await page.getByText("Gemt").waitFor();
      expect(await price.inputValue()).toBe("1.275,25");
      expect(await priceOf(id)).toBe(1275.25);
      // The next change is compared with the saved value.
      await price.fill("1");
      await price.blur();
      await expect.poll(() => priceOf(id)).toBe(1);
    });

    it("saves the last value, whatever was typed while a save was in progress", async () => {
      const { id } = await make("Twice");
      const { page, price } = await opened("Twice");
      const let_go: (() => void)[] = [];
      await page.route("**/app/products/change", async (route) => {
        await new Promise<void>((go) => let_go.push(go));
        await route.continue();
      });
      await price.fill("7");
      await price.blur();
      await expect.poll(() => let_go.length, { timeout: 20_000 }).toBe(1);
      // Back to the stored value as far as the page knows, and then the beginning of another one.
      await price.fill("1,150.50");
      await price.blur();
      let_go[0]?.();
      await expect.poll(() => let_go.length, { timeout: 20_000 }).toBe(2);
      expect(await priceOf(id)).toBe(7);
      await price.fill("12");
      let_go[1]?.();
      await expect.poll(() => priceOf(id), { timeout: 20_000 }).toBe(1150.5);
      expect(await price.inputValue()).toBe("12");
      await price.press("Escape");
      await expect.poll(() => price.inputValue(), { timeout: 20_000 }).toBe("1,150.50");
    });

    it("saves a name and a price of one product, one after the other", async () => {
      const { id } = await make("Renamed");
      const { page, price } = await opened("Renamed");
      const name = page.getByLabel("Name of Renamed");
      await name.fill("  New name ");
      await price.fill("12");
      await page.getByLabel("Price of New name").blur();
      await expect
        .poll(async () => (await world.done(`GET /products/${id}`)).default_price, {
          timeout: 20_000,
        })
        .toBe(12);
      expect(await world.done(`GET /products/${id}`)).toMatchObject({ name: "New name" });
      await page.getByLabel("Name of New name").fill(" ");
      await page.getByLabel("Name of New name").press("Enter");
      await page.locator("[aria-invalid]").waitFor();
      expect(await world.done(`GET /products/${id}`)).toMatchObject({ name: "New name" });
      await page.getByRole("link", { name: "Edit New name" }).click();
      await page.waitForURL(`**/products/${id}`);
    });

    it("restores the stored value on Escape", async () => {
      const { id } = await make("Escaped");
      const { price } = await opened("Escaped");
      await price.fill("7");
      await price.press("Escape");
      await price.blur();
      expect([await price.inputValue(), await priceOf(id)]).toEqual(["1,150.50", 1150.5]);
    });

    it.each([
      ["many", "This is not a number."],
      ["1.23456", "At most 4 decimals."],
      ["-1", "at least 0"],
    ])("keeps %s in its field, and says why it is not a price", async (typed, said) => {
      const { id } = await make("Refused");
      const { page, price } = await opened("Refused");
      await price.first().fill(typed);
      await price.first().blur();
      await page.getByText(said).first().waitFor();
      expect(await price.first().inputValue()).toBe(typed);
      expect(await price.first().getAttribute("aria-invalid")).toBe("true");
      expect(await priceOf(id)).toBe(1150.5);
    });

    it("never overwrites a price that another user has changed meanwhile", async () => {
      const { id } = await make("Contested");
      const { page, price } = await opened("Contested");
      await world.done(`PATCH /products/${id}`, { default_price: 99 });
      await price.fill("7");
      await price.blur();
      await page.getByText("Another user has changed this").waitFor();
      expect([await price.inputValue(), await priceOf(id)]).toEqual(["7", 99]);
    });

    it("reports that nothing was saved while offline, and saves it later", async () => {
      const { id } = await make("Offline");
      const { page, price } = await opened("Offline");
      await page.context().setOffline(true);
      await price.fill("7");
      await price.blur();
      await page.getByText("Not saved: no connection").waitFor();
      await page.context().setOffline(false);
      await price.focus();
      await price.blur();
      await page.getByText("Saved", { exact: true }).waitFor();
      expect(await priceOf(id)).toBe(7);
    });
  },
);
