/**
 * The editor of drafts in a real browser: no typed text is lost, no change of another person is
 * overwritten, and a first invoice takes a few clicks.
 */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { alive, useChromium } from "../support/browser/alive.ts";
import type { Browser } from "../support/browser/browser.ts";
import { lacksChromium } from "../support/browser/chromium.ts";
import { openConsent } from "../support/mcp/consent.ts";
import { useWorld } from "../support/world/world.ts";

describe.skipIf(lacksChromium)(
  "in Chromium (needs a browser in a usual place or named by CHROMIUM_PATH)",
  () => {
    const world = useWorld({ knows_origin: true });
    const chromium = useChromium(world);
    let admin: Browser;
    let customer_id: string;
    let product_id: string;
    beforeAll(async () => {
      admin = await openConsent(world).signedInAdmin();
      const email = "invoices@customer.example";
      customer_id = (await world.done("POST /customers", { name: "Lindegaard ApS", email })).id;
      const product = { name: "Workshop", default_price: 1000, product_number: "W1" };
      product_id = (await world.done("POST /products", product)).id;
    });

    const line = (fields: object = {}) => ({
      product_id,
      recognition_method: "on_issue",
      ...fields,
    });
    const draft = async (lines: readonly object[] = [line()]) =>
      (await world.done("POST /invoices", { customer_id, title: "Autumn", lines })).id as string;
    const stored = (id: string) => world.done(`GET /invoices/${id}`);
    const values = async (id: string) =>
      (await stored(id)).lines.map((one: { agreed_value: number }) => one.agreed_value);

    async function open(id: string, options = {}): Promise<Page> {
      const page = await chromium.open(admin.cookie(), options);
      await page.goto(`/invoices/${id}`);
      await alive(page);
      return page;
    }
    const price = (page: Page, number = 1) => page.getByLabel(`Price, Line ${number}`);
    const saved = (page: Page) => page.getByText("Saved", { exact: true }).waitFor();
    const total = (page: Page) => page.locator(".sums .total output").textContent();

    it("updates totals immediately, and saves a moment later", async () => {
      const id = await draft();
      const page = await open(id);
      await price(page).fill("2,000.50");
      expect(await total(page)).toBe("2,500.63");
      await saved(page);
      expect(await values(id)).toEqual([2000.5]);
      // The document beside the fields is the stored one.
      await page.locator(".paper").getByText("2.500,63").first().waitFor();
    });

    it("reads numbers in Danish notation", async () => {
      const id = await draft();
      const page = await open(id, { locale: "da" });
      await page.getByLabel("Pris, Linje 1").fill("1.250,75");
      await page.getByText("Gemt", { exact: true }).waitFor();
      expect(await values(id)).toEqual([1250.75]);
    });

    it("saves the buyer's references by keyboard, and shows the customer's where the draft has none", async () => {
      const email = "invoices@ministry.example";
      const order_reference = "PO 1";
      const ministry = { name: "Ministry", email, order_reference, external_reference: "K 12" };
      const { id: buyer } = await world.done("POST /customers", ministry);
      const id = await draft();
      const page = await open(id);
      const order = page.getByLabel("Their order number");
      expect(await order.getAttribute("placeholder")).toBe("");
      await page.getByRole("combobox", { name: "Customer" }).fill("Ministry");
      await page.getByRole("option", { name: "Ministry", exact: true }).click();
      await expect.poll(() => order.getAttribute("placeholder")).toBe("PO 1");
      expect(await page.getByLabel("Their reference").getAttribute("placeholder")).toBe("K 12");
      await page.getByLabel("Their reference").focus();
      await page.keyboard.press("Tab");
      await page.keyboard.type("PO 7 ");
      await page.keyboard.press("Tab");
      await page.keyboard.type("4711");
      await saved(page);
      const typed = { order_reference: "PO 7", accounting_cost: "4711" };
      expect(await stored(id)).toMatchObject({ customer_id: buyer, ...typed });
      await page.locator(".paper").getByText("PO 7").waitFor();
      await order.fill("");
      await page.locator(".paper").getByText("PO 1").waitFor();
      expect((await stored(id)).order_reference).toBeUndefined();
      expect((await stored(id)).buyer_reference).toBeUndefined();
    });

    it("shows what was understood when a field is left", async () => {
      const id = await draft();
      const page = await open(id, { locale: "da" });
      const price = page.getByLabel("Pris, Linje 1");
      await price.fill("3*18500");
      await price.press("Tab");
      expect(await price.inputValue()).toBe("55.500,00");
      await page.getByText("Gemt", { exact: true }).waitFor();
      expect(await values(id)).toEqual([55_500]);
      // In English it would be one and a half: the field says how it is read, until it is left.
      const read = page.getByText("Læses som 1.500,00: punktum for tusinder, komma for decimaler");
      expect(await read.count()).toBe(0);
      await price.fill("1.500");
      await read.waitFor();
      await price.press("Tab");
      expect(await price.inputValue()).toBe("1.500,00");
      await read.waitFor({ state: "hidden" });
      await price.fill("18 kr");
      await price.press("Tab");
      expect(await price.inputValue()).toBe("18 kr");
    });

    it("shows the price of a chosen product, and faults of a new line only when it is left", async () => {
      const id = await draft([]);
      const page = await open(id);
      await page.getByRole("button", { name: "Add a line" }).click();
      await page.keyboard.type("Workshop");
      await page.getByText("Not saved yet: the new line is not complete").waitFor();
      expect(await page.locator(".fault").count()).toBe(0);
      await page
        .getByRole("option", { name: /Workshop/ })
        .first()
        .waitFor();
      await page.keyboard.press("Enter");
      await expect.poll(() => price(page).inputValue()).toBe("1,000.00");
      await saved(page);
      await price(page).press("Enter");
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
        .toBe("Product, Line 2");
      await page.getByLabel("Title").focus();
      await page.locator(".fault").getByText("Product").waitFor();
      await page.getByText("Not saved: one field").waitFor();
    });

    it("moves lines by dragging their handle, and by keyboard", async () => {
      const id = await draft([line(), line({ agreed_value: 5 }), line({ agreed_value: 6 })]);
      const page = await open(id);
      const handle = (number: number) => page.getByLabel(`Line ${number}: move or copy`);
      const [from, to] = [await handle(1).boundingBox(), await handle(3).boundingBox()];
      await page.mouse.move((from?.x ?? 0) + 8, (from?.y ?? 0) + 8);
      await page.mouse.down();
      await page.mouse.move((to?.x ?? 0) + 8, (to?.y ?? 0) + 60, { steps: 4 });
      await page.mouse.up();
      await saved(page);
      expect(await values(id)).toEqual([5, 6, 1000]);
      await handle(3).focus();
      await page.keyboard.press("ArrowUp");
      await saved(page);
      expect(await values(id)).toEqual([5, 1000, 6]);
      expect(await handle(2).evaluate((one) => one === document.activeElement)).toBe(true);
    });

    it("returns from a new customer with it chosen, and keeps an unfinished text", async () => {
      const id = await draft();
      const page = await open(id);
      await price(page).fill("12x");
      await page.getByRole("combobox", { name: "Customer" }).fill("Nyt Bryggeri");
      await page.getByRole("option", { name: "New customer “Nyt Bryggeri”…" }).click();
      await page.getByLabel("E-mail").first().fill("nyt@bryggeri.example");
      await page.getByRole("button", { name: "Save" }).click();
      await alive(page);
      expect(await page.getByRole("combobox", { name: "Customer" }).inputValue()).toBe(
        "Nyt Bryggeri",
      );
      expect(await price(page).inputValue()).toBe("12x");
      await price(page).fill("12");
      await saved(page);
      const { customer_id: now } = await stored(id);
      expect((await world.done(`GET /customers/${now}`)).name).toBe("Nyt Bryggeri");
      await page.getByText("nyt@bryggeri.example").first().waitFor();
    });

    it("opens the registrations of a line's hours over the editor", async () => {
      const id = await draft([{ product_id, recognition_method: "hours", hourly_rate: 100 }]);
      const [{ id: line_id }] = (await stored(id)).lines;
      const work = { line_id, user_id: world.account.admin.user_id, hours: 1.5, note: "Sketch" };
      await world.done("POST /work-registrations", work);
      const page = await open(id);
      await page.getByRole("link", { name: /^1\.50 h/ }).click();
      const dialog = page.getByRole("dialog", { name: /^Hours of line 1/ });
      await dialog.getByText("Sketch").waitFor();
      await dialog.getByRole("link", { name: "Back to the invoice" }).click();
      await dialog.waitFor({ state: "detached" });
    });

    it("chooses how a line is earned by a press on the sentence of the choice", async () => {
      const id = await draft([{ product_id, recognition_method: "hours", hourly_rate: 100 }]);
      const page = await open(id);
      await page.getByText("Line 1 has no hours and is not printed. Register hours, or").waitFor();
      await page.locator("details.method > summary").click();
      await page.getByText("An agreed amount, in full on the invoice date.").click();
      await expect
        .poll(async () => (await stored(id)).lines[0].recognition_method)
        .toBe("on_issue");
      expect(await page.locator("details.method").getAttribute("open")).not.toBeNull();
      await page.getByLabel("Title").click();
      await page.locator("details.method:not([open])").waitFor();
    });

    it("keeps an unreadable value in its field across a reload, and saves the draft once the value is corrected", async () => {
      const id = await draft();
      const page = await open(id);
      await price(page).fill("12x");
      await page.getByLabel("Title").fill("Not saved yet");
      await page.getByText("Not saved: one field").waitFor();
      expect(await price(page).getAttribute("aria-invalid")).toBe("true");
      await page.reload();
      await alive(page);
      expect(await price(page).inputValue()).toBe("12x");
      expect(await page.getByLabel("Title").inputValue()).toBe("Not saved yet");
      expect((await stored(id)).title).toBe("Autumn");
      await price(page).fill("12");
      await saved(page);
      expect(await stored(id)).toMatchObject({ title: "Not saved yet" });
      expect(await values(id)).toEqual([12]);
    });

    it("keeps all changes while offline, and sends them when the connection is back", async () => {
      const id = await draft();
      const page = await open(id);
      await page.context().setOffline(true);
      await price(page).fill("77");
      await page.getByRole("button", { name: "Add a line" }).click();
      await page.getByRole("button", { name: "Remove line 2" }).click();
      await page.getByText("Not saved: no connection").waitFor();
      expect(await total(page)).toBe("96.25");
      await page.context().setOffline(false);
      await saved(page);
      expect(await values(id)).toEqual([77]);
    });

    it("recognises its own stored change when only the answer was lost", async () => {
      const id = await draft([]);
      const page = await open(id);
      await page.getByRole("button", { name: "Add a line" }).click();
      await page.getByRole("combobox", { name: "Product, Line 1" }).fill("Work");
      await page.getByRole("option", { name: /Workshop/ }).click();
      await saved(page);
      let lost = 0;
      await page.route("**/app/drafts/save", async (route) => {
        lost += 1;
        if (lost > 1) return route.continue();
        await route.fetch();
        return route.abort();
      });
      await price(page).fill("55");
      await page.getByText("Not saved: no connection").waitFor();
      await saved(page);
      expect(await values(id)).toEqual([55]);
      expect(await page.getByText("Another user has changed").count()).toBe(0);
    });

    it.each([
      ["Keep mine", [7], "7.00"],
      ["Show theirs", [99], "99.00"],
    ])(
      "overwrites the changes of another window only if the user chooses it: %s",
      async (choice, kept, shown) => {
        const id = await draft();
        const [one, other] = [await open(id), await open(id)];
        await price(other).fill("99");
        await saved(other);
        await price(one).fill("7");
        await one.getByText("Another user has changed this draft").waitFor();
        expect(await values(id)).toEqual([99]);
        expect(await price(one).inputValue()).toBe("7");
        await one.getByRole("button", { name: choice }).click();
        await alive(one);
        await saved(one);
        await expect.poll(() => price(one).inputValue()).toBe(shown);
        expect(await values(id)).toEqual(kept);
      },
    );

    it("undoes the removal and the move of a line", async () => {
      const id = await draft([line(), line({ agreed_value: 5 })]);
      const page = await open(id);
      await page.getByRole("button", { name: "Remove line 1" }).click();
      await saved(page);
      expect(await values(id)).toEqual([5]);
      await page.keyboard.press("Control+z");
      await saved(page);
      expect(await values(id)).toEqual([1000, 5]);
      await page.getByLabel("Line 2: move or copy").click();
      await page.getByRole("button", { name: "Move line 2 up" }).click();
      await saved(page);
      expect(await values(id)).toEqual([5, 1000]);
    });

    it("shows the months in which revenue is earned, and saves the assignees", async () => {
      const id = await draft();
      const page = await open(id);
      await page.getByLabel("How it is earned, Line 1: When issued").click();
      await page.getByRole("radio", { name: /^Over time/ }).check();
      await page.getByLabel("From, Line 1").fill("2026-03-01");
      await page.getByLabel("To, Line 1").fill("2026-04-30");
      // The panel says it of the line, and the card below of the draft.
      for (const of of [page.locator(".panel"), page.getByRole("region", { name: /is earned/ })]) {
        const months = of.getByRole("listitem").filter({ hasText: "2026" });
        expect(await months.allInnerTexts()).toEqual([
          expect.stringMatching(/March 2026\s+500\.00/),
          expect.stringMatching(/April 2026\s+500\.00/),
        ]);
      }
      await page.keyboard.press("Escape");
      await page.getByLabel(/^How it is earned, Line 1: Over time 1 Mar – 30 Apr/).waitFor();
      await page.getByLabel("Who, Line 1: Not assigned").click();
      await page.getByRole("checkbox", { name: "Admin" }).check();
      await saved(page);
      expect((await stored(id)).lines[0].assignees).toMatchObject([
        { user_id: world.account.admin.user_id },
      ]);
    });

    it("has lines below the first ten, each of which works at its first event", async () => {
      const prices = Array.from({ length: 15 }, (_, at) => at + 1);
      const id = await draft(prices.map((agreed_value) => line({ agreed_value })));
      const page = await chromium.open(admin.cookie());
      // The pauses in which lines begin to work without an event never come.
      await page.addInitScript(() => {
        window.requestIdleCallback = () => 0;
      });
      await page.goto(`/invoices/${id}`);
      await alive(page);
      await price(page, 15).fill("1,015");
      expect(await total(page)).toBe("1,400.00");
      await page.getByLabel("How it is earned, Line 14: When issued").click();
      await page.getByRole("radio", { name: /^Over time/ }).check();
      await page.keyboard.press("Escape");
      // As a screen reader presses it.
      await page.getByRole("button", { name: "Remove line 13" }).evaluate((button) => {
        (button as HTMLElement).click();
      });
      await price(page, 11).press("Enter");
      await page.locator('[aria-label="Product, Line 12"]:focus').waitFor();
      await price(page, 12).press("Alt+ArrowUp");
      await saved(page);
      expect(await values(id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 11, 14, 1015]);
      expect((await stored(id)).lines[12].recognition_method).toBe("value");
    });

    it("shows the e-mail and the ledger entry of the stored draft by keyboard, and the reason when there is no entry", async () => {
      const id = await draft();
      const page = await open(id);
      const tab = (name: string) => page.getByRole("tab", { name, exact: true });
      await tab("Paper").focus();
      await page.keyboard.press("ArrowRight");
      await page.getByRole("tabpanel", { name: "E-mail" }).getByText("1.250,00 DKK").waitFor();
      await page.keyboard.press("End");
      const books = page.getByRole("tabpanel", { name: "Books" });
      await books.getByRole("row", { name: /Lindegaard ApS 1,250\.00/ }).waitFor();
      expect(await tab("E-mail").getAttribute("tabindex")).toBe("-1");
      await price(page).fill("2000");
      await saved(page);
      await books.getByRole("row", { name: /Lindegaard ApS 2,500\.00/ }).waitFor();
      await page.getByRole("button", { name: "Remove line 1" }).click();
      await books.getByText("The invoice has no lines, or its total is 0.").waitFor();
      expect(await books.getByRole("table").count()).toBe(0);
      await tab("Books").focus();
      await page.keyboard.press("ArrowRight");
      await page.getByRole("tabpanel", { name: "Paper" }).waitFor();
    });

    it("moves unbilled hours to a new line", async () => {
      const hours = { product_id, recognition_method: "hours", hourly_rate: 100 };
      const [id, credited] = [await draft([hours]), await draft([hours])];
      const [{ id: line_id }] = (await stored(credited)).lines;
      const work = { line_id, user_id: world.account.admin.user_id, hours: 2.5, note: "Sketch" };
      await world.done("POST /work-registrations", work);
      await world.done(`POST /invoices/${credited}/issue`);
      const credit = { external_id: credited, invoice: credited, kind: "full" };
      await world.done("POST /credit-notes", { ...credit, credit_date: "2026-03-10" });
      const page = await open(id);
      await page.getByText("Add unbilled hours…").click();
      await page.getByRole("checkbox", { name: /Sketch/ }).waitFor();
      await page.getByRole("button", { name: "Add 2.50 h" }).click();
      await page.getByText("There are none: all hours of this customer").waitFor();
      expect(await total(page)).toBe("312.50");
      await page.locator(".paper").getByText("312,50").first().waitFor();
    });

    it("confirms the issue over the editor, only after everything is stored", async () => {
      const id = await draft();
      const page = await open(id);
      await price(page).fill("3,210");
      await page.getByRole("link", { name: "Issue…" }).click();
      const dialog = page.getByRole("dialog", { name: /^Issue the invoice/ });
      await dialog.getByText("DKK 4,012.50").first().waitFor();
      await dialog.getByRole("link", { name: "Not yet" }).click();
      await dialog.waitFor({ state: "detached" });
      await price(page).fill("x");
      await page.getByRole("link", { name: "Issue…" }).click();
      await page.getByText("Not saved: one field").waitFor();
      expect(page.url()).not.toContain("issue");
    });

    it("creates a first invoice in a few clicks, from a new customer and a new product to the PDF", async () => {
      const page = await chromium.open(admin.cookie());
      let clicks = 0;
      const click = async (role: "link" | "button" | "option", name: string | RegExp) => {
        clicks += 1;
        await page.getByRole(role, { name }).click();
      };
      await page.goto("/invoices");
      await click("link", "New invoice");
      await click("link", "New customer");
      await page.getByLabel("Name", { exact: true }).fill("Havnens Bryggeri");
      await page.getByLabel("E-mail").first().fill("kontor@bryggeri.example");
      await click("button", "Save");
      await click("button", "Start an invoice for Havnens Bryggeri");
      await alive(page);
      const before = clicks;
      await click("button", "Add a line");
      await page.keyboard.type("Label design");
      await page.getByRole("option", { name: /New product/ }).waitFor();
      await page.keyboard.press("Enter");
      await price(page).fill("12000");
      await saved(page);
      await click("link", "Issue…");
      await click("button", /Issue/);
      await page.getByText("Booked").first().waitFor();
      const href = await page.getByRole("link", { name: "Open the PDF" }).getAttribute("href");
      const pdf = await page.request.get(href ?? "");
      expect((await pdf.body()).subarray(0, 5).toString()).toBe("%PDF-");
      expect(clicks - before + 1).toBeLessThanOrEqual(12);
      expect(clicks + 1).toBeLessThanOrEqual(20);
    });
  },
);
