/** Pages on a phone in a real browser: the tabs at the bottom, folded lists, the bar of a cell, and the paper of an invoice. */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { alive, useChromium } from "../support/browser/alive.ts";
import type { Browser } from "../support/browser/browser.ts";
import { lacksChromium } from "../support/browser/chromium.ts";
import { openConsent } from "../support/mcp/consent.ts";
import { useSales } from "../support/world/sales.ts";

const HEIGHT = 740;
const TABS = 56;
const PHONE = { viewport: { width: 360, height: HEIGHT } };

describe.skipIf(lacksChromium)(
  "in Chromium (needs a browser in a usual place or named by CHROMIUM_PATH)",
  () => {
    const { world, customer, draft, issued, line } = useSales({ knows_origin: true });
    const chromium = useChromium(world);
    let admin: Browser;
    beforeAll(async () => {
      admin = await openConsent(world).signedInAdmin();
    });

    async function open(path: string, options: object = PHONE): Promise<Page> {
      const page = await chromium.open(admin.cookie(), options);
      await page.goto(path);
      return page;
    }
    const scroll = (page: Page, to: number) => page.evaluate((top) => scrollTo(0, top), to);
    /** By how much the content is wider than the window. */
    const excess = (page: Page) =>
      page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

    it("five tabs are at the bottom, 56 pixels high and above everything", async () => {
      for (let n = 0; n < 12; n += 1) await draft([100 + n], { title: `Tabbed ${n}` });
      const page = await open("/invoices");
      const tabs = page.locator(".tabs > nav > a, .tabs > details > summary");
      expect(await tabs.allTextContents()).toEqual([
        "Today",
        "Work",
        "Invoices",
        "Revenue",
        "More",
      ]);
      const bar = await page.locator(".tabs").boundingBox();
      expect(bar).toEqual({ x: 0, y: HEIGHT - TABS, width: 360, height: TABS });
      for (const top of [0, 300, 100_000]) {
        await scroll(page, top);
        const covered = await page.evaluate(
          ([y]) =>
            [36, 108, 180, 252, 324].filter(
              (x) => document.elementFromPoint(x, y as number)?.closest(".tabs") == null,
            ),
          [HEIGHT - TABS / 2],
        );
        expect(covered).toEqual([]);
      }
      expect(await page.locator('.tabs > nav [aria-current="page"]').textContent()).toBe(
        "Invoices",
      );
    });

    it("a list folds to two lines of at most 96 pixels, whatever its rows contain", async () => {
      const title = "A title that is much longer than a phone is wide, and then some more of it";
      const { id } = await world.done("POST /customers", {
        name: "A customer whose name is as long as their street and both of their cities",
        email: "a-very-long-address-of-accounts-payable@customer-with-a-long-domain.example",
      });
      await issued([1_234_567.5], { title, customer_id: id });
      await draft([7_654_321.25], { title, customer_id: id });
      for (const path of ["/invoices", "/invoices?tab=issued", "/customers", "/products"]) {
        const page = await open(path);
        expect(await page.locator(".folds tbody tr").count(), path).toBeGreaterThan(0);
        const heights = await page
          .locator("tbody tr")
          .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
        expect(Math.max(...heights), path).toBeLessThanOrEqual(96);
        expect(await excess(page), path).toBe(0);
        await page.context().close();
      }
    });

    it("the bar of a cell stays in view with note, billable and price", async () => {
      const { user_id } = world.account.admin;
      const own = line(1, {
        recognition_method: "hours",
        agreed_value: undefined,
        hourly_rate: 1150,
        assignees: [{ user_id }],
      });
      const lines = Array.from({ length: 14 }, (_, n) => ({
        ...own,
        description_override: `Task ${n}`,
      }));
      const made = await world.done("POST /invoices", { customer_id: customer.id, lines });
      await world.done("POST /work-registrations", {
        line_id: made.lines[0].id,
        user_id,
        date: "2026-03-10",
        hours: 2,
        note: "Sketches",
      });
      const page = await open("/hours/2026-W11");
      await alive(page);
      const bar = page.locator(".cellbar");
      await page.locator('input.hour[data-row="0"][data-days="1"]').focus();
      expect(await bar.getByRole("textbox").inputValue()).toBe("Sketches");
      expect(await bar.getByRole("checkbox", { name: "Billable" }).isVisible()).toBe(true);
      expect(await bar.textContent()).toContain("2,300.00");
      for (const top of [0, 250, 100_000]) {
        await scroll(page, top);
        const place = await bar.boundingBox();
        expect(place?.y ?? 0).toBeGreaterThan(0);
        expect((place?.y ?? 0) + (place?.height ?? 0)).toBeLessThanOrEqual(HEIGHT - TABS);
      }
      expect(await excess(page)).toBe(0);
    });

    it("what has the focus is never behind a bar at the bottom", async () => {
      const { user_id } = world.account.admin;
      const hourly = { recognition_method: "hours", agreed_value: undefined, hourly_rate: 900 };
      const lines = Array.from({ length: 9 }, () =>
        line(1, { ...hourly, assignees: [{ user_id }] }),
      );
      const { id } = await world.done("POST /invoices", { customer_id: customer.id, lines });
      for (const [path, bar] of [
        [`/invoices/${id}`, ".to-issue"],
        ["/hours/2026-W11", ".cellbar"],
        ["/invoices?tab=draft", ".picked"],
        ["/customers/new", ".tabs"],
      ] as const) {
        const page = await open(path);
        await alive(page);
        if (bar === ".picked") await page.locator("tbody input[type=checkbox]").first().check();
        await page.locator(bar).waitFor();
        const covered = new Set<string>();
        for (let step = 0; step < 60; step += 1) {
          await page.keyboard.press("Tab");
          const found = await page.evaluate(coveredFocus);
          if (found !== null) covered.add(`${path} ${found}`);
        }
        expect([...covered]).toEqual([]);
        await page.context().close();
      }
    });

    it("the paper of an issued invoice with a discount fits", async () => {
      const text = "Advice on a heritage site, with drawings, models and a visit to the archives";
      const discounted = line(1_234_567.25, { discount: 12.5, description_override: text });
      const hourly = line(1, {
        recognition_method: "hours",
        agreed_value: undefined,
        hourly_rate: 98_765.5,
        discount: 7.25,
      });
      const invoice = await issued([], { title: text, lines: [discounted, hourly] });
      for (const locale of ["en", "da"]) {
        const page = await open(`/invoices/${invoice.id}`, { ...PHONE, locale });
        expect(await excess(page)).toBe(0);
        const paper = page.locator(".paper");
        const [wide, within] = await paper.evaluate((one) => [one.scrollWidth, one.clientWidth]);
        expect(wide).toBeLessThanOrEqual(within ?? 0);
        const right = (await paper.boundingBox())?.width ?? 0;
        const cells = await paper
          .locator("td, th")
          .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
        expect(Math.max(...cells)).toBeLessThanOrEqual(right + 40);
      }
    });
  },
);

/** Runs in the page: returns the element with the focus if a bar at the bottom covers a part of it, otherwise null. */
function coveredFocus(): string | null {
  const active = document.activeElement;
  if (active === null || active === document.body) return null;
  const { top, bottom } = active.getBoundingClientRect();
  const bars = [...document.querySelectorAll(".tabs, .to-issue, .cellbar, .picked")].filter(
    (bar) => !bar.contains(active) && bar.getBoundingClientRect().height > 0,
  );
  const covers = bars.some((bar) => {
    const over = bar.getBoundingClientRect();
    return top < over.bottom && bottom > over.top;
  });
  return covers ? active.outerHTML.slice(0, 120) : null;
}
