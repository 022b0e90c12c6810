/** In a real browser: the books are connected to Dinero and disconnected, and a customer opens the link in a mail. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useChromium } from "../support/browser/alive.ts";
import { lacksChromium } from "../support/browser/chromium.ts";
import { openDineroSimulation, simulatedAccess } from "../support/ledger/dinero/simulation.ts";
import { openConsent } from "../support/mcp/consent.ts";
import { useSales } from "../support/world/sales.ts";

describe.skipIf(lacksChromium)(
  "in Chromium (needs a browser in a usual place or named by CHROMIUM_PATH)",
  () => {
    const { world, issued, partCredit, credited } = useSales({
      knows_origin: true,
      environment: { MATCHBOOK_LEDGER_HOSTS: "127.0.0.1" },
    });
    const chromium = useChromium(world);
    let simulation: Awaited<ReturnType<typeof openDineroSimulation>>;
    let cookie: string | null;
    beforeAll(async () => {
      simulation = await openDineroSimulation();
      cookie = (await openConsent(world).signedInAdmin()).cookie();
    });
    afterAll(() => simulation?.close());
    const open = async (path: string, as: string | null = cookie): Promise<Page> => {
      const page = await chromium.open(as);
      await page.goto(path);
      return page;
    };
    const kind = async (): Promise<string> => (await world.done("GET /ledger/connection")).kind;

    it("the books move to Dinero, and back before anything is booked", async () => {
      const { settings, secrets } = simulatedAccess(simulation.origin);
      const page = await open("/ledger/connection");
      await page.getByRole("link", { name: "Connect Dinero…" }).click();
      await page.getByText("More settings").click();
      for (const [name, value] of Object.entries({ ...settings, ...secrets })) {
        await page.locator(`input[name="${name}"]`).fill(value);
      }
      await page.locator('input[name="api_key"]').fill("wrong");
      await page.getByRole("button", { name: "Check and connect Dinero" }).click();
      await page.getByText("The system refused the credentials").waitFor();
      for (const [name, value] of Object.entries(secrets)) {
        await page.locator(`input[name="${name}"]`).fill(value);
      }
      await page.getByRole("button", { name: "Check and connect Dinero" }).click();
      await page.getByText("270001").first().waitFor();
      expect(await kind()).toBe("dinero");
      await page.goto("/ledger/trial-balance");
      await page.getByText("The books are in Dinero.").waitFor();

      await page.goto("/ledger/connection");
      await page.getByRole("link", { name: "Disconnect…" }).click();
      const dialog = page.locator("dialog.over");
      await dialog.getByLabel("Type Dinero to confirm").fill("Diner");
      await dialog.getByRole("button", { name: "Disconnect Dinero" }).click();
      await page.getByRole("heading", { name: "Disconnect Dinero?" }).waitFor();
      expect(await kind()).toBe("dinero");
      await page.getByLabel("Type Dinero to confirm").fill("Dinero");
      await page.getByRole("button", { name: "Disconnect Dinero" }).click();
      await page.getByText("Matchbook keeps the books itself.").waitFor();
      expect(await kind()).toBe("builtin");
    });

    it("a customer opens the document, sees its credit, and nothing after the links are revoked", async () => {
      // Only a sandbox has links where the service has no https.
      await world.sql("update accounts set sandbox = true");
      const invoice = await issued([2000], { auto_send: true, title: "Spring" });
      const number = invoice.ledger_invoice_number;
      const [mail] = await world.mails();
      const link = /\/d\/[\w-]{43}/.exec(mail?.html ?? "")?.[0] ?? "";
      const page = await open(link, null);
      await page.getByRole("heading", { name: `Faktura ${number}` }).waitFor();
      const pdf = page.getByRole("link", { name: "Hent som PDF" });
      const file = await page.request.get((await pdf.getAttribute("href")) ?? "");
      expect((await file.body()).subarray(0, 5).toString()).toBe("%PDF-");
      await page.emulateMedia({ media: "print" });
      expect([await pdf.isVisible(), await page.locator(".paper").isVisible()]).toEqual([
        false,
        true,
      ]);
      await page.emulateMedia({ media: null });

      await credited(partCredit(invoice, [500]));
      await page.reload();
      const note = page.getByText("Fakturaen er krediteret");
      const above = (await note.boundingBox())?.y ?? Number.NaN;
      expect(above).toBeLessThan((await page.locator(".paper").boundingBox())?.y ?? 0);
      await page.getByText("1.875,00 DKK").first().waitFor();

      const admin = await open(`/invoices/${invoice.id}`);
      await admin.getByRole("link", { name: "Revoke the links…" }).click();
      await admin.getByRole("button", { name: "Revoke the links" }).click();
      await admin.locator("dialog.over").waitFor({ state: "detached" });
      await admin
        .getByRole("heading", { name: `${number}` })
        .first()
        .waitFor();
      const gone = await page.reload();
      expect(gone?.status()).toBe(404);
      await page.getByRole("heading", { name: "This link opens nothing" }).waitFor();
      expect((await page.request.get(`${link}/pdf`)).status()).toBe(404);
    });
  },
);
