/**
 * The first minutes with the real program on an empty database, in a real browser: from the link of the first start to the PDF
 * of a first invoice, and a year of a studio that is played in the background.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { alive, useChromium } from "../support/browser/alive.ts";
import { lacksChromium } from "../support/browser/chromium.ts";
import { type BuiltProgram, buildProgram, startProgram } from "../support/run/program.ts";
import { copyDatabase, dropDatabase, freePort, servingUrl } from "../support/world/world.ts";

/** How long the way to the first PDF may take, in milliseconds. */
const MOST_MS = 120_000;
/** How long the studio may take on a machine that does nothing else; a busy one gets more. */
const MOST_STUDIO_MS = 240_000;

describe.skipIf(lacksChromium)(
  "in Chromium (needs a browser in a usual place or named by CHROMIUM_PATH)",
  () => {
    const place = { origin: "" };
    const chromium = useChromium(place);
    let program: BuiltProgram;
    let folder: string;
    let database_url: string;
    let link: string;
    let page: Page;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "matchbook-first-"));
      database_url = await copyDatabase(inject("template_url"));
      program = await buildProgram();
      const port = await freePort();
      const environment = {
        DATABASE_URL: servingUrl(database_url),
        MATCHBOOK_MIGRATION_DATABASE_URL: database_url,
        MATCHBOOK_DATA_DIR: folder,
        PORT: String(port),
        BASE_URL: `http://127.0.0.1:${port}`,
        LOG_LEVEL: "silent",
      };
      const { origin, greeting } = await startProgram(program, environment, []);
      place.origin = origin;
      link = /^ {2}(http\S+\/sign-in\/link\?token=\S+)$/m.exec(greeting)?.[1] ?? "";
      expect(greeting.indexOf(link)).toBeLessThan(greeting.indexOf("Matchbook listens on"));
      expect(greeting).toMatch(/read_write key mbk_\w{36}/);
    });
    afterAll(async () => {
      await program?.end();
      await dropDatabase(inject("template_url"), database_url);
      await rm(folder, { recursive: true, force: true });
    });

    const click = (role: "link" | "button", name: string | RegExp) =>
      page.getByRole(role, { name }).first().click();
    const fill = (label: string, value: string) =>
      page.getByLabel(label, { exact: true }).fill(value);

    it("leads from the link of the first start to the PDF of a first invoice within two minutes", async () => {
      const began = performance.now();
      page = await chromium.open(null);
      await page.goto("/");
      await page.getByText("This installation is new.").waitFor();
      await page.goto(link);
      await click("button", "Sign in");
      await page.getByRole("heading", { name: "Welcome" }).waitFor();
      await fill("Name of the firm", "Holm Design");
      await fill("Your name", "Anna Holm");
      await page.getByLabel("Your e-mail address").fill("anna@holm.example");
      await fill("Your password", "correct horse battery staple");
      await click("button", "Start");
      await page.getByRole("heading", { name: "The first steps" }).waitFor();

      await click("link", /Enter your company details/);
      await alive(page);
      await fill("Name", "Holm Design ApS");
      await fill("Street and number", "Mejlgade 41");
      await fill("Postal code", "8000");
      await fill("City", "Aarhus C");
      await fill("VAT number (CVR)", "DK13585628");
      await click("button", "Save");
      await page.getByText("The settings are saved.").waitFor();

      await page.goto("/today");
      await click("link", /Add your first customer/);
      await fill("Name", "Havnens Bryggeri");
      await page.getByLabel("E-mail").first().fill("kontor@bryggeri.example");
      await click("button", "Save");
      await click("button", "New invoice");
      await alive(page);
      await click("button", "Add a line");
      await page.keyboard.type("Label design");
      await page.getByRole("option", { name: /New product/ }).waitFor();
      await page.keyboard.press("Enter");
      await page.getByLabel("Price, Line 1").fill("12000");
      await page.getByText("Saved", { exact: true }).waitFor();
      await click("link", "Issue…");
      await page.getByRole("dialog").getByRole("button", { name: /Issue/ }).click();
      await page.getByText("Booked").first().waitFor();
      const href = await page.getByRole("link", { name: "Open the PDF" }).getAttribute("href");
      const pdf = await page.request.get(href ?? "");
      expect((await pdf.body()).subarray(0, 5).toString()).toBe("%PDF-");
      expect(performance.now() - began).toBeLessThan(MOST_MS);

      await page.goto("/today");
      expect(await page.locator(".steps b").count(), "four steps are done").toBe(4);
      await page.getByRole("button", { name: /^Skip: Connect/ }).click();
      await page.getByRole("heading", { name: "The first steps" }).waitFor({ state: "detached" });
    });

    it("shows a year of a studio, which is played in the background, and puts it away", async () => {
      page = await chromium.open(null);
      await page.goto("/sign-in");
      await page.getByLabel("E-mail address").fill("anna@holm.example");
      await page.getByLabel("Password").fill("correct horse battery staple");
      await click("button", "Sign in");
      await page.goto("/me");
      await click("button", "Look around");
      await page.getByText("This is an example").waitFor();
      await page.getByText("The year is being prepared").waitFor();
      const waiting = { state: "detached", timeout: MOST_STUDIO_MS } as const;
      await page.getByText("The year is being prepared").waitFor(waiting);
      await page.getByText("Earned by month").first().waitFor();
      await page.goto("/invoices?tab=drafts");
      await page.getByText("Campaign site").first().waitFor();
      await page.goto("/people");
      await page.waitForLoadState("networkidle");
      await click("link", "Invite…");
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Send the invitation" }).waitFor();
      expect(await dialog.getByText("This is an example").count(), "the page below says it").toBe(
        0,
      );
      await page.goto("/me");
      await click("button", "Put the example away");
      await page.getByText("The example is put away.").waitFor();
      expect(await page.getByText("This is an example").count()).toBe(0);
    });
  },
);
