/** The start page: its content for admins and standard users, in both languages, and its number of statements. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, openBrowser } from "../../../test/support/browser/browser.ts";
import { statementsOf } from "../../../test/support/browser/statements.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { agentOf } from "../../../test/support/mcp/mcp.ts";
import { type Json, useWorld } from "../../../test/support/world/world.ts";
import { addUpWanted } from "../../features/revenue/reports/report-figures.ts";

let oauth: ReturnType<typeof openConsent>;
let admin: Browser;
let sofie: { readonly browser: Browser; readonly user_id: string };
let draft: Json;
const world = useWorld({ knows_origin: true });
const customer = world.made("POST /customers", {
  name: "Grøn Logistik A/S",
  email: "ap@gron.example",
});
const product = world.made("POST /products", { name: "Design retainer", default_price: 0 });

beforeAll(async () => {
  oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  sofie = await oauth.person();
});

const DANISH = { "accept-language": "da" };
const value = (agreed_value: number): Json => ({
  product_id: product.id,
  recognition_method: "on_issue",
  agreed_value,
});
const issue = async (fields: Json): Promise<Json> => {
  const made = await world.done("POST /invoices", { customer_id: customer.id, ...fields });
  await world.done(`POST /invoices/${made.id}/issue`);
  return made;
};
/** The text of a page without its markup. */
const readable = (html: string): string =>
  html
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ");

describe("a new account", () => {
  it("reads that nothing needs attention, and the first steps with those already done", async () => {
    const { html, status } = await admin.get("/today");

    expect(status).toBe(200);
    const text = readable(html);
    expect(html).toContain("<h1>Tuesday 10 March</h1>");
    expect(text).toContain("Nothing needs your attention today.");
    expect(text).toContain("Add your first customer Done");
    expect(text).toContain("Add your first product Done");
    expect(text).not.toContain("Connect your assistant Done");
    expect(html).toContain('href="/assistants"');
    expect(html).not.toContain("figures");
  });
});

describe("an admin", () => {
  beforeAll(async () => {
    world.clock.set("2026-01-15T09:00:00Z");
    await issue({ auto_send: false, lines: [value(40_000)] });
    world.clock.set("2026-03-10T09:00:00Z");
    await world.done("PATCH /configuration", { default_auto_send: false });
    await issue({ title: "Now", lines: [value(12_345.5)] });
    const made = await world.done("POST /recurring-series", {
      customer_id: customer.id,
      frequency: "monthly",
      start_date: "2026-04-01",
      lines: [value(7_500)],
    });
    await world.done(`POST /recurring-series/${made.id}/activate`);
    draft = await world.done("POST /invoices", {
      customer_id: customer.id,
      title: "Driver app",
      lines: [
        {
          product_id: product.id,
          recognition_method: "hours",
          hourly_rate: 1000,
          assignees: [{ user_id: sofie.user_id }],
        },
      ],
    });
    for (const [date, hours] of [
      ["2026-01-20", 2.5],
      ["2026-03-09", 7.5],
    ]) {
      const line_id = draft.lines[0].id;
      await world.done("POST /work-registrations", {
        line_id,
        user_id: sofie.user_id,
        date,
        hours,
      });
    }
  });

  it("reads the main facts, the figures, the items that need attention and the next invoices", async () => {
    const text = readable((await admin.get("/today")).html);

    expect(text).toContain("One invoice goes out by 1 April. January is ready to close.");
    expect(text).toContain("Grøn Logistik A/S is late.");
    expect(text).toMatch(/is late with a payment The earliest was due on .* [\d,.]+ Open account/);
    expect(text).toMatch(/Owed to you Who owes what DKK [\d,.]+ Of which DKK [\d,.]+ is late\./);
    expect(text).toContain("Earned in March 19,846 DKK");
    expect(text).toContain("Invoiced in March 12,346 DKK 1 invoice, 0 credit notes");
    expect(text).toContain("Earned, not invoiced 10,000 DKK 1 draft, oldest work 20 January");
    expect(text).toContain("Driver app waits for its invoice");
    expect(text).toContain(
      "Work since 20 January for Grøn Logistik A/S. 10.00 h, nothing invoiced.",
    );
    expect(text).toContain("10,000.00 Open draft");
    expect(text).toMatch(/January is ready to close .* 42,500\.00 Review and close/);
    expect(text).toContain("1 Apr Grøn Logistik A/S Design retainer 7,500.00");
    expect(text).toContain("7.50 h of 1 person");
  });

  it("reads the same in Danish", async () => {
    const { html } = await admin.get("/today", DANISH);
    const text = readable(html);

    expect(html).toContain("<h1>Tirsdag 10. marts</h1>");
    expect(text).toContain(
      "En faktura går ud senest 1. april. Januar er klar til at blive lukket.",
    );
    expect(text).toContain("Optjent i marts 19.846 kr.");
    expect(text).toContain("Grøn Logistik A/S er forsinket med en betaling");
    expect(text).toMatch(/I har til gode .* Heraf er [\d.,]+ kr\. forfaldent\./);
    expect(text).toContain("Driver app venter på at blive faktureret");
    expect(text).toContain("10.000,00 Åbn kladden");
    expect(text).toContain("7,50 t af 1 person");
  });

  it("finds a page behind every link", async () => {
    const { html } = await admin.get("/today");
    const main = html.slice(html.indexOf("<main"));
    const links = [...main.matchAll(/href="([^"]+)"/g)].map(([, href]) =>
      (href ?? "").replaceAll("&amp;", "&"),
    );
    expect(links.length).toBeGreaterThan(18);
    for (const href of new Set(links)) {
      expect([200, 303], href).toContain((await admin.get(href)).status);
    }
  });

  it("reads which webhooks fail or are disabled, with the way to their pages", async () => {
    const { id } = await world.done("POST /webhook-endpoints", {
      url: "https://hooks.example/a-path",
      event_types: ["*"],
    });
    await world.sql(
      "update webhook_endpoints set status = 'failing', failing_since = '2026-03-08T12:00:00Z'",
    );
    const page = await admin.get("/today");
    expect(readable(page.html)).toContain("One webhook fails.");
    expect(readable(page.html)).toContain(
      "Webhooks to hooks.example fail Since 8 March every attempt has failed.",
    );
    expect(page.html).toContain(`href="/settings/developer/webhooks/${id}"`);
    expect(readable((await admin.get("/today", DANISH)).html)).toContain(
      "Webhooks til hooks.example fejler Siden 8. marts er alle forsøg mislykket.",
    );
    await world.sql(
      "update webhook_endpoints set status = 'disabled', disabled_reason = 'failing'",
    );
    expect(readable((await admin.get("/today")).html)).toContain(
      "Webhooks to hooks.example are disabled Every attempt of five days failed.",
    );
    expect(readable((await admin.get("/today", DANISH)).html)).toContain("er slået fra");
    expect((await sofie.browser.get("/today")).html).not.toContain("hooks.example");
    await world.done(`DELETE /webhook-endpoints/${id}`);
  });

  it("sees a bar with all figures for each of thirteen months, and the figures in a table", async () => {
    const { html } = await admin.get("/today");
    const bars = [...html.matchAll(/aria-label="[^"]*\. (\w+ \d{4}: earned [^"]*)"/g)].map(
      ([, name]) => name,
    );

    expect(bars).toHaveLength(13);
    expect(bars[0]).toBe("March 2025: earned 0.00, invoiced 0.00");
    expect(bars[10]).toBe("January 2026: earned 42,500.00, invoiced 40,000.00");
    expect(bars[12]).toBe("March 2026: earned 19,845.50, invoiced 12,345.50");
    expect(readable(html)).toContain(
      "January 2026 Earned 42,500.00 Invoiced 40,000.00 Earned, not invoiced 2,500.00",
    );
  });

  it("causes at most thirteen statements", async () => {
    for (const browser of [admin, sofie.browser]) {
      expect(await statementsOf(() => browser.get("/today"))).toBeLessThanOrEqual(13);
    }
  });

  it("reads that the figures of a large account are being calculated, and later their moment", async () => {
    await world.sql("insert into revenue_figures (account_id, wanted_at) values ($1, now())", [
      world.account.account_id,
    ]);
    const before = readable((await admin.get("/today")).html);
    expect(before).toContain("Being calculated: check again in a minute");
    expect(before).not.toContain("19,846");

    expect(await addUpWanted(world.services)).toBe(1);
    const after = readable((await admin.get("/today")).html);
    expect(after).toContain("Earned in March 19,846 DKK");
    expect(after).toContain("Figures of");
    expect(await addUpWanted(world.services)).toBe(0);
    await world.sql("update revenue_figures set computed_at = now() - interval '1 hour'");
    await admin.get("/today");
    expect(await addUpWanted(world.services), "the page was read").toBe(1);
    await world.sql("delete from revenue_figures");
  });
});

describe("the plans of assistants", () => {
  it("wait for their own person alone", async () => {
    const agent = await agentOf(world, { user_id: sofie.user_id, client_name: "Claude" });
    await agent.done("plan_register_work", { line_id: draft.lines[0].id, hours: 1 });
    const own = (await sofie.browser.get("/today")).html;
    expect(readable(own)).toContain("has planned a change");
    expect(own).toMatch(/href="\/assistants\/plans\/plan_[a-z2-7]{26}"/);
    expect(readable((await admin.get("/today")).html)).not.toContain("has planned a change");
    await world.sql("update plans set expires_at = now() - interval '1 second'");
  });
});

describe("a standard user", () => {
  it("reads the items that need their attention, their week and their customers", async () => {
    const text = readable((await sofie.browser.get("/today")).html);

    expect(text).toContain("Work on one draft waits for its invoice.");
    expect(text).toContain("10,000.00 Open draft");
    expect(text).toContain("7.50 h 7.50 h in March");
    expect(text).toContain(
      "Your customers The last 30 days Grøn Logistik A/S Last on 9 March 7.50 h",
    );
  });

  it("reads no figures of the account and no links to pages for admins", async () => {
    const { html } = await sofie.browser.get("/today");

    for (const word of ["42,500", "12,346", "Going out", "Earned", "ready to close"]) {
      expect(html).not.toContain(word);
    }
    expect(html.slice(html.indexOf("<main"), html.indexOf("</main>"))).not.toMatch(
      /href="\/(invoices(?!\/[0-9a-f-]{36}")|customers|products)/,
    );
  });

  it("without work reads that nothing needs attention", async () => {
    const { browser } = await oauth.person();
    const text = readable((await browser.get("/today")).html);

    expect(text).toContain("Nothing needs your attention today.");
    expect(text).toContain("You have not worked for any customer in the last 30 days.");
    expect(text).not.toContain("Grøn");
  });
});

it("shows visitors the sign-in page and then returns to Today", async () => {
  const { html } = await openBrowser(world).get("/today");
  expect(html).toContain("Password");
  expect(html).toContain('value="/today"');
});
