/** Closing a month and reopening it in a real browser. */
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

    beforeAll(async () => {
      cookie = (await openConsent(world).signedInAdmin()).cookie();
      const studio = await openStudio(world, world.account);
      await studio.customersWith("2026-02", "Anna", "Bo");
    });
    const open = async (path: string): Promise<Page> => {
      const page = await chromium.open(cookie);
      await page.goto(path);
      return page;
    };
    const status = async (): Promise<string> =>
      (await world.done("GET /period-closes/2026-02/preview")).status;

    it("closes February from Today, with its warning in the button, and reopens it", async () => {
      const line = { product_id: (await world.done("GET /products")).data[0].id };
      const { id: customer_id } = await world.done("POST /customers", { name: "Cesar" });
      const { id } = await world.done("POST /invoices", {
        customer_id,
        issue_date: "2026-02-10",
        lines: [{ ...line, recognition_method: "on_issue", agreed_value: 500 }],
      });
      await world.done(`POST /invoices/${id}/issue`);
      const page = await open("/today");
      await page.getByRole("link", { name: /Review and close/ }).click();
      await alive(page);
      await page.getByText("2 vouchers, dated 28 February").waitFor();
      await page.getByText("Why? Anna").click();
      await page.getByText("By hours").first().waitFor();

      await page.getByRole("link", { name: "Close February with 1 warning…" }).click();
      await page.getByRole("heading", { name: "Close February 2026?" }).waitFor();
      expect(await status()).toBe("open");
      await page.getByRole("button", { name: "Close February" }).click();
      await page.getByText("The month is closed: its revenue is booked.").waitFor();
      expect(await status()).toBe("completed");

      await page.getByRole("link", { name: "Reopen…" }).click();
      await page.getByLabel("Type February to confirm").fill("February");
      await page.getByLabel("Reason").fill("Hours of Anna were missing");
      await page.getByRole("button", { name: "Reopen February" }).click();
      await page.getByText("The month was reopened. Its booked vouchers remain.").waitFor();
      expect(await status()).toBe("reopened");
    });

    it("follows a close that continues in the background until it has ended", async () => {
      const set = (to: string) =>
        world.sql(
          `update period_closes set status = $2, lease_until = clock_timestamp() + interval '1 hour'
           where account_id = $1 and month = '2026-02'`,
          [world.account.account_id, to],
        );
      await set("running");
      const page = await open("/close/2026-02");
      await alive(page);
      await page.getByRole("progressbar").waitFor();
      await set("completed");
      await page.getByText("The month is closed: its revenue is booked.").waitFor();
    });
  },
);
