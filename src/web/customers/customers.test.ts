/** The customer pages in both languages: what they show, save and refuse, for which users, and the reason of the VAT code. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, openBrowser } from "../../../test/support/browser/browser.ts";
import { statementsOf } from "../../../test/support/browser/statements.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useWorld } from "../../../test/support/world/world.ts";

let oauth: ReturnType<typeof openConsent>;
let admin: Browser;
const world = useWorld({ knows_origin: true });
beforeAll(async () => {
  oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
});

const customer = (fields: object) => world.done("POST /customers", { name: "Customer", ...fields });

const fill = {
  name: "",
  is_person: "",
  vat_number: "",
  att_person: "",
  email: "",
  phone: "",
  webpage: "",
  street: "",
  zip_code: "",
  city: "",
  country_key: "DK",
  send_method: "email",
  ean_number: "",
  payment_condition_type: "",
  payment_condition_number_of_days: "",
  preferred_invoice_language_key: "",
  preferred_invoice_currency_key: "",
  buyer_reference: "",
  order_reference: "",
  hours_specification: "",
};

async function save(path: string, fields: Readonly<Record<string, string>>) {
  return admin.submit(await admin.get(path), path, { ...fill, ...fields });
}

const DANISH = { "accept-language": "da" };

describe("the list of customers", () => {
  it("shows the send method, the country and the last invoice date in the user's language", async () => {
    const { id } = await customer({
      name: "Listed GmbH",
      country_key: "DE",
      email: "an@x.example",
    });
    const product = await world.done("POST /products", { name: "Work", default_price: 100 });
    const invoice = await world.done("POST /invoices", {
      customer_id: id,
      lines: [{ product_id: product.id, recognition_method: "on_issue", agreed_value: 100 }],
    });
    const issued = await world.done(`POST /invoices/${invoice.id}/issue`);
    await customer({ name: "Mute ApS" });
    const english = await admin.get("/customers");
    const danish = await admin.get("/customers", DANISH);
    expect(english.html).toContain("E-mail: an@x.example");
    expect(english.html).toContain("Germany");
    expect(english.html).toContain(`datetime="${issued.issue_date}"`);
    expect(english.html).toContain("No e-mail address yet");
    expect(danish.html).toContain("<h1>Kunder</h1>");
    expect(danish.html).toContain("Tyskland");
    expect(danish.html).toContain("Ingen e-mailadresse endnu");
  });

  it("shows the matches of a search, escaped", async () => {
    await customer({ name: `<img src=x onerror="x">` });
    const { html } = await admin.get(`/customers?q=${encodeURIComponent("<img")}`);
    expect(html).toContain("&lt;img src=x");
    expect(html).not.toContain("<img");
    expect(html).not.toContain("Listed");
    expect((await admin.get("/customers?q=no-such-customer")).html).toContain("No customers match");
  });

  it("links to the customers after those of the page", async () => {
    for (let n = 0; n < 51; n += 1) await customer({ name: `Many ${n}` });
    const first = await admin.get("/customers?q=Many");
    const next = /href="(\/customers\?[^"]+)" rel="next"/.exec(first.html)?.[1] ?? "";
    const second = await admin.get(next.replaceAll("&amp;", "&"));
    expect(first.html).toContain(">Many 0<");
    expect(first.html).not.toContain(">Many 9<");
    expect(second.html).toContain(">Many 9<");
    expect(second.html).not.toContain('rel="next"');
    const reversed = await admin.get("/customers?q=Many&sort=-name");
    expect(reversed.html).toContain('aria-sort="descending"');
    expect(reversed.html.indexOf(">Many 9<")).toBeLessThan(reversed.html.indexOf(">Many 8<"));
  });

  it("is by name, whatever the case", async () => {
    for (const name of ["case b", "Case C", "Case a"]) await customer({ name });
    const { html } = await admin.get("/customers?q=case");
    const names = [...html.matchAll(/>(case [abc])</gi)].map(([, name]) => name);
    expect(names).toEqual(["Case a", "case b", "Case C"]);
  });

  it("is filtered by country and by how customers are billed, with the other filters kept", async () => {
    await customer({ name: "Filter DE", country_key: "DE" });
    await customer({ name: "Filter DK", send_method: "einvoice", ean_number: "5790000000012" });
    const shown = async (query: string) => {
      const { html } = await admin.get(`/customers?q=Filter&${query}`);
      return ["Filter DE", "Filter DK"].filter((name) => html.includes(`>${name}<`));
    };
    expect(await shown("")).toEqual(["Filter DE", "Filter DK"]);
    expect(await shown("country_key=DE")).toEqual(["Filter DE"]);
    expect(await shown("send_method=einvoice")).toEqual(["Filter DK"]);
    expect(await shown("send_method=einvoice&country_key=DE")).toEqual([]);
    expect(await shown("send_method=pigeon&country_key=Denmark")).toEqual([
      "Filter DE",
      "Filter DK",
    ]);
    const { html } = await admin.get("/customers?q=Filter&country_key=DE&send_method=email");
    expect(html).toContain('<option value="DE" selected>Germany</option>');
    expect(html).toContain(
      'href="/customers?q=Filter&amp;country_key=DE&amp;send_method=email&amp;active=false"',
    );
    expect(html).toContain(
      'href="/customers/export?q=Filter&amp;country_key=DE&amp;send_method=email&amp;active=true"',
    );
    const { browser } = await oauth.person();
    expect((await browser.get("/customers")).html).not.toContain('name="country_key"');
  });

  it("says that no customer is inactive", async () => {
    expect((await admin.get("/customers?active=false")).html).toContain(
      "There are no inactive customers.",
    );
  });
});

describe("the customer form", () => {
  it("creates a customer and opens their page", async () => {
    const made = await save("/customers/new", {
      name: "Made by hand",
      vat_number: "DK 13585628",
      email: "bill@hand.example",
      street: "Havnegade 1",
      zip_code: "8000",
      city: "Aarhus",
      ean_number: "5790000123452",
      send_method: "einvoice",
      payment_condition_type: "Netto",
      payment_condition_number_of_days: "14",
      preferred_invoice_language_key: "en-GB",
      preferred_invoice_currency_key: "eur",
      buyer_reference: "Buyer 7",
      hours_specification: "true",
      reminders: "false",
      einvoice_address: "0192:123456785",
      einvoice_format: "oioubl-2.1",
      einvoice_by_mail: "true",
      accounting_cost: "4711",
    });
    const { data } = await world.done("GET /customers?search=Made%20by%20hand");
    expect([made.status, made.location]).toEqual([303, `/customers/${data[0].id}`]);
    expect(data).toMatchObject([
      {
        name: "Made by hand",
        country_key: "DK",
        city: "Aarhus",
        send_method: "einvoice",
        ean_number: "5790000123452",
        payment_condition_type: "Netto",
        payment_condition_number_of_days: 14,
        preferred_invoice_language_key: "en-GB",
        preferred_invoice_currency_key: "EUR",
        buyer_reference: "Buyer 7",
        hours_specification: true,
        reminders: false,
        einvoice_address: "0192:123456785",
        einvoice_format: "oioubl-2.1",
        einvoice_by_mail: true,
        accounting_cost: "4711",
      },
    ]);
    const card = await admin.get(made.location ?? "");
    for (const fact of [
      "E-invoice: 0192:123456785",
      "Net 14 days",
      "8000 Aarhus",
      "Buyer 7",
      "4711",
    ]) {
      expect(card.html).toContain(fact);
    }
    expect(card.html).toMatch(/<dt>Reminders<\/dt>\s*<dd>Never<\/dd>/);
    const edited = await admin.get(`${made.location}/edit`, { "accept-language": "da" });
    expect(edited.html).toMatch(/name="reminders".*?<option value="false" selected[^>]*>Aldrig/s);
  });

  it("changes a customer and keeps unchanged and hidden fields", async () => {
    const before = await customer({
      name: "Before",
      external_id: "kept-1",
      se_number: "12345678",
      p_number: "1234567890",
      is_person: true,
      country_key: "SE",
      preferred_invoice_language_key: "sv-SE",
      payment_condition_number_of_days: 8,
    });
    const path = `/customers/${before.id}/edit`;
    const { html } = await admin.get(path);
    expect(html).toMatch(/<option value="SE" selected[^>]*>Sweden/);
    expect(html).toMatch(/<option value="sv-SE" selected/);
    const saved = await save(path, {
      name: "After",
      is_person: "true",
      country_key: "SE",
      preferred_invoice_language_key: "sv-SE",
      payment_condition_number_of_days: "8",
    });
    expect(saved.location).toBe(`/customers/${before.id}`);
    expect(await world.done(`GET /customers/${before.id}`)).toEqual({ ...before, name: "After" });
    const draft = `/invoices/${before.id}`;
    const from_draft = `${path}?${new URLSearchParams({ back: draft })}`;
    expect((await save(from_draft, { name: "Again" })).location).toBe(draft);
    expect((await save(`${path}?back=%2Fsettings`, { name: "Again" })).location).toBe(
      `/customers/${before.id}`,
    );
  });

  it.each([
    ["an invalid CVR number", { vat_number: "1234" }, "vat_number"],
    ["an EAN number with a wrong check digit", { ean_number: "5790000123454" }, "ean_number"],
    ["an e-invoice without a recipient number", { send_method: "einvoice" }, "ean_number"],
    [
      "an e-invoice address with a wrong check digit",
      { einvoice_address: "0192:123456784" },
      "einvoice_address",
    ],
    ["an e-invoice address without a scheme", { einvoice_address: "123" }, "einvoice_address"],
    ["an invalid e-mail address", { email: "no-address" }, "email"],
    [
      "an unknown currency",
      { preferred_invoice_currency_key: "KRO" },
      "preferred_invoice_currency_key",
    ],
    [
      "a number of days that is not a number",
      { payment_condition_number_of_days: "two" },
      "payment_condition_number_of_days",
    ],
    [
      "a number of days for cash payment",
      { payment_condition_type: "NettoCash", payment_condition_number_of_days: "8" },
      "payment_condition_number_of_days",
    ],
    ["an unknown country", { country_key: "ZZ" }, "country_key"],
    ["an empty name", { name: " " }, "name"],
  ])(
    "refuses %s with the reason at the field, and keeps the typed values",
    async (_, fields, name) => {
      const refused = await save("/customers/new", { name: "Typed", city: "Kept town", ...fields });
      expect(refused.status).toBe(422);
      expect(refused.html).toMatch(new RegExp(`name="${name}"[^>]*aria-invalid="true"`));
      expect(refused.html).toContain(`id="${name}-fault"`);
      expect(refused.html).toContain('value="Kept town"');
      expect((await world.done("GET /customers?search=Kept%20town")).data).toEqual([]);
    },
  );

  it.each([
    [{ ean_number: "5790000123454" }, "The check digit does not match. Is a digit mistyped?"],
    [{ ean_number: "579" }, "An EAN number has 13 digits."],
    [{ vat_number: "1234" }, "This does not have the form of a VAT number of the country."],
  ])("says of %j what is wrong", async (fields, sentence) => {
    const refused = await save("/customers/new", { name: "Typed", ...fields });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain(`-fault">${sentence}<`);
  });

  it("notes a wrong check digit of a stored VAT number, by the customer's country", async () => {
    const { id } = await customer({ name: "Doubted", vat_number: "13585629" });
    const { html } = await admin.get(`/customers/${id}/edit`, DANISH);
    expect(html).toContain('id="vat_number-fault">Kontrolcifferet passer ikke.');
    const german = await customer({ country_key: "DE", vat_number: "DE136695976" });
    const right = await admin.get(`/customers/${german.id}/edit`);
    expect(right.html).not.toContain("vat_number-fault");
  });

  it("folds the fields that are rarely needed, unless one has a value or a fault", async () => {
    const folded = '<details class="rare-fields"><summary>More fields';
    expect((await admin.get("/customers/new")).html).toContain(folded);
    const { id } = await customer({ name: "Unusual", buyer_reference: "Buyer 7" });
    const { html } = await admin.get(`/customers/${id}/edit`);
    expect(html).toContain('<details class="rare-fields" open>');
    const days = { payment_condition_number_of_days: "two" };
    const refused = await save("/customers/new", { name: "Typed", ...days });
    expect(refused.html).toContain('<details class="rare-fields" open>');
  });

  it("accepts e-invoices to a CVR number without an EAN number", async () => {
    const saved = await save("/customers/new", {
      name: "By CVR",
      send_method: "einvoice",
      vat_number: "13585628",
    });
    expect(saved.status).toBe(303);
  });
});

describe("the reason of the VAT code", () => {
  it.each([
    [
      "in the seller's country",
      { vat_number: "13585628" },
      "Denmark, the seller's country: Danish VAT, 25%",
      "DK25",
    ],
    [
      "in the EU with a VAT number",
      { country_key: "DE", vat_number: "136695976" },
      "Germany, a business with VAT number DE136695976: reverse charge.",
      "EU_SERVICES_RC",
    ],
    [
      "in the EU without a VAT number",
      { country_key: "DE" },
      "Germany, without a VAT number",
      "DK25",
    ],
    [
      "in the EU with an invalid VAT number",
      { country_key: "DE", vat_number: "DE136695977" },
      "a digit of the VAT number DE136695977 is wrong",
      "DK25",
    ],
    [
      "who is a private person in the EU",
      { country_key: "DE", is_person: true },
      "Germany, a private person: Danish VAT, 25%",
      "DK25",
    ],
    [
      "outside the EU",
      { country_key: "NO" },
      "Norway, outside the EU: services",
      "EXPORT_SERVICES",
    ],
  ])("is shown for a customer %s", async (_, fields, sentence, code) => {
    const { id } = await customer(fields);
    const { html } = await admin.get(`/customers/${id}`);
    expect(html).toContain(sentence);
    expect(html).toContain(`VAT code ${code}`);
  });

  it("is shown in Danish, with the code for goods if it is another one", async () => {
    const { id } = await customer({ country_key: "DE", vat_number: "DE136695976" });
    const { html } = await admin.get(`/customers/${id}`, DANISH);
    expect(html).toContain(
      "Tyskland, virksomhed med momsnummer DE136695976: omvendt betalingspligt",
    );
    expect(html).toContain("Momskode EU_GOODS_RC");
  });

  it("follows the VAT code of the sales account", async () => {
    const { id } = await customer({ name: "Pupil" });
    await world.sql(
      "update ledger_accounts set vat_code = 'DK0' where account_id = $1 and number = 1000",
      [world.account.account_id],
    );
    const { html } = await admin.get(`/customers/${id}`);
    await world.sql(
      "update ledger_accounts set vat_code = 'DK25' where account_id = $1 and number = 1000",
      [world.account.account_id],
    );
    expect(html).toContain("are exempt: no VAT");
    expect(html).toContain("Denmark, the seller's country");
  });
});

describe("the page of a customer", () => {
  it("shows the last documents with their amounts and credits", async () => {
    const { id } = await customer({ name: "Billed" });
    const product = await world.done("POST /products", { name: "Work", default_price: 100 });
    const lines = [
      { product_id: product.id, recognition_method: "on_issue", agreed_value: 1234.5 },
    ];
    const fields = { customer_id: id, lines };
    const issued = await world.done("POST /invoices", { ...fields, title: "First of them" });
    const { issue_date } = await world.done(`POST /invoices/${issued.id}/issue`);
    await world.done("POST /credit-notes", {
      external_id: "card-1",
      invoice: issued.id,
      kind: "full",
      credit_date: issue_date,
    });
    await world.done("POST /invoices", { ...fields, title: "Still a draft" });
    const { html } = await admin.get(`/customers/${id}?tab=documents`);
    for (const shown of ["First of them", "Still a draft", "1,234.50", "1,543.13"]) {
      expect(html).toContain(shown);
    }
    expect(html.match(/1,543\.13/g)?.length).toBe(3);
    expect(html).toContain(`/invoices?tab=issued&amp;customer=${id}`);
    const danish = await admin.get(`/customers/${id}?tab=documents`, DANISH);
    expect(danish.html).toContain("1.234,50");
    const { html: overview } = await admin.get(`/customers/${id}`);
    expect(overview).toContain("Its draft is kept, but cannot be issued.");
  });

  it("shows the balances earned but not invoiced, and invoiced but not earned", async () => {
    const { id } = await customer({ name: "Balances" });
    const product = await world.done("POST /products", { name: "Work", default_price: 100 });
    const user = { name: "Sofie", email: "balances@x.example" };
    const { id: user_id } = await world.done("POST /users", user);
    const line = { product_id: product.id, recognition_method: "hours", hourly_rate: 1000 };
    const draft = await world.done("POST /invoices", { customer_id: id, lines: [line] });
    await world.done("POST /work-registrations", {
      line_id: draft.lines[0].id,
      user_id,
      date: "2026-03-02",
      hours: 7.25,
      note: "Sketches <b>",
    });
    const milestone = {
      product_id: product.id,
      recognition_method: "milestone",
      agreed_value: 300,
    };
    const paid = await world.done("POST /invoices", { customer_id: id, lines: [milestone] });
    await world.done(`POST /invoices/${paid.id}/issue`);

    const listed = (await admin.get("/customers?q=Balances")).html.replace(/<[^>]*>/g, " ");
    const balances = /Earned, not invoiced\s+7,250\.00\s+Invoiced, not earned\s+300\.00/;
    expect(listed).toMatch(balances);
    expect(listed).toMatch(/Drafts\s+1\s/);
    expect(listed).toMatch(/Retainers\s+–\s+Last invoice\s+10 Mar 2026/);
    const { html } = await admin.get(`/customers/${id}`);
    const text = html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
    expect(text).toContain("Earned, not invoiced 7,250 DKK 1 draft, oldest work 2 March");
    expect(text).toContain("Invoiced, not earned 300 DKK Oldest invoice of it: 10 March");
    expect(text).toContain("No retainer is active or a draft.");
    const retainer = await world.done("POST /recurring-series", {
      ...{ customer_id: id, frequency: "quarterly", start_date: "2026-04-01" },
      lines: [{ product_id: product.id, recognition_method: "value", agreed_value: 900 }],
    });
    const card = (await admin.get(`/customers/${id}`)).html;
    expect(card).toContain(`href="/retainers/${retainer.id}"`);
    expect(card).toContain(`href="/retainers?customer=${id}"`);
    expect(card.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ")).toMatch(
      /Retainers .*Work Invoiced Quarterly Next – State Draft/,
    );
    const hours = (await admin.get(`/customers/${id}?tab=hours`)).html;
    for (const cell of ["2 Mar 2026", "Sofie", "Sketches &lt;b>", "Waits", "7.25"]) {
      expect(hours).toContain(cell);
    }
    const changes = (await admin.get(`/customers/${id}?tab=changes`)).html;
    expect(changes).toContain("created");
  });

  it("sends at most thirteen statements to the database, whatever its content", async () => {
    const { id } = await customer({ name: "Counted" });
    const product = await world.done("POST /products", { name: "Work", default_price: 100 });
    const lines = [{ product_id: product.id, recognition_method: "on_issue", agreed_value: 77 }];
    await world.done("PUT /exchange-rates/EUR/2025-01-01", { rate: 7.46 });
    const invoice = await world.done("POST /invoices", { customer_id: id, lines });
    const { issue_date } = await world.done(`POST /invoices/${invoice.id}/issue`);
    await world.done("POST /credit-notes", {
      external_id: "counted-1",
      invoice: invoice.id,
      kind: "full",
      credit_date: issue_date,
    });
    for (const currency of ["DKK", "EUR", "EUR"]) {
      await world.done("POST /invoices", { customer_id: id, lines, currency });
    }
    for (const tab of ["overview", "documents", "hours", "changes"]) {
      const path = `/customers/${id}?tab=${tab}`;
      const { html } = await admin.get(path);
      const count = await statementsOf(() => admin.get(path));
      if (tab === "documents") expect(html).toContain("EUR ");
      expect(count, tab).toBeGreaterThan(0);
      expect(count, tab).toBeLessThanOrEqual(13);
    }
  });

  it("explains a deactivation, removes the customer from the list and restores them", async () => {
    const { id } = await customer({ name: "Out and in" });
    const page = await admin.get(`/customers/${id}`);
    expect(page.html).toContain(
      "Out and in will not be offered for new documents. You can activate",
    );
    const out = await admin.submit(page, `/customers/${id}/deactivate`, {});
    expect(out.location).toBe(`/customers/${id}`);
    expect((await admin.get("/customers?q=Out")).html).not.toContain(id);
    expect((await admin.get("/customers?q=Out&active=false")).html).toContain(id);
    await admin.submit(await admin.get(`/customers/${id}`), `/customers/${id}/activate`, {});
    expect((await admin.get("/customers?q=Out")).html).toContain(id);
  });

  it("escapes every text", async () => {
    const bad = `"><img src=x onerror=x>{{7*7}}`;
    const texts = ["name", "street", "city", "zip_code", "phone", "webpage", "att_person"];
    const { id } = await customer(Object.fromEntries(texts.map((name) => [name, bad])));
    for (const path of [`/customers/${id}`, `/customers/${id}/edit`]) {
      expect((await admin.get(path)).html).not.toContain("<img");
    }
  });
});

describe("access to customers", () => {
  it("is refused to visitors and to a standard user without assignments for the customer", async () => {
    const { id } = await customer({ name: "Guarded" });
    const { browser: standard } = await oauth.person();
    const answers = { "": 200, "/new": 404, [`/${id}`]: 404, [`/${id}/edit`]: 404 };
    for (const [end, status] of Object.entries(answers)) {
      const path = `/customers${end}`;
      expect((await openBrowser(world).get(path)).html).toContain("<h1>Sign in</h1>");
      const refused = await standard.get(path);
      expect([path, refused.status]).toEqual([path, status]);
      expect(refused.html).not.toContain("Guarded");
    }
  });

  it("is refused to users of another account, and for an invalid id", async () => {
    const other = await world.openAnother();
    const others = await world.done("POST /customers", { name: "Remote" }, other.keys.read_write);
    for (const path of [others.id, `${others.id}/edit`, "nonsense", "ext:nonsense"]) {
      expect([path, (await admin.get(`/customers/${path}`)).status]).toEqual([path, 404]);
    }
    expect((await admin.get("/customers")).html).not.toContain("Remote");
    const mine = await customer({ name: "Mine" });
    const page = await admin.get(`/customers/${mine.id}`);
    const out = `/customers/${others.id}/deactivate`;
    expect((await admin.post(out, { csrf: "x" })).status).toBe(400);
    expect(page.html).not.toContain(others.id);
  });

  it("is refused to forms of another site or without the CSRF proof", async () => {
    const { id } = await customer({ name: "Forged" });
    const elsewhere = { "sec-fetch-site": "cross-site" };
    const fields = { ...fill, name: "Forged by a site" };
    for (const path of [`/customers/${id}/edit`, `/customers/${id}/deactivate`, "/customers/new"]) {
      expect((await admin.post(path, fields)).status).toBe(400);
      expect((await admin.post(path, fields, elsewhere)).status).toBe(400);
    }
    expect(await world.done(`GET /customers/${id}`)).toMatchObject({ name: "Forged" });
    expect((await world.done("GET /customers?search=Forged%20by")).data).toEqual([]);
  });
});
