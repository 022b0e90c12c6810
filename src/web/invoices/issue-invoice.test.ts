/** Issuing on a page: it issues the confirmed draft once, shows a changed draft again, and states refusals in words. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, openBrowser } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useSales } from "../../../test/support/world/sales.ts";

let oauth: ReturnType<typeof openConsent>;
let admin: Browser;
const { world, draft } = useSales({ knows_origin: true });
beforeAll(async () => {
  oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
});

const pathOf = ({ id }: { readonly id: string }) => `/invoices/${id}/issue`;
const statusOf = async ({ id }: { readonly id: string }) =>
  (await world.done(`GET /invoices/${id}`)).status;

describe("the confirmation of an issue", () => {
  it("states what is booked, sent and frozen, and repeats the amount on its button", async () => {
    const invoice = await draft([57225], { auto_send: true, issue_date: "2026-03-09" });
    const { html } = await admin.get(pathOf(invoice), { "accept-language": "da" });
    for (const part of ["57.225,00 kr.", "9. mar. 2026", "ap@acme.example", "Ikke endnu"])
      expect(html).toContain(part);
    expect(html).toContain("Udsted og send 71.531,25 kr.</button>");
    expect(html).toContain("Linje 1 har ingen medarbejder");
    expect(html).toContain("1 linje. En fejl rettes med en kreditnota.");
    expect(await statusOf(invoice)).toBe("draft");
    expect(await world.sql("select from deliveries where document_id = $1", [invoice.id])).toEqual(
      [],
    );
  });

  it("offers no sending if none is wanted or the customer has no address", async () => {
    const kept = await draft([100]);
    expect((await admin.get(pathOf(kept))).html).toContain("Issue DKK 125.00</button>");
    const { id: customer_id } = await world.done("POST /customers", { name: "Silent" });
    const silent = await draft([100], { customer_id, auto_send: true });
    const { html } = await admin.get(pathOf(silent));
    expect(html).toContain("the customer has no e-mail address");
    expect(html).toContain(
      `href="/customers/${customer_id}/edit?back=%2Finvoices%2F${silent.id}#email"`,
    );
    expect(html).toContain("Issue DKK 125.00</button>");
  });

  it("states the reason of a refusal in words, without a button", async () => {
    const empty = await draft([]);
    const refused = await admin.get(pathOf(empty), { "accept-language": "da" });
    expect(refused.status).toBe(200);
    expect(refused.html).toContain("Fakturaen har ingen linjer");
    expect(refused.html).toMatch(`<a class="link" href="/invoices/${empty.id}#lines"`);
    expect(refused.html).not.toContain('name="agreed"');
  });
});

describe("issuing", () => {
  it("books and sends the shown invoice once for repeated requests", async () => {
    const invoice = await draft([1000], { auto_send: true });
    const page = await admin.get(pathOf(invoice));
    const posted = await Promise.all([1, 2, 3].map(() => admin.submit(page, pathOf(invoice), {})));
    posted.push(await admin.submit(page, pathOf(invoice), {}));
    for (const { status, location } of posted)
      expect([status, location]).toEqual([303, `/invoices/${invoice.id}`]);
    expect(await statusOf(invoice)).toBe("issued");
    const sent = await world.sql("select from deliveries where document_id = $1", [invoice.id]);
    expect(sent).toHaveLength(1);
    expect((await admin.get(pathOf(invoice))).location).toBe(`/invoices/${invoice.id}`);
    const events = await world.sql(
      "select actor_id from audit_events where resource_id = $1 and action = 'issued'",
      [invoice.id],
    );
    expect(events).toEqual([{ actor_id: world.account.admin.user_id }]);
  });

  it("shows the confirmation again if the draft or the address has changed meanwhile", async () => {
    const { id: customer_id } = await world.done("POST /customers", {
      name: "Moving",
      email: "old@x.example",
    });
    const invoice = await draft([1000], { customer_id, auto_send: true });
    let page = await admin.get(pathOf(invoice));
    for (const [call, changes, now] of [
      [`PATCH /invoices/${invoice.id}`, { title: "Changed" }, "old@x.example"],
      [`PATCH /customers/${customer_id}`, { email: "new@x.example" }, "new@x.example"],
    ] as const) {
      await world.done(call, changes);
      page = await admin.submit(page, pathOf(invoice), {});
      expect(page.status).toBe(409);
      expect(page.html).toContain("The data has changed since you saw this");
      expect(page.html).toContain(now);
      expect(await statusOf(invoice)).toBe("draft");
    }
    expect((await admin.submit(page, pathOf(invoice), {})).status).toBe(303);
    expect(await statusOf(invoice)).toBe("issued");
  });

  it("states the refusal in words if it has become impossible", async () => {
    const { id: customer_id } = await world.done("POST /customers", { name: "Leaving" });
    const invoice = await draft([1000], { customer_id });
    const page = await admin.get(pathOf(invoice));
    await world.done(`POST /customers/${customer_id}/deactivate`);
    const refused = await admin.submit(page, pathOf(invoice), {});
    expect(refused.status).toBe(409);
    expect(refused.html).toMatch(/role="alert">[^<]*customer[^<]*</);
    expect(await statusOf(invoice)).toBe("draft");
  });
});

describe("access to issuing on a page", () => {
  it("is refused to visitors, to unassigned standard users and to users of another account", async () => {
    const invoice = await draft([10]);
    const { browser: standard } = await oauth.person();
    expect((await openBrowser(world).get(pathOf(invoice))).html).toContain("<h1>Sign in</h1>");
    expect((await standard.get(pathOf(invoice))).status).toBe(404);
    const other = await world.openAnother();
    const key = other.keys.read_write;
    const { id: customer_id } = await world.done("POST /customers", { name: "Remote" }, key);
    const others = await world.done("POST /invoices", { customer_id }, key);
    for (const id of [others.id, "none"])
      expect((await admin.get(pathOf({ id }))).status).toBe(404);
  });

  it("is refused to forms of another site or without the CSRF proof", async () => {
    const invoice = await draft([10]);
    const page = await admin.get(pathOf(invoice));
    const agreed = /name="agreed" value="([^"]+)"/.exec(page.html)?.[1] ?? "";
    const elsewhere = { "sec-fetch-site": "cross-site" };
    expect((await admin.post(pathOf(invoice), { agreed })).status).toBe(400);
    expect((await admin.post(pathOf(invoice), { agreed }, elsewhere)).status).toBe(400);
    expect(await statusOf(invoice)).toBe("draft");
  });
});
