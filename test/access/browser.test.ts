/**
 * A real browser without scripts signs in, allows an assistant on this computer, and revokes it in the settings. Only a browser
 * can show that our headers admit our own forms.
 */

import { createServer, type Server } from "node:http";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lacksChromium, startChromium } from "../support/browser/chromium.ts";
import { assistantOf } from "../support/mcp/assistant.ts";
import { openConsent } from "../support/mcp/consent.ts";
import { agentOf } from "../support/mcp/mcp.ts";
import { useWorld } from "../support/world/world.ts";

describe.skipIf(lacksChromium)(
  "in Chromium (needs a browser in a usual place or named by CHROMIUM_PATH)",
  () => {
    let browser: Browser;
    let callback: Server;
    let callback_url: string;
    const called: string[] = [];

    const world = useWorld({ knows_origin: true });
    beforeAll(async () => {
      browser = await startChromium();
      callback = createServer((request, response) => {
        if (request.url?.startsWith("/callback")) called.push(request.url);
        response.end("connected");
      });
      await new Promise<void>((resolve) => callback.listen(0, "127.0.0.1", resolve));
      const address = callback.address();
      callback_url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/callback`;
    });
    afterAll(async () => {
      await browser?.close();
      callback?.close();
    });

    async function openPage(): Promise<Page> {
      const context = await browser.newContext({ javaScriptEnabled: false });
      return context.newPage();
    }

    it("a person signs in, allows less than was asked, sees the assistant and revokes it", async () => {
      const oauth = openConsent(world);
      const client = await oauth.client({
        client_name: "Loopback assistant",
        redirect_uris: ["http://127.0.0.1:1/callback"],
      });
      const page = await openPage();
      const faults: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "error") faults.push(message.text());
      });
      const request = client.request({ redirect_uri: callback_url, state: "s" });
      await page.goto(world.origin + oauth.urlFor(request));
      await page.getByLabel("E-mail address").fill(world.account.admin.email);
      await page.getByLabel("Password").fill(oauth.password);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByText("Loopback assistant").waitFor();
      await page.getByRole("checkbox").nth(2).uncheck();
      await page.getByRole("button", { name: "Allow" }).click();
      await page.getByText("connected").waitFor();

      const answer = new URL(called[0] ?? "", callback_url).searchParams;
      expect([answer.get("state"), answer.get("iss")]).toEqual(["s", world.origin]);
      const redirect_uri = callback_url;
      const { body } = await client.exchange(answer.get("code") ?? "", { redirect_uri });
      expect(body.scope).toBe("mcp:read mcp:write");

      await page.goto(`${world.origin}/assistants`);
      await page.getByRole("link", { name: "Disconnect Loopback assistant…" }).click();
      await page.getByRole("button", { name: "Disconnect Loopback assistant" }).click();
      await page.getByText("No assistant is connected.").waitFor();
      expect((await client.refresh(body.refresh_token)).body.error).toBe("invalid_grant");
      expect(faults).toEqual([]);
    });

    it("a denial returns the user to the assistant", async () => {
      const oauth = openConsent(world);
      const client = await oauth.client({ redirect_uris: [callback_url] });
      const page = await openPage();
      await page.goto(world.origin + oauth.urlFor(client.request()));
      await page.getByLabel("E-mail address").fill(world.account.admin.email);
      await page.getByLabel("Password").fill(oauth.password);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("button", { name: "Deny" }).click();
      await page.getByText("connected").waitFor();
      expect(called.at(-1)).toContain("error=access_denied");
    });

    it("an admin creates a key, sees it once, uses and revokes it", async () => {
      const oauth = openConsent(world);
      const page = await openPage();
      await page.goto(`${world.origin}/settings/developer`);
      await page.getByLabel("E-mail address").fill(world.account.admin.email);
      await page.getByLabel("Password").fill(oauth.password);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByLabel("Name of a new key").fill("From the browser");
      await page.getByLabel("Scope").selectOption("read_write");
      await page.getByRole("button", { name: "Create key" }).click();
      const key = (await page.locator("#new-key").textContent())?.trim() ?? "";
      expect((await world.rest("GET /customers", undefined, key)).status).toBe(200);

      await page.goto(`${world.origin}/settings/developer`);
      expect(await page.content()).not.toContain(key);
      const row = page.getByRole("row").filter({ hasText: "From the browser" });
      await row.getByRole("button", { name: "Revoke" }).click();
      await expect.poll(() => row.count()).toBe(0);
      expect((await world.rest("GET /customers", undefined, key)).status).toBe(401);
    });

    it.each([320, 375, 700, 900, 1280])("no page is wider than a window of %i", async (width) => {
      const oauth = openConsent(world);
      const user_id = world.account.admin.user_id;
      const agent = await agentOf(world, { user_id, client_name: "Assistant of the studio" });
      await agent.carried("plan_save_customer", { name: `A studio of ${width} and its long name` });
      const email = `a.person.of.a.long.name.${width}@department.studio.example`;
      await assistantOf(world, { email, client_name: "Another assistant" });
      const page = await openPage();
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${world.origin}/sign-in`);
      await page.getByLabel("E-mail address").fill(world.account.admin.email);
      await page.getByLabel("Password").fill(oauth.password);
      await page.getByRole("button", { name: "Sign in" }).click();
      for (const path of ["developer", "assistants", "activity", "password"]) {
        await page.goto(`${world.origin}/settings/${path}`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        expect([path, wide]).toEqual([path, width]);
      }
      await page.goto(`${world.origin}/settings/audit`);
      const heights = await page
        .locator("time")
        .evaluateAll((times) => times.map((time) => time.getClientRects().length));
      expect(new Set(heights)).toEqual(new Set([1]));
      // No part of a table is cut off at its side either.
      await page.goto(`${world.origin}/settings/developer`);
      const hidden = await page
        .locator(".table")
        .evaluateAll(
          (tables) => tables.filter((table) => table.scrollWidth > table.clientWidth).length,
        );
      expect(hidden).toBe(0);
      const weight = (node: Element) => getComputedStyle(node).fontWeight;
      expect(await page.getByLabel("Name of a new key").evaluate(weight)).toBe("400");
    });
  },
);
