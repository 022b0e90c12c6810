/** Issuing several drafts in a real browser: selected in the list, reviewed, issued without the refused one, and never twice. */
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
    });

    /** Selects drafts in the list by their titles and opens the preview of issuing them. */
    async function picked(titles: readonly string[], options = {}): Promise<Page> {
      const page = await chromium.open(admin.cookie(), options);
      await page.goto("/invoices");
      for (const title of titles) {
        await page.getByRole("checkbox", { name: new RegExp(`${title}$`) }).check();
      }
      await page.locator('form[action="/invoices/issue"] button').click();
      await page.waitForURL(/\/invoices\/issue\?/);
      return page;
    }
    /** The rows of the list on the page, each as the texts of its cells. */
    const rows = (page: Page) =>
      page
        .locator("main tbody tr")
        .evaluateAll((all) =>
          all.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent ?? "")),
        );
    const numbers = async (drafts: readonly { readonly id: string }[]) =>
      Promise.all(
        drafts.map(
          async ({ id }) => (await world.done(`GET /invoices/${id}`)).ledger_invoice_number,
        ),
      );
    const booked = async () =>
      (await world.sql("select count(*)::int as n from ledger_entries"))[0]?.n as number;

    it("shows a preview, issues two of three drafts, and reports why the third is left out", async () => {
      const drafts = [
        await draft([1000], { title: "Spring" }),
        await draft([], { title: "Summer" }),
        await draft([500], { title: "Autumn" }),
      ];
      const before = await booked();
      const page = await picked(["Spring", "Summer", "Autumn"]);
      await page.getByRole("heading", { name: "Issue 3 drafts?" }).waitFor();
      const reason = "Acme A/S, Summer | SendsThe invoice has no lines, or its total is 0.";
      const planned = (await rows(page)).map((cells) => cells.join(" | "));
      expect(planned).toContainEqual(expect.stringContaining(reason));
      expect(planned).toContainEqual(expect.stringMatching(/Spring.*DKK 1,250.00/));
      expect(planned).toContainEqual(expect.stringMatching(/Autumn.*DKK 625.00/));
      expect(await booked()).toBe(before);

      // A double click, as impatient people do.
      await page.getByRole("button", { name: "Issue 2: DKK 1,875.00" }).dblclick();
      await page.getByRole("heading", { name: "2 of 2 issued" }).waitFor();
      expect((await rows(page)).sort()).toEqual([
        ["Number1", "CustomerAcme A/S, Autumn", "StateIssued", "With VATDKK 625.00"],
        ["Number2", "CustomerAcme A/S, Spring", "StateIssued", "With VATDKK 1,250.00"],
      ]);
      const given = await numbers(drafts);
      expect(given).toEqual([expect.anything(), null, expect.anything()]);
      expect(await booked()).toBe(before + 2);

      // The same form again, and the way back to the page that sent it.
      await page.reload();
      await page.getByRole("heading", { name: "2 of 2 issued" }).waitFor();
      await page.goBack();
      await page.getByRole("heading", { name: "Issue 3 drafts?" }).waitFor();
      expect(await page.getByRole("button", { name: /^Issue/ }).count()).toBe(0);
      expect((await rows(page)).map((cells) => cells.join(" | "))).toContainEqual(
        expect.stringContaining(reason),
      );
      expect(await numbers(drafts)).toEqual(given);
      expect(await booked()).toBe(before + 2);
    });

    it("does not issue a draft that was changed after the preview, and says so, on a phone and in Danish", async () => {
      const drafts = [
        await draft([100], { title: "Unchanged" }),
        await draft([200], { title: "Moved" }),
      ];
      const phone = { viewport: { width: 360, height: 780 }, locale: "da" };
      const page = await picked(["Unchanged", "Moved"], phone);
      await world.done(`PATCH /invoices/${drafts[1]?.id}`, { title: "Moved on" });
      await page.getByRole("button", { name: "Udsted 2: 375,00 kr." }).click();
      await page.getByRole("heading", { name: "1 af 2 udstedt" }).waitFor();
      expect(await numbers(drafts)).toEqual([expect.anything(), null]);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wide).toBeLessThanOrEqual(0);
      // The remaining drafts are shown again in their current state.
      await page.getByRole("link", { name: "Kontrollér de resterende igen" }).click();
      await page.getByText("Moved on").waitFor();
      await page.getByRole("button", { name: "Udsted den: 250,00 kr." }).click();
      await page.getByRole("heading", { name: "1 af 1 udstedt" }).waitFor();
      expect(await numbers(drafts)).toEqual([expect.anything(), expect.anything()]);
    });
  },
);
