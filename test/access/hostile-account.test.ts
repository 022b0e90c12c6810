/** An account in which every text is an attack: no page runs it, shows it as anything but text, or writes to the console. */
import { beforeAll, describe, expect, it } from "vitest";
import { useChromium } from "../support/browser/alive.ts";
import type { Browser } from "../support/browser/browser.ts";
import { lacksChromium } from "../support/browser/chromium.ts";
import { openConsent } from "../support/mcp/consent.ts";
import { useWorld } from "../support/world/world.ts";

const ATTACK = `"><img src=x onerror="document.title='hit'"><script>hit</script>{{7*7}}\${7*7}</textarea>`;

describe.skipIf(lacksChromium)(
  "in Chromium (needs a browser in a usual place or named by CHROMIUM_PATH)",
  () => {
    const world = useWorld({ knows_origin: true });
    const chromium = useChromium(world);
    let admin: Browser;
    let paths: readonly string[];
    beforeAll(async () => {
      admin = await openConsent(world).signedInAdmin();
      paths = await attacked();
    });

    /** Fills the account, and returns the pages that show its texts. */
    async function attacked(): Promise<readonly string[]> {
      const place = { street: ATTACK, zip_code: "8000", city: ATTACK };
      const vat_number = "13585628";
      // Text in braces is refused in the texts of mails.
      const text = ATTACK.replaceAll(/[{}]/g, "");
      const mail = { subject: text, body: text };
      await world.done("PATCH /configuration", {
        seller: { ...place, name: ATTACK, vat_number },
        mail_texts: { da: { invoice: mail, credit_note: mail }, en: { invoice: mail } },
      });
      await world.done("PATCH /ledger/accounts/1000", { name: ATTACK.slice(0, 100) });
      const email = "ap@x.example";
      const customer = await world.done("POST /customers", {
        ...place,
        name: ATTACK,
        email,
        att_person: ATTACK,
        external_id: ATTACK.slice(0, 100),
      });
      const product = await world.done("POST /products", {
        name: ATTACK,
        unit: "hours",
        default_price: 100,
        product_number: ATTACK.slice(0, 50),
        comments: ATTACK,
      });
      const of_own_unit = await world.done("POST /products", {
        name: ATTACK,
        unit: ATTACK.slice(0, 64),
        account_number: 1000,
      });
      const user = await world.done("POST /users", { name: ATTACK, email: "b@x.example" });
      const line = (recognition_method: string) => ({
        product_id: product.id,
        recognition_method,
        ...(recognition_method === "hours" ? {} : { agreed_value: 1000 }),
        description_override: ATTACK,
        assignees: [{ user_id: user.id }],
      });
      const make = () =>
        world.done("POST /invoices", {
          customer_id: customer.id,
          title: ATTACK,
          footer: ATTACK,
          lines: [line("hours"), line("on_issue")],
        });
      const [draft, issued] = [await make(), await make()];
      await world.done("POST /work-registrations", {
        user_id: user.id,
        line_id: draft.lines[0].id,
        date: "2026-03-02",
        hours: 2,
        note: ATTACK,
      });
      await world.done(`POST /invoices/${issued.id}/issue`);
      const note = await world.done("POST /credit-notes", {
        external_id: ATTACK.slice(0, 100),
        invoice: issued.id,
        kind: "full",
        credit_date: "2026-03-10",
        reason: ATTACK,
      });
      const search = `q=${encodeURIComponent('"><img')}`;
      return [
        "/today",
        `/search?${search}`,
        "/customers",
        `/customers?${search}`,
        `/customers/${customer.id}`,
        `/customers/${customer.id}/edit`,
        "/products",
        `/products?${search}`,
        `/products/${product.id}`,
        `/products/${of_own_unit.id}`,
        "/products/new",
        `/people/${user.id}`,
        "/invoices",
        `/invoices?tab=issued&${search}`,
        "/invoices?tab=credit-notes",
        `/invoices/new?${search}`,
        `/invoices/${draft.id}`,
        `/invoices/${draft.id}/issue`,
        `/invoices/issue?${draft.id}=on`,
        `/invoices/${issued.id}`,
        `/invoices/${issued.id}/credit`,
        `/credit-notes/${note.id}`,
        `/hours/2026-W10?user=${user.id}`,
        "/hours/team",
        "/settings/audit",
        "/settings/company",
        "/settings/invoicing",
        "/settings/vat",
      ];
    }

    it("every page shows hostile texts as text", async () => {
      const page = await chromium.open(admin.cookie());
      const faults: string[] = [];
      for (const path of paths) {
        const response = await page.goto(path);
        if (response?.status() !== 200) faults.push(`${path}: ${response?.status()}`);
        await page
          .locator("[data-island]:not([data-alive])")
          .first()
          .waitFor({ state: "detached" });
        const [title, images, scripts] = await page.evaluate(() => [
          document.title,
          document.images.length,
          document.querySelectorAll("script:not([src])").length,
        ]);
        if (title === "hit" || images !== 0 || scripts !== 0)
          faults.push(`${path}: ran or drew it`);
      }
      expect(faults).toEqual([]);
      expect(paths.length).toBeGreaterThan(20);
    });

    it("the palette shows hostile texts as text", async () => {
      const page = await chromium.open(admin.cookie());
      await page.goto("/customers");
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").getByRole("combobox").fill('"><img');
      await page.getByRole("option").filter({ hasText: "onerror" }).first().waitFor();
      expect(await page.evaluate(() => document.images.length)).toBe(0);
    });
  },
);
