/** Revenue in a real browser: an amount is explained by keyboard, by its address, and closed again. */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { alive, useChromium } from "../support/browser/alive.ts";
import { lacksChromium } from "../support/browser/chromium.ts";
import { openConsent } from "../support/mcp/consent.ts";
import { openStudio } from "../support/world/studio.ts";
import { useWorld } from "../support/world/world.ts";

describe.skipIf(lacksChromium)(
  "in Chromium (needs a browser in a usual place or named by CHROMIUM_PATH)",
  () => {
    const world = useWorld({ knows_origin: true });
    const chromium = useChromium(world);
    let cookie: string | null;
    let line_id: string;

    beforeAll(async () => {
      cookie = (await openConsent(world).signedInAdmin()).cookie();
      const studio = await openStudio(world, world.account);
      studio.at("2026-03-20");
      const line = studio.service(3000, "2026-01-01", "2026-03-31");
      const { lines } = await studio.issued([line], { issue_date: "2026-01-10" });
      line_id = lines[0].id;
    });
    const open = async (path: string, width = 1280): Promise<Page> => {
      const page = await chromium.open(cookie, { viewport: { width, height: 900 } });
      await page.goto(path);
      return page;
    };

    it("walks to an amount by arrow keys, opens it, and sends its address", async () => {
      const page = await open("/revenue?by=line&from=2026-01&to=2026-03");
      await alive(page);
      await page.getByRole("link", { name: "Advice, January 2026: 1,000.00" }).focus();
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Advice" }).waitFor();
      await page.getByText("Earned in February 2026").first().waitFor();
      expect(page.url()).toContain(`explain=${line_id}.2026-02`);

      const sent = await open(new URL(page.url()).pathname + new URL(page.url()).search);
      await alive(sent);
      await sent.getByText("In 2026-02 the line earned 1000.00 DKK").waitFor();
      await sent.getByRole("link", { name: "Close the explanation" }).focus();
      await sent.keyboard.press("Escape");
      await sent.getByRole("heading", { name: "Advice" }).waitFor({ state: "detached" });
      expect(sent.url()).not.toContain("explain=");
    });

    it("is no wider than a phone, with the matrix in a region of its own", async () => {
      for (const path of [
        "/revenue",
        `/revenue?explain=${line_id}.2026-02`,
        "/revenue/remaining",
      ]) {
        const page = await open(path, 360);
        await alive(page);
        const width = await page.evaluate("document.documentElement.scrollWidth");
        expect(width, path).toBeLessThanOrEqual(360);
        await page.close();
      }
    });
    it("begins at the latest months on a phone, and keeps the names in view beside them", async () => {
      const page = await open("/revenue?by=line", 360);
      await alive(page);
      const boxes = async (name: RegExp) => page.getByRole("link", { name }).first().boundingBox();
      const bar = await page.locator('.bars a[aria-label^="Mar. March 2026"]').boundingBox();
      expect(bar?.x).toBeGreaterThan(0);
      expect((bar?.x ?? 0) + (bar?.width ?? 0)).toBeLessThanOrEqual(360);
      const nameAt = () => page.locator(".matrix tbody th").first().boundingBox();
      const before = await nameAt();
      const amount = await boxes(/, March 2026: 1,000\.00$/);
      expect(amount?.x).toBeGreaterThanOrEqual((before?.x ?? 0) + (before?.width ?? 0));
      await page.getByRole("link", { name: /, January 2026: / }).focus();
      const focused = await boxes(/, January 2026: 1,000\.00$/);
      const after = await nameAt();
      expect(after?.x).toBe(before?.x);
      expect(focused?.x).toBeGreaterThanOrEqual((after?.x ?? 0) + (after?.width ?? 0) - 1);
    });
  },
);
