/** Confirmations in a real browser: over the page with scripts, as a page of its own without them. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { alive, useChromium } from "../support/browser/alive.ts";
import { lacksChromium } from "../support/browser/chromium.ts";
import { openConsent } from "../support/mcp/consent.ts";
import { useSales } from "../support/world/sales.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
interface WithAxe {
  readonly axe: { run(where: string): Promise<AxeResults> };
}

describe.skipIf(lacksChromium)(
  "in Chromium (needs a browser in a usual place or named by CHROMIUM_PATH)",
  () => {
    const { world, issued, draft } = useSales({ knows_origin: true });
    const chromium = useChromium(world);
    let cookie: string | null;
    let id: string;

    beforeAll(async () => {
      cookie = (await openConsent(world).signedInAdmin()).cookie();
      ({ id } = await issued([1000]));
    });
    const open = async (options = {}): Promise<Page> => {
      const page = await chromium.open(cookie, options);
      await page.goto(`/invoices/${id}`);
      return page;
    };
    const link = (page: Page) => page.getByRole("link", { name: "Credit…" });
    const dialogOf = (page: Page) => page.getByRole("dialog", { name: /Credit invoice/ });
    const listens = (page: Page) => page.waitForLoadState("networkidle");

    it.each([
      ["light", 1280],
      ["dark", 360],
    ] as const)(
      "a confirmation opens over its page without faults (%s, %i)",
      async (colorScheme, width) => {
        const page = await open({ colorScheme, viewport: { width, height: 780 } });
        await listens(page);
        await link(page).click();
        await dialogOf(page).waitFor();
        await alive(page);
        expect(page.url()).toContain(`/invoices/${id}`);
        expect(page.url()).not.toContain("credit");
        await page.evaluate(AXE);
        const { violations } = await page.evaluate(() =>
          (globalThis as unknown as WithAxe).axe.run("dialog.over"),
        );
        expect(violations.map((one) => `${one.id}: ${one.nodes[0]?.html}`)).toEqual([]);
      },
    );

    it("its island works, and Escape closes it and gives the focus back", async () => {
      const page = await open();
      await listens(page);
      await link(page).focus();
      await page.keyboard.press("Enter");
      const amount = dialogOf(page).getByRole("textbox", { name: /Amount/ });
      await amount.fill("400");
      await page.getByRole("button", { name: "Credit and send DKK 500.00" }).waitFor();
      await page.keyboard.press("Escape");
      await dialogOf(page).waitFor({ state: "detached" });
      expect(await link(page).evaluate((one) => one === document.activeElement)).toBe(true);
      expect((await world.done(`GET /credit-notes?invoice=${id}`)).data).toEqual([]);
    });

    it("an issued invoice shows the months in which it is earned", async () => {
      const page = await open();
      await alive(page);
      const months = page.getByRole("region", { name: "When it is earned" });
      await months.getByText("March 2026").waitFor();
      await months.getByText("1,000.00").waitFor();
    });

    it("opens on its own page in a new tab, and without scripts", async () => {
      const page = await open();
      await listens(page);
      const [tab] = await Promise.all([
        page.context().waitForEvent("page"),
        link(page).click({ modifiers: ["ControlOrMeta"] }),
      ]);
      await tab.getByRole("heading", { level: 1, name: /Credit invoice/ }).waitFor();
      const plain = await open({ javaScriptEnabled: false });
      await link(plain).click();
      await plain.getByRole("heading", { level: 1, name: /Credit invoice/ }).waitFor();
      await plain.getByRole("textbox", { name: /Amount/ }).fill("400");
      await plain.getByRole("button", { name: "Show the effect" }).click();
      await plain.getByRole("button", { name: "Credit and send DKK 500.00" }).waitFor();
      expect((await world.done(`GET /credit-notes?invoice=${id}`)).data).toEqual([]);
    });

    it("a warning in it leads to the field of the page below", async () => {
      const { id: draft_id } = await draft([100]);
      const page = await open();
      await page.goto(`/invoices/${draft_id}`);
      await alive(page);
      await page.getByRole("link", { name: "Issue…" }).click();
      const dialog = page.getByRole("dialog", { name: /Issue the invoice/ });
      await dialog.getByRole("link", { name: /^Go to the line/ }).click();
      await dialog.waitFor({ state: "detached" });
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.id ?? ""))
        .toMatch(/^product-/);
    });
  },
);
