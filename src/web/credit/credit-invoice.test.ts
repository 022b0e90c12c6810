/** The form of a credit without scripts: the first page shows the effect, the second makes the credit, once. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, openBrowser } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useSales } from "../../../test/support/world/sales.ts";

const { world, issued, line } = useSales({ knows_origin: true });
let oauth: ReturnType<typeof openConsent>;
let admin: Browser;
beforeAll(async () => {
  oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
});

type Invoice = Awaited<ReturnType<typeof issued>>;
const pathOf = ({ id }: Pick<Invoice, "id">) => `/invoices/${id}/credit`;
const notesOf = async ({ id }: Pick<Invoice, "id">) =>
  (await world.done(`GET /credit-notes?invoice=${id}`)).data;
const amountOf = (invoice: Invoice, at: number) => `amount.${invoice.lines[at].id}`;
const QUARTER = { service_from: "2026-01-01", service_to: "2026-03-31" };

describe("crediting without scripts", () => {
  it("shows the effect by month, then makes exactly that credit and says so", async () => {
    const invoice = await issued([], { lines: [line(3000, QUARTER), line(100)] });
    const path = pathOf(invoice);
    const first = await admin.get(path);
    const typed = { [amountOf(invoice, 0)]: "1,500", credit_date: "10/3" };
    const shown = await admin.submit(first, path, { ...typed, step: "show" });
    expect(shown.status).toBe(200);
    for (const part of [
      "1,875.00",
      "March 2026: DKK −1,500.00 (was DKK 1,100.00, then DKK −400.00)",
      "Credit and send",
      'value="1,500"',
    ])
      expect(shown.html).toContain(part);
    expect(await notesOf(invoice)).toEqual([]);
    const made = await admin.submit(shown, path, { ...typed, step: "make" });
    const again = await admin.submit(shown, path, { ...typed, step: "make" });
    const [note, ...others] = await notesOf(invoice);
    expect(others).toEqual([]);
    expect(note).toMatchObject({ kind: "partial", credit_date: "2026-03-10" });
    expect([made.status, made.location]).toEqual([303, `/credit-notes/${note.id}`]);
    expect(again.location).toBe(made.location);
    expect(made.headers.get("set-cookie")).toContain("credited");
  });

  it("takes a reason, keeps it while the effect is shown, and prints it on the credit note", async () => {
    const invoice = await issued([3000]);
    const path = pathOf(invoice);
    const reason = "Delivered late,\nas agreed";
    const typed = { [amountOf(invoice, 0)]: "500", credit_date: "10/3", reason };
    const shown = await admin.submit(await admin.get(path), path, { ...typed, step: "show" });
    expect(shown.html).toContain(reason);
    const changed = { ...typed, reason: "Another reason", step: "make" };
    expect((await admin.submit(shown, path, changed)).status).toBe(409);
    expect(await notesOf(invoice)).toEqual([]);
    const made = await admin.submit(shown, path, { ...typed, step: "make" });
    expect(made.status).toBe(303);
    expect(await notesOf(invoice)).toMatchObject([{ kind: "partial", reason }]);
    const { html } = await admin.get(made.location ?? "");
    expect(html).toContain("Reason");
    expect(html).toContain("Delivered late,");
  });

  it("is refused a reason of more than 500 characters, which stays in the form", async () => {
    const invoice = await issued([3000]);
    const path = pathOf(invoice);
    const reason = "x".repeat(501);
    const typed = { [amountOf(invoice, 0)]: "500", credit_date: "10/3", reason, step: "show" };
    const { status, html } = await admin.submit(await admin.get(path), path, typed);
    expect(status).toBe(422);
    expect(html).toContain(reason);
  });

  it("fills in the whole invoice", async () => {
    const invoice = await issued([3000, 100]);
    const path = pathOf(invoice);
    const whole = await admin.submit(await admin.get(path), path, {
      step: "whole",
      credit_date: "10/3",
    });
    expect(whole.html).toContain('value="3,000.00"');
    const typed = { [amountOf(invoice, 0)]: "3,000.00", [amountOf(invoice, 1)]: "100.00" };
    const made = await admin.submit(whole, path, {
      ...typed,
      credit_date: "10/03/2026",
      step: "make",
    });
    expect(made.status).toBe(303);
    expect(await notesOf(invoice)).toMatchObject([{ kind: "full" }]);
  });

  it.each([
    ["an amount that is no number", "x", 422, "This is not a number."],
    ["more than the line has left", "5000", 409, "more than the remaining amount"],
    ["more decimals than the currency has", "1.005", 422, 'role="alert"'],
    ["nothing", "", 422, "The effect is shown here when you enter an amount."],
  ])("keeps %s, and says what is wrong", async (_case, amount, status, said) => {
    const invoice = await issued([1000]);
    const path = pathOf(invoice);
    const typed = { [amountOf(invoice, 0)]: amount, credit_date: "10/3", step: "show" };
    const page = await admin.submit(await admin.get(path), path, typed);
    expect(page.status).toBe(status);
    expect(page.html).toContain(said);
    expect(page.html).toContain(amount === "" ? " value/>" : `value="${amount}"`);
  });

  it("shows the effect again if the address has changed", async () => {
    const invoice = await issued([1000]);
    const path = pathOf(invoice);
    const typed = { [amountOf(invoice, 0)]: "400", credit_date: "10/3" };
    const shown = await admin.submit(await admin.get(path), path, { ...typed, step: "show" });
    const { id: customer_id } = await world.done(`GET /customers/${invoice.customer_id}`);
    await world.done(`PATCH /customers/${customer_id}`, { email: "new@acme.example" });
    const stale = await admin.submit(shown, path, { ...typed, step: "make" });
    expect(stale.status).toBe(409);
    expect(stale.html).toContain("The data has changed since you saw this");
    expect(stale.html).toContain("new@acme.example");
    expect((await admin.submit(stale, path, { ...typed, step: "make" })).status).toBe(303);
  });

  it("is refused to visitors, and exists only for people who see the invoice", async () => {
    const invoice = await issued([10]);
    const { browser } = await oauth.person();
    expect((await browser.get(pathOf(invoice))).status).toBe(404);
    expect((await openBrowser(world).get(pathOf(invoice))).html).toContain("<h1>Sign in</h1>");
    expect((await admin.post(pathOf(invoice), { step: "make" })).status).toBe(400);
  });
});
