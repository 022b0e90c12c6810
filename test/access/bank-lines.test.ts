/** A file of the bank in a real browser: dropped, gone through by keyboard, and booked by the one button. */
import { beforeAll, describe, expect, it } from "vitest";
import { camt, DANISH_IBAN } from "../support/bank/camt.ts";
import { useChromium } from "../support/browser/alive.ts";
import type { Browser } from "../support/browser/browser.ts";
import { lacksChromium } from "../support/browser/chromium.ts";
import { openConsent } from "../support/mcp/consent.ts";
import { useSales } from "../support/world/sales.ts";

const LINES = 40;

describe.skipIf(lacksChromium)(
  "in Chromium (needs a browser in a usual place or named by CHROMIUM_PATH)",
  () => {
    const { world, issued } = useSales({ knows_origin: true });
    const chromium = useChromium(world);
    let admin: Browser;
    beforeAll(async () => {
      admin = await openConsent(world).signedInAdmin();
      const [bank] = (await world.done("GET /bank-accounts")).data;
      await world.done(`PATCH /bank-accounts/${bank.id}`, { iban: DANISH_IBAN });
    });

    it("books 40 lines by keyboard within a minute, half of which a person has to select", async () => {
      const entries = [];
      for (let at = 0; at < LINES; at += 1) {
        const invoice = await issued([800 + at], { issue_date: "2026-01-01" });
        const amount = ((800 + at) * 1.25).toFixed(2);
        const text = at % 2 === 0 ? `Faktura ${invoice.ledger_invoice_number}` : "Tak for hjælpen";
        entries.push({ amount, day: "2026-02-02", text });
      }
      const page = await chromium.open(admin.cookie());
      await page.goto("/bank");
      await page.setInputFiles("input[type=file]", {
        name: "february.xml",
        mimeType: "text/xml",
        buffer: Buffer.from(camt({ entries })),
      });
      await page.waitForURL(/brought=/);
      await page.locator("form[data-list][data-alive]").waitFor();
      const button = page.locator("button[data-go]");
      expect(await button.textContent()).toMatch(/^Book 20 payments, DKK /);

      const begun = performance.now();
      for (let at = 0; at < LINES; at += 1) {
        await page.keyboard.press("j");
        const row = page.locator("tbody tr:focus-within input[type=checkbox]");
        if (!(await row.isChecked())) await page.keyboard.press("Space");
      }
      expect(await button.textContent()).toMatch(/^Book 40 payments, DKK /);
      await page.keyboard.press("b");
      await page.getByRole("heading", { name: "Book these 40 lines?" }).waitFor();
      await page.locator("[data-list][data-alive]").waitFor();
      await page.keyboard.press("b");
      await page.getByText("40 lines are booked.").waitFor();
      expect(performance.now() - begun).toBeLessThan(60_000);
      const { data } = await world.done("GET /bank-lines?state=booked&limit=100");
      expect(data).toHaveLength(LINES);
    });

    it("opens a line over the list by Enter, and says what a dropped CSV lacks", async () => {
      const page = await chromium.open(admin.cookie());
      await page.goto("/bank");
      await page.setInputFiles("input[type=file]", {
        name: "bank.csv",
        mimeType: "text/csv",
        buffer: Buffer.from("Dato;Tekst;Beløb\n03-02-2026;Gebyr;-25,00\n"),
      });
      await page.getByRole("heading", { name: "What are the columns of this file?" }).waitFor();
      await page.getByRole("button", { name: "Save and read the file" }).click();
      await page.waitForURL(/brought=/);
      await page.locator("[data-list][data-alive]").waitFor();
      await page.keyboard.press("j");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "what is it?" }).waitFor();
      await page.getByLabel("Why").fill("A fee");
      await page.getByRole("button", { name: "Leave the line out" }).click();
      await page.getByText("The line is left out.").waitFor();
      expect(page.url()).toMatch(/\/bank$/);
    });
  },
);
