/** The settings of invoicing, VAT and months: what is stored, refusals at their fields, and what the pages compute. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, openBrowser } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useWorld } from "../../../test/support/world/world.ts";

const world = useWorld({ knows_origin: true });
let admin: Browser;
let standard: Browser;
beforeAll(async () => {
  const oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  standard = (await oauth.person()).browser;
});

const DANISH = { "accept-language": "da" };
const configuration = () => world.done("GET /configuration");

/** Posts the form of a page with these fields only. */
async function saved(
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
  action = path,
) {
  const { html } = await admin.get(path);
  const form = html.slice(html.indexOf(`action="${action}"`));
  const [, csrf = ""] = /name="csrf" value="([^"]+)"/.exec(form) ?? [];
  return admin.post(action, { csrf, ...fields }, headers);
}
const faultOf = (html: string, name: string) =>
  new RegExp(`id="${name.replaceAll(".", "\\.")}-fault">([^<]*)<`).exec(html)?.[1];

describe.each(["invoicing", "vat", "months"])("the settings of %s", (name) => {
  it("exist for admins alone", async () => {
    const path = `/settings/${name}`;
    expect((await admin.get(path)).status).toBe(200);
    expect((await standard.get(path)).status).toBe(404);
    expect((await openBrowser(world).get(path)).html).toContain("<h1>Sign in</h1>");
  });

  it("save what they show without a change", async () => {
    const path = `/settings/${name}`;
    const before = await configuration();
    const reply = await admin.submit(
      await admin.get(path),
      path,
      fieldsIn((await admin.get(path)).html, path),
    );
    expect([reply.status, reply.location]).toEqual([303, path]);
    expect(await configuration()).toEqual(before);
  });
});

/** The values of the fields of a form, as a browser would send them. */
function fieldsIn(html: string, action: string): Record<string, string> {
  const start = html.indexOf(`<form method="post" action="${action}"`);
  const form = html.slice(start, html.indexOf("</form>", start));
  const inputs = [...form.matchAll(/<input class="input" id="([^"]+)"[^>]*? value="([^"]*)"/g)];
  const selects = [...form.matchAll(/<select class="input" id="([^"]+)"(.*?)<\/select>/gs)];
  return Object.fromEntries([
    ...inputs.map(([, name = "", value = ""]) => [name, value]),
    ...selects.map(([, name = "", options = ""]) => [
      name,
      /value="([^"]*)" selected/.exec(options)?.[1] ?? "",
    ]),
  ]);
}

describe("the settings of invoicing", () => {
  const PATH = "/settings/invoicing";

  it("store terms, sending and numbers", async () => {
    const reply = await saved(PATH, {
      "default_payment_terms.type": "CurrentMonthOut",
      "default_payment_terms.days": "15",
      default_auto_send: "false",
      require_complete_invoices: "true",
      "numbering.next_invoice_number": "47",
    });
    expect(reply.location).toBe(PATH);
    expect(await configuration()).toMatchObject({
      default_payment_terms: { type: "CurrentMonthOut", days: 15 },
      default_auto_send: false,
      require_complete_invoices: true,
      numbering: { next_invoice_number: 47 },
    });
    expect((await admin.get(PATH)).html).toContain("Next: 47.");
    await saved(PATH, { require_complete_invoices: "false" });
  });

  it.each([
    ["numbering.next_invoice_number", "12", "increased"],
    ["default_payment_terms.days", "many", ""],
    ["time_zone", "Nowhere", ""],
    ["functional_currency", "XX", ""],
  ])("refuse a wrong %s at its field, with what was typed", async (name, value) => {
    const before = await configuration();
    const reply = await saved(PATH, { [name]: value });
    expect(reply.status).toBe(422);
    expect(faultOf(reply.html, name)).toBeTruthy();
    expect(reply.html).toContain(`value="${value}"`);
    const danish = await saved(PATH, { [name]: value }, DANISH);
    expect(faultOf(danish.html, name)).not.toBe(faultOf(reply.html, name));
    expect(await configuration()).toEqual(before);
  });

  it("store the texts of mails, and show them filled beside the form", async () => {
    const own = {
      "mail_texts.da.invoice.subject": "Regning {number} til {customer}",
      "mail_texts.da.invoice.body": "Hej\r\n\r\nBeløbet er {amount}, senest {due_date}.",
    };
    const usual = (await admin.get(PATH)).html;
    expect(usual).toContain("Faktura 47 fra ");
    expect(usual).not.toContain('<details class="mail-texts" open');
    const reply = await saved(PATH, own, {}, `${PATH}/mail-text`);
    expect(reply.location).toBe(PATH);
    expect((await configuration()).mail_texts.da.invoice).toEqual({
      subject: "Regning {number} til {customer}",
      body: "Hej\n\nBeløbet er {amount}, senest {due_date}.",
    });
    const { html } = await admin.get(PATH);
    expect(html.match(/<details class="mail-texts" open/g)).toHaveLength(1);
    expect(html).toContain("Regning 47 til Havnens Bryggeri A/S");
    expect(html).toMatch(/Beløbet er 12\.500,00 DKK, senest \d+\. [a-z]+ 20\d\d\./);
    const emptied = Object.fromEntries(Object.keys(own).map((name) => [name, ""]));
    await saved(PATH, emptied, {}, `${PATH}/mail-text`);
    expect((await configuration()).mail_texts.da.invoice).toEqual({ subject: null, body: null });
  });

  it("refuse a text with an unknown placeholder at its field, and keep what was typed", async () => {
    const before = await configuration();
    const name = "mail_texts.en.credit_note.body";
    const sent = { [name]: "Due on {due_date}, {number}" };
    for (const [headers, sentence] of [
      [{}, "{due_date} is not known here."],
      [DANISH, "{due_date} kendes ikke her."],
    ] as const) {
      const reply = await saved(PATH, sent, headers, `${PATH}/mail-text`);
      expect(reply.status).toBe(422);
      expect(faultOf(reply.html, name)).toBe(sentence);
      expect(reply.html).toContain(">Due on {due_date}, {number}</textarea>");
      // The other forms show what is stored.
      expect(reply.html).toMatch(/id="time_zone"[^>]*value="Europe\/Copenhagen"/);
    }
    expect(await configuration()).toEqual(before);
  });

  it("turn the links in mails off and on", async () => {
    await saved(PATH, { document_links: "false" });
    expect((await configuration()).document_links).toBe(false);
    await saved(PATH, { document_links: "true" });
  });

  it("send a test to the reader, and say that it reached only a file", async () => {
    const before = (await world.mails()).length;
    const { status, html } = await saved(PATH, {}, {}, `${PATH}/test-mail`);
    expect(status).toBe(200);
    const { email } = world.account.admin;
    expect(html).toContain(`The test for ${email} was written to a file.`);
    const mails = await world.mails();
    expect(mails).toHaveLength(before + 1);
    const tests = mails.filter(({ subject }) => subject === "Test from Matchbook");
    expect(tests).toMatchObject([{ to: [{ address: email }] }]);
  });
});

describe("the settings of VAT", () => {
  const PATH = "/settings/vat";

  it("show who pays what VAT by the rule, in both languages", async () => {
    const english = (await admin.get(PATH)).html;
    const rows = /id="buyers".*?<\/table>/s.exec(english)?.[0] ?? "";
    expect(rows.match(/25\s?% VAT/g)).toHaveLength(4);
    expect(rows.match(/the buyer accounts for it/g)).toHaveLength(2);
    expect(rows).toContain("No VAT: export");
    expect(rows).toContain("such as a company in Germany with DE136695976");
    expect((await admin.get(PATH, DANISH)).html).toContain(
      "for eksempel en privatperson i Tyskland",
    );
  });

  it("store accounts that are chosen by number and name", async () => {
    const { html } = await admin.get(PATH);
    const [, number = "", name = ""] =
      /id="account_roles.contract_asset".*?<option value="(\d+)"[^>]*>\d+ ([^<]+)</s.exec(html) ??
      [];
    expect(name).not.toBe("");
    await saved(PATH, { "account_roles.contract_asset": number, "vat.domestic_rate": "24.5" });
    expect(await configuration()).toMatchObject({
      account_roles: { contract_asset: Number(number) },
      vat: { domestic_rate: 24.5 },
    });
    await saved(PATH, { "vat.domestic_rate": "25,00" }, DANISH);
  });

  it("store the accounts of payments, and refuse one with another use at its field", async () => {
    const { html } = await admin.get(PATH);
    expect(html).toContain("Fees of banks and card companies");
    expect((await admin.get(PATH, DANISH)).html).toContain("Gebyrer fra bank og kortselskab");
    await saved(PATH, { "account_roles.payment_fee": "3610", "payments.rounding_limit": "0.5" });
    expect(await configuration()).toMatchObject({
      account_roles: { payment_fee: 3610 },
      payments: { rounding_limit: 0.5 },
    });
    const reply = await saved(PATH, { "account_roles.reminder_fee": "1000" });
    expect(reply.status).toBe(422);
    expect(faultOf(reply.html, "account_roles.reminder_fee")).toBeTruthy();
  });

  it("set a rate, and refuse one at its field", async () => {
    const rate = { currency: "eur", date: "2026-03-01", rate: "7.46" };
    expect((await saved(PATH, rate, {}, `${PATH}/rate`)).location).toBe(PATH);
    expect((await world.done("GET /exchange-rates")).data[0]).toMatchObject({
      currency: "EUR",
      date: "2026-03-01",
      rate: 7.46,
    });
    expect((await admin.get(PATH)).html).toContain("7.46");
    for (const [name, value] of [
      ["rate", "0"],
      ["currency", "XX"],
      ["currency", "DKK"],
      ["date", "soon"],
    ] as const) {
      const reply = await saved(PATH, { ...rate, [name]: value }, {}, `${PATH}/rate`);
      expect([name, reply.status]).toEqual([name, 422]);
      expect(faultOf(reply.html, name)).toBeTruthy();
    }
  });
});

describe("the settings of months", () => {
  const PATH = "/settings/months";

  it("store locks and show them on the months", async () => {
    await saved(PATH, { period_lock_date: "2026-01-31", work_lock_date: "2026-02-28" });
    expect(await configuration()).toMatchObject({
      period_lock_date: "2026-01-31",
      work_lock_date: "2026-02-28",
    });
    const strip = /class="lock-strip".*?<\/ol>/s.exec((await admin.get(PATH)).html)?.[0] ?? "";
    expect(strip).toMatch(/January 2026: <\/span><small>Books locked<\/small><small>Hours locked/);
    expect(strip).toMatch(/February 2026: <\/span><small>Hours locked<\/small><\/li>/);
    expect(strip).toMatch(/March 2026: <\/span><small>Open<\/small>/);
    const page = await admin.get(PATH);
    expect(page.html).toMatch(/name="work_lock_date"[^>]*value="28\/02\/2026"/);
    await saved(PATH, { period_lock_date: "31.1.2026", work_lock_date: "1/3-26" });
    expect(await configuration()).toMatchObject({
      period_lock_date: "2026-01-31",
      work_lock_date: "2026-03-01",
    });
    const wrong = await saved(PATH, { period_lock_date: "31.2.2026" });
    expect(wrong.status).toBe(422);
    expect(faultOf(wrong.html, "period_lock_date")).toBeTruthy();
    await saved(PATH, { period_lock_date: "", work_lock_date: "" });
    expect(await configuration()).toMatchObject({ period_lock_date: null, work_lock_date: null });
  });

  it("draw both ways of counting time with amounts that add up", async () => {
    const { html } = await admin.get(PATH);
    const table = /id="example".*?<\/table>/s.exec(html)?.[0] ?? "";
    const cells = [...table.matchAll(/<div>([\d,]+\.\d\d)<\/div>/g)].map(([, text = ""]) =>
      Number(text.replaceAll(",", "")),
    );
    expect(cells).toHaveLength(8);
    for (const column of [0, 1]) {
      const sum = cells.filter((_, at) => at % 2 === column).reduce((a, b) => a + b, 0);
      expect(sum).toBeCloseTo(60_000, 2);
    }
    expect(cells[2]).not.toBe(cells[3]);
  });

  it("keep the lock of a closed month, in words at the field", async () => {
    await world.done("POST /period-closes", { month: "2026-01" });
    const reply = await saved(PATH, { period_lock_date: "" });
    expect(reply.status).toBe(409);
    expect(faultOf(reply.html, "period_lock_date")).toBeTruthy();
  });
});
