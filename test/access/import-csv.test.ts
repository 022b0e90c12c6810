/** An import in a real browser: a file as a spreadsheet writes it, its preview, and what it creates. */
import { readFileSync } from "node:fs";
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

    async function opened(kind: string, options = {}): Promise<Page> {
      const page = await chromium.open(admin.cookie(), options);
      await page.goto(`/${kind}/import`);
      await alive(page);
      return page;
    }
    const choose = (page: Page, text: string) =>
      page.locator("input[type=file]").setInputFiles({
        name: "x.csv",
        mimeType: "text/csv",
        buffer: Buffer.from(text, "latin1"),
      });

    it("creates the valid rows, in portions, and returns the refused ones", async () => {
      const page = await opened("customers", { locale: "da" });
      const rows = Array.from({ length: 120 }, (_, n) => `Bøf ${n};${1000 + n};DK`);
      rows[3] = "Ærø;1003;Atlantis";
      await choose(page, `\r\nNavn;Kundenr.;Land;Vejr\r\n${rows.join("\r\n")}\r\n`.trimStart());
      await page.getByText("Ikke læst, fordi kolonnen er ukendt: Vejr.").waitFor();
      await page.getByRole("button", { name: "Udeladt 1" }).click();
      await page.getByText("Land: Er ikke en gyldig værdi for feltet").waitFor();
      expect((await world.done("GET /customers")).data).toEqual([]);
      await page.getByRole("button", { name: "Opret 119 kunder" }).click();
      await page.getByText("119 kunder er oprettet.").waitFor();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Hent rækken, der er udeladt" }).click(),
      ]);
      expect(download.suggestedFilename()).toBe("udeladt.csv");
      expect(readFileSync(await download.path(), "utf8")).toContain("Ærø;1003;Atlantis;;");
      await page.getByRole("link", { name: "Til kunderne" }).click();
      await page.getByRole("link", { name: "Bøf 119" }).waitFor();
    });

    it("shows a new preview if the result would differ from the first one", async () => {
      const page = await opened("products");
      await page.getByText("Or paste rows").click();
      await page.getByLabel("Rows").fill("Name\tNumber\nFirst\tA-1\nSecond\tA-2");
      await page.getByRole("button", { name: "Check the rows" }).click();
      const make = page.getByRole("button", { name: "Create 2 products" });
      await make.waitFor();
      await world.done("POST /products", { name: "Of another user", product_number: "A-1" });
      await make.click();
      await page.getByText("The data has changed since you saw this.").waitFor();
      await page.getByRole("button", { name: "Create 1 product" }).click();
      await page.getByText("1 product was created.").waitFor();
      const { data } = await world.done("GET /products");
      expect(data.map(({ name }: { name: string }) => name).sort()).toEqual([
        "Of another user",
        "Second",
      ]);
    });

    it("resumes after a lost answer, and creates nothing twice", async () => {
      const page = await opened("customers");
      await choose(page, "Name\r\nOnce\r\n");
      const make = page.getByRole("button", { name: "Create 1 customer" });
      await page.route("**/import/make", async (route) => {
        await route.fetch();
        await route.abort();
      });
      await make.click();
      await page.getByText("There was no answer.").waitFor();
      await page.getByRole("button", { name: "Try again" }).click();
      await page.getByText("Exists already", { exact: true }).waitFor();
      expect((await world.done("GET /customers?search=Once")).data).toHaveLength(1);
    });

    it("refuses a file that is not CSV or lacks a column, and says why", async () => {
      const page = await opened("products");
      await choose(page, "PK\x03\x04rest");
      await page.getByRole("alert").getByText("This is a workbook.").waitFor();
      await choose(page, "Number;Price\r\n1;2\r\n");
      await page.getByRole("alert").getByText("There is no column for Name.").waitFor();
    });
  },
);
