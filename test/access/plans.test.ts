/** A person decides on plans of their assistant, and makes and revokes a key, in a real browser. */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { alive, useChromium } from "../support/browser/alive.ts";
import { lacksChromium } from "../support/browser/chromium.ts";
import { openConsent } from "../support/mcp/consent.ts";
import { type Agent, agentOf } from "../support/mcp/mcp.ts";
import { useSales } from "../support/world/sales.ts";

describe.skipIf(lacksChromium)(
  "in Chromium (needs a browser in a usual place or named by CHROMIUM_PATH)",
  () => {
    const { world, draft } = useSales({ knows_origin: true });
    const chromium = useChromium(world);
    let cookie: string | null;
    let agent: Agent;

    beforeAll(async () => {
      cookie = (await openConsent(world).signedInAdmin()).cookie();
      const { user_id } = world.account.admin;
      agent = await agentOf(world, { user_id, client_name: "Claude" });
    });
    const open = async (path: string, options = {}): Promise<Page> => {
      const page = await chromium.open(cookie, options);
      await page.goto(path);
      return page;
    };

    it("a plan is read from Today and carried out", async () => {
      const invoice = await draft([1000]);
      await agent.done("plan_issue_invoice", { invoice: invoice.id });
      const page = await open("/today");
      await page.getByRole("link", { name: "Read the plan" }).click();
      await page.getByText("Claude has planned this in your name.").waitFor();
      await page.getByRole("button", { name: "Do it" }).click();
      await page.getByText("This plan has been carried out.").waitFor();
      await page.getByRole("link", { name: "See the result" }).click();
      await page.waitForURL(`**/invoices/${invoice.id}`);
      expect((await world.done(`GET /invoices/${invoice.id}`)).status).toBe("issued");
    });

    it("a plan is declined on a phone, and its assistant is refused", async () => {
      const invoice = await draft([1000]);
      const { plan_id, url } = await agent.done("plan_issue_invoice", { invoice: invoice.id });
      const page = await open("/assistants", { viewport: { width: 360, height: 780 } });
      await alive(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
      await page.locator(`a[href="${new URL(url).pathname}"]`).click();
      await page.getByRole("button", { name: "Decline" }).click();
      await page.getByText("You declined this plan: nothing was changed.").waitFor();
      expect((await agent.call("commit", { plan_id })).data.details).toEqual({
        ended_by: "DECLINED",
      });
      expect((await world.done(`GET /invoices/${invoice.id}`)).status).toBe("draft");
    });

    it("a key is made, shown once with a button to copy it, and revoked", async () => {
      const page = await open("/settings/developer");
      await page.getByLabel("Name of a new key").fill("Flow");
      await page.getByRole("button", { name: "Create key" }).click();
      const key = ((await page.locator("#new-key").textContent()) ?? "").trim();
      await alive(page);
      await page.getByRole("button", { name: "Copy" }).waitFor();
      expect((await world.rest("GET /customers", undefined, key)).status).toBe(200);
      await page.getByRole("button", { name: "Revoke Flow" }).click();
      await page.getByText("The key is revoked.").waitFor();
      expect(await page.content()).not.toContain(key);
      expect((await world.rest("GET /customers", undefined, key)).status).toBe(401);
    });
  },
);
