/** A retainer in a real browser, from its draft to its end: activation, the three scopes of a change, a skip, and the end. */
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { alive, useChromium } from "../support/browser/alive.ts";
import { lacksChromium } from "../support/browser/chromium.ts";
import { openConsent } from "../support/mcp/consent.ts";
import { useSeries } from "../support/world/series.ts";

describe.skipIf(lacksChromium)(
  "in Chromium (needs a browser in a usual place or named by CHROMIUM_PATH)",
  () => {
    const series = useSeries({ knows_origin: true });
    const { world } = series;
    const chromium = useChromium(world);
    let cookie: string | null;
    let page: Page;
    let id: string;

    beforeAll(async () => {
      cookie = (await openConsent(world).signedInAdmin()).cookie();
      series.at("2027-03-10");
    });

    /** Opens the retainer's page in a new window: each test has its own. */
    const open = async (): Promise<void> => {
      page = await chromium.open(cookie, { viewport: { width: 1280, height: 900 } });
      await page.goto(id === undefined ? "/retainers" : `/retainers/${id}`);
    };
    const link = (name: string | RegExp) => page.getByRole("link", { name });
    const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });

    /** Finds a product by a part of its name. */
    const choose = async (field: string, typed: string): Promise<void> => {
      const box = page.getByRole("combobox", { name: field });
      await box.fill(typed);
      await page.getByRole("option", { name: "Retainer" }).first().waitFor();
      await box.press("Enter");
    };
    /** Drags a handle above another one. */
    const dragged = async (from: Locator, to: Locator): Promise<void> => {
      await from.evaluate((one) => one.scrollIntoView({ block: "center" }));
      const [start, end] = [await from.boundingBox(), await to.boundingBox()];
      if (start === null || end === null) throw new Error("a handle is not shown");
      await page.mouse.move(start.x + 5, start.y + 5);
      await page.mouse.down();
      await page.mouse.move(start.x + 5, start.y - 20, { steps: 3 });
      await page.mouse.move(end.x + 5, end.y - 30, { steps: 5 });
      await page.mouse.up();
    };

    it("is made for a customer with a line, as a draft", async () => {
      await open();
      await link("New retainer").first().click();
      await link("Choose Acme A/S").click();
      const failed: string[] = [];
      page.on("response", (response) => {
        if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
      });
      await page.getByLabel("First day").fill("2027-03-10");
      const price = page.getByLabel("Price a period");
      await price.fill("2*4,000");
      await page.getByRole("status").getByText("Line 1: Choose a product.").waitFor();
      await page.getByText("Read as 8,000.00: comma for thousands").waitFor();
      await price.press("Tab");
      expect(await price.inputValue()).toBe("8,000.00");
      await choose("Product, Line 1", "Ret");
      await page.getByText("8,000.00 a month").waitFor();
      await button("Add a line").click();
      const second = page.getByRole("group", { name: "Line 2" });
      await choose("Product, Line 2", "Ret");
      await second.getByLabel("Price a period").fill("x");
      await page
        .getByRole("status")
        .getByText(/^Line 2: /)
        .waitFor();
      await second.getByLabel("Price a period").fill("500");
      await page.getByText("8,500.00 a month").waitFor();
      // An incomplete form is no failed request, which browsers would log.
      expect(failed).toEqual([]);
      const prices = () =>
        page
          .getByLabel("Price a period")
          .evaluateAll((fields) =>
            fields.map((field) => (field instanceof HTMLInputElement ? field.value : "")),
          );
      const handle = (line: number) =>
        page.getByLabel(`Line ${line}: move or copy`, { exact: true });
      await handle(2).press("ArrowUp");
      await expect.poll(prices).toEqual(["500.00", "8,000.00"]);
      expect(await handle(1).evaluate((one) => one === document.activeElement)).toBe(true);
      await second.getByLabel("Price a period").press("Alt+ArrowUp");
      await expect.poll(prices).toEqual(["8,000.00", "500.00"]);
      await handle(2).click();
      await button("Copy line 2").click();
      await expect.poll(prices).toEqual(["8,000.00", "500.00", "500.00"]);
      await dragged(handle(2), handle(1));
      await expect.poll(prices).toEqual(["500.00", "8,000.00", "500.00"]);
      await button("Remove line 3").click();
      await button("Remove line 1").click();
      await page.getByText("8,000.00 a month").waitFor();
      await button("Create the draft").click();
      await button("Save").waitFor();
      id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
      expect(await series.show(id)).toMatchObject({
        status: "draft",
        lines: [{ agreed_value: 8000 }],
      });
    });

    it("is activated in a dialog that says what goes out today", async () => {
      await open();
      await link("Activate…").click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("March 2027: DKK 8,000.00 net, within the hour.").waitFor();
      await dialog.getByRole("button", { name: "Activate", exact: true }).click();
      await page.getByText("Retainer is active.").waitFor();
      expect(await series.runOf(id)).toEqual(["issued 2027-03"]);
    });

    it.each([
      ["Only May 2027", "9,000", "Change May 2027 to DKK 9,000.00", [8000, 9000, 8000]],
      [
        "May 2027 and following",
        "9,500",
        "Change May 2027 and following to DKK 9,500.00 a month",
        [8000, 9000, 9500],
      ],
      [
        "All that are open",
        "7,000",
        "Change all open periods to DKK 7,000.00 a month",
        [7000, 7000, 7000],
      ],
    ])("changes its line: %s", async (scope, price, confirm, expected) => {
      await open();
      await link("Change… Retainer").click();
      await page.getByLabel("Price a period").fill(price);
      await page.getByLabel("From which period?").selectOption({ label: "May 2027" });
      await page.getByLabel(scope, { exact: true }).check();
      await button(confirm).click();
      await page.getByText("Retainer is saved.").waitFor();
      expect(await series.amounts(id, "2027-06-30")).toEqual(expected);
    });

    it("skips a period in a dialog, and ends with a day on the strip", async () => {
      await open();
      await link("Skip a period…").click();
      await page.getByRole("dialog").getByLabel("Reason").fill("Holiday");
      await page.getByRole("button", { name: "Skip April 2027" }).click();
      await page.getByText("Skipped: Holiday").waitFor();

      await open();
      await link("End…").click();
      await page.waitForURL(/\/end$/);
      await alive(page);
      const last_day = page.getByLabel("Last day of service");
      await last_day.fill("next summer");
      await last_day.press("Tab");
      await page.getByText("This is not a date.").waitFor();
      await link(/End with May/).click();
      await page.getByText("Dropped periods").waitFor();
      await button(/^End on 9 Jun 2027/).click();
      await page.getByText("Retainer ends.").waitFor();
      await page.getByText("Cancelled", { exact: true }).waitFor();
      expect(await series.show(id)).toMatchObject({ end_date: "2027-06-09" });
    });

    it("fits a phone, with its strips inside", async () => {
      page = await chromium.open(cookie, { viewport: { width: 360, height: 800 } });
      const paths = ["", `/${id}`, `/${id}/2027-05`, `/${id}/end?end_date=2027-05-09`, "/new"];
      for (const path of paths) {
        await page.goto(`/retainers${path}`);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(`${path} ${width}`).toBe(`${path} 360`);
      }
    });
  },
);
