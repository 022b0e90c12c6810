/** Crediting an invoice in a real browser: the credit does what was shown, once. */
import type { Page } from "playwright-core";
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

    async function issued(...amounts: number[]): Promise<string> {
      const { id } = await draft(amounts, { issue_date: "2026-03-02" });
      await world.done(`POST /invoices/${id}/issue`);
      return id;
    }
    async function open(id: string, options = {}): Promise<Page> {
      const page = await chromium.open(admin.cookie(), options);
      await page.goto(`/invoices/${id}/credit`);
      await alive(page);
      return page;
    }
    const notesOf = async (id: string) =>
      (await world.done(`GET /credit-notes?invoice=${id}&include=totals`)).data;
    const amount = (page: Page, line = 0) =>
      page.getByRole("textbox", { name: /Amount/ }).nth(line);

    it("shows the effect of a partial credit, and then credits it", async () => {
      const id = await issued(1000, 500);
      const page = await open(id);
      await amount(page).fill("400");
      const button = page.getByRole("button", { name: "Credit and send DKK 500.00" });
      await button.waitFor();
      await page
        .getByText("March 2026: DKK −400.00 (was DKK 1,500.00, then DKK 1,100.00)")
        .waitFor();
      expect(await notesOf(id)).toEqual([]);
      await button.click();
      await page.waitForURL(/\/credit-notes\//);
      expect(await notesOf(id)).toMatchObject([{ kind: "partial", totals: { gross: 500 } }]);
    });

    it("credits the whole remaining amount with one button, in Danish", async () => {
      const id = await issued(1000);
      const page = await open(id, { locale: "da" });
      await page.getByRole("button", { name: "Hele fakturaen" }).click();
      await page.getByRole("button", { name: "Krediter og send 1.250,00 kr." }).click();
      await page.waitForURL(/\/credit-notes\//);
      expect(await notesOf(id)).toMatchObject([{ kind: "full" }]);
    });

    it("refuses an amount above the remaining one, and keeps the typed value", async () => {
      const id = await issued(1000);
      const page = await open(id);
      const failed: number[] = [];
      page.on("response", (response) => {
        if (response.status() >= 400) failed.push(response.status());
      });
      await amount(page).fill("1000.01");
      await page.getByText("That is more than the remaining amount of the line: 1000.").waitFor();
      expect(await amount(page).inputValue()).toBe("1000.01");
      expect(failed).toEqual([]);
      expect(await page.getByRole("button", { name: "Credit", exact: true }).isDisabled()).toBe(
        true,
      );
    });

    it("refuses a credit whose preview is out of date, and says so", async () => {
      const id = await issued(1000);
      const page = await open(id);
      await page.getByRole("button", { name: "The whole invoice" }).click();
      const button = page.getByRole("button", { name: "Credit and send DKK 1,250.00" });
      await button.waitFor();
      const { lines } = await world.done(`GET /invoices/${id}`);
      await world.done("POST /credit-notes", {
        external_id: "meanwhile",
        invoice: id,
        kind: "partial",
        credit_date: "2026-03-03",
        lines: [{ invoice_line_id: lines[0].id, amount: 100 }],
      });
      await button.click();
      await page.getByText("The data has changed since you saw this").waitFor();
      expect(await notesOf(id)).toHaveLength(1);
    });

    it("credits once when the first answer is lost", async () => {
      const id = await issued(1000);
      const page = await open(id);
      let lost = 0;
      await page.route("**/app/credits/make", async (route) => {
        lost += 1;
        if (lost > 1) return route.continue();
        await route.fetch();
        return route.abort();
      });
      await page.getByRole("button", { name: "The whole invoice" }).click();
      const button = page.getByRole("button", { name: "Credit and send DKK 1,250.00" });
      await button.click();
      await page.getByText("it is never credited twice").waitFor();
      await button.click();
      await page.waitForURL(/\/credit-notes\//);
      expect(await notesOf(id)).toHaveLength(1);
    });
  },
);
