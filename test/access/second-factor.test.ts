/** Both second factors in a real browser, a lost one, and the way from an invitation to the first hour. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { CDPSession, Page } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { alive, useChromium } from "../support/browser/alive.ts";
import { openBrowser } from "../support/browser/browser.ts";
import { lacksChromium } from "../support/browser/chromium.ts";
import { addApp, freshCodes } from "../support/browser/factor.ts";
import { openConsent } from "../support/mcp/consent.ts";
import { useWork } from "../support/world/work.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
interface WithAxe {
  readonly axe: { run(where: string): Promise<AxeResults> };
}

const password = "correct horse battery staple";

describe.skipIf(lacksChromium)(
  "in Chromium (needs a browser in a usual place or named by CHROMIUM_PATH)",
  () => {
    const { world, at, hours, invoice } = useWork({ knows_origin: true, host: "localhost" });
    const chromium = useChromium(world);
    let user_id = "";
    let email = "";
    let cookie: string | null = null;

    beforeAll(() => at("2026-11-22"));
    beforeEach(async () => {
      const person = await openConsent(world).person();
      ({ user_id } = person);
      ({ email } = await world.done(`GET /users/${user_id}`));
      cookie = person.browser.cookie();
    });

    /** An authenticator of the browser that answers without a touch. */
    async function withAuthenticator(page: Page): Promise<CDPSession> {
      const session = await page.context().newCDPSession(page);
      await session.send("WebAuthn.enable");
      await session.send("WebAuthn.addVirtualAuthenticator", {
        options: {
          protocol: "ctap2",
          transport: "usb",
          hasResidentKey: false,
          hasUserVerification: false,
          automaticPresenceSimulation: true,
        },
      });
      return session;
    }
    const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();
    async function faultless(page: Page): Promise<void> {
      await page.evaluate(AXE);
      const { violations } = await page.evaluate(() =>
        (globalThis as unknown as WithAxe).axe.run("html"),
      );
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    }
    async function signOut(page: Page): Promise<void> {
      await page.context().clearCookies();
    }
    async function typePassword(page: Page): Promise<void> {
      await page.goto("/me");
      await page.getByLabel("E-mail address").fill(email);
      await page.getByLabel("Password").fill(password);
      await press(page, "Sign in");
      await page.getByRole("heading", { name: "Second step" }).waitFor();
    }
    const addPasskey = async (page: Page, name: string) => {
      await page.goto("/me");
      await page.getByRole("link", { name: "Add a passkey…" }).click();
      await alive(page);
      await page.getByLabel("Name of the passkey").fill(name);
    };

    it("a passkey is made, signs in after the password, and answers when it is asked again", async () => {
      const page = await chromium.open(cookie);
      await withAuthenticator(page);
      await addPasskey(page, "Key on the desk");
      await faultless(page);
      await press(page, "Make the passkey");
      await page.getByRole("heading", { name: "Use the passkey once" }).waitFor();
      await alive(page);
      await faultless(page);
      await press(page, "Use it now");
      await page.getByRole("heading", { name: "Recovery codes" }).waitFor();
      const codes = ((await page.locator("#recovery-codes").textContent()) ?? "")
        .trim()
        .split("\n");
      expect(codes).toHaveLength(10);
      await page.getByRole("link", { name: "I have kept them" }).click();
      await page.getByText("Key on the desk").waitFor();

      await signOut(page);
      await typePassword(page);
      await alive(page);
      await faultless(page);
      await press(page, "Use a passkey");
      await page.getByRole("heading", { name: "Me", exact: true }).waitFor();

      await world.sql("update sessions set answered_at = answered_at - interval '11 minutes'");
      await page.getByRole("link", { name: "Remove the passkey Key on the desk" }).click();
      await press(page, "Remove the passkey Key on the desk");
      await page.getByRole("heading", { name: "Confirm that it is you" }).waitFor();
      await alive(page);
      await press(page, "Use a passkey");
      await page.getByText("The second factor is removed.").waitFor();
      expect(await world.sql("select 1 from passkeys")).toEqual([]);
    });

    it("another person's passkey and a used answer do not count", async () => {
      const page = await chromium.open(cookie);
      await withAuthenticator(page);
      await addPasskey(page, "Mine");
      await press(page, "Make the passkey");
      await page.getByRole("heading", { name: "Use the passkey once" }).waitFor();
      await alive(page);
      await press(page, "Use it now");
      await page.getByRole("heading", { name: "Recovery codes" }).waitFor();
      await signOut(page);
      await typePassword(page);
      await alive(page);
      const sent = page.waitForRequest((request) => request.method() === "POST");
      await press(page, "Use a passkey");
      const form = new URLSearchParams((await sent).postData() ?? "");
      await page.getByRole("heading", { name: "Me", exact: true }).waitFor();

      const browser = openBrowser(world);
      await browser.signIn(email, password);
      const step = await browser.get("/sign-in/factor");
      const passkey = form.get("passkey") ?? "";
      expect(passkey).toContain("signature");
      const replayed = await browser.submit(step, "/sign-in/factor", { passkey });
      expect(replayed.status).toBe(401);
      const [row] = await world.sql("select counter from passkeys");
      expect(Number(row.counter)).toBeGreaterThan(0);
      await world.sql("delete from passkeys");
    });

    it("a lost app is replaced with a recovery code, without scripts", async () => {
      const owner = openBrowser(world);
      owner.setCookie(cookie);
      const app = await addApp(world, owner);
      const page = await chromium.open(null, { javaScriptEnabled: false });
      await typePassword(page);
      await page.getByLabel("Code").fill(app.recovery[3] ?? "");
      await press(page, "Sign in");
      await page.getByText("9 codes left").waitFor();
      await page.getByRole("link", { name: "Remove…" }).click();
      await press(page, "Remove the app");
      await page.getByText("The second factor is removed.").waitFor();
      await freshCodes(world);
      const again = openBrowser(world);
      await again.signIn(email, password);
      expect((await again.get("/me")).status).toBe(200);
    });

    it("an invitation leads to the first hour", async () => {
      const admin = await openConsent(world).signedInAdmin();
      const page = await chromium.open(admin.cookie());
      await page.goto("/people/new");
      await page.getByLabel("Name").fill("Sofie Bang");
      await page.getByLabel("E-mail address").fill("sofie@first.example");
      await press(page, "Send the invitation");
      await page.getByRole("heading", { name: "Sofie Bang" }).first().waitFor();
      const form = page.locator('form[action^="/people/"]').first();
      const invited = (await form.getAttribute("action"))?.split("/")[2];
      const linkOf = async () =>
        (await world.mails())
          .filter(({ to }) => to?.[0]?.address === "sofie@first.example")
          .map(({ text }) => /^http\S+\/invitation\S+$/m.exec(text ?? "")?.[0])[0];
      await expect.poll(linkOf).toBeDefined();
      const { lines } = await invoice([
        hours({ assignees: [{ user_id: invited }], hourly_rate: 900 }),
      ]);

      const own = await chromium.open(null);
      await own.goto((await linkOf()) ?? "");
      await own.getByLabel("New password", { exact: true }).fill("the first password");
      await own.getByLabel("Repeat the new password").fill("the first password");
      await press(own, /^Join/);
      await own.waitForURL(/\/hours\//);
      await alive(own);
      const cell = own.locator('input.hour[data-row="0"][data-days="0"]');
      await cell.fill("2");
      await cell.press("Enter");
      const stored = () => world.done(`GET /work-registrations?user=${invited}`);
      await expect
        .poll(async () => (await stored()).data, { timeout: 20_000 })
        .toMatchObject([{ line_id: lines[0].id, hours: 2 }]);
    });
  },
);
