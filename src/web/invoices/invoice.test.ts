/** The pages of an invoice and of a credit note: the document, its facts, its PDF, and the permissions. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, openBrowser, proofOf } from "../../../test/support/browser/browser.ts";
import { statementsOf } from "../../../test/support/browser/statements.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useSales } from "../../../test/support/world/sales.ts";

let oauth: ReturnType<typeof openConsent>;
let admin: Browser;
const { world, line, draft, issued, fullCredit, credited } = useSales({ knows_origin: true });
beforeAll(async () => {
  oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
});

describe("the page of a draft", () => {
  it("shows its lines, totals and warnings, and the link to issue it", async () => {
    const { id } = await draft([], {
      title: "Autumn",
      lines: [line(1250.5, { description_override: `<b>Advice</b>` })],
    });
    const { html } = await admin.get(`/invoices/${id}`);
    for (const part of ["<h1>Autumn</h1>", "1.563,13", "UDKAST", "Send it when it is issued"])
      expect(html).toContain(part);
    expect(html).toContain("&lt;b>Advice");
    expect(html).not.toContain("<b>Advice");
    expect(html).toContain("Line 1 has no assignee");
    expect(html).toContain(`href="/invoices/${id}/issue"`);
    const danish = await admin.get(`/invoices/${id}`, { "accept-language": "da" });
    expect(danish.html).toContain("Linje 1 har ingen medarbejder");
  });

  it("leads from each warning to its cure, and has the fields to which they lead", async () => {
    const { id, lines } = await draft([], {
      lines: [line(100, { recognition_method: "hours", hourly_rate: 900 }), line(1250.5)],
    });
    const { html } = await admin.get(`/invoices/${id}`, { "accept-language": "da" });
    for (const place of [...lines.map((one: { readonly id: string }) => `product-${one.id}`)]) {
      expect(html).toContain(`href="/invoices/${id}#${place}"`);
      expect(html).toContain(`id="${place}"`);
    }
    for (const place of ["lines", "issue_date"]) expect(html).toContain(`id="${place}"`);
    expect(html).toContain("Linje 2 har ingen medarbejder: omsætningen tildeles ikke nogen.");
    expect(html).toContain(">Gå til linjen</a>");
  });

  it("has its cures on other pages, too", async () => {
    const { customer_id, id } = await issued([10]);
    const places: readonly (readonly [string, readonly string[]])[] = [
      [`/customers/${customer_id}/edit`, ["vat_number", "is_person", "email", "send_method"]],
      ["/settings/vat", ["rates"]],
      [`/invoices/${id}/credit`, ["credit_date"]],
      ["/settings/company", []],
      ["/ledger/connection", []],
      ["/ledger/queue", []],
    ];
    for (const [path, fields] of places) {
      const { status, html } = await admin.get(path);
      expect([path, status]).toEqual([path, 200]);
      for (const field of fields) expect(html).toContain(`id="${field}"`);
    }
  });

  it("marks the paper across, and has one row for each line", async () => {
    const { id } = await draft([1250.5, 10], { title: "Autumn" });
    const { html } = await admin.get(`/invoices/${id}`);
    const [paper = ""] = /<article class="paper".*?<\/article>/s.exec(html) ?? [];
    expect(paper).toMatch(/<svg class="across".*?UDKAST<\/text>/s);
    expect(paper.match(/<tr>/g)).toHaveLength(3);
    expect(paper).toMatch(/<td>1 stk\.?<\/td>/);
  });

  it("has its customer's name as title if it has none, and is shown without lines", async () => {
    const { id } = await draft([]);
    const { status, html } = await admin.get(`/invoices/${id}`);
    expect([status, html.includes("<h1>Draft for Acme A/S</h1>")]).toEqual([200, true]);
  });
});

describe("the page of an issued invoice", () => {
  it("shows the document, its deliveries and its credit notes", async () => {
    const invoice = await issued([2000], { auto_send: true });
    const note = await credited(fullCredit(invoice));
    const { html } = await admin.get(`/invoices/${invoice.id}`);
    const number = invoice.ledger_invoice_number;
    for (const part of [`Invoice ${number}`, "2.500,00", "Written to a file", "ap@acme.example"])
      expect(html).toContain(part);
    expect(html).toContain(`href="/credit-notes/${note.id}"`);
    expect(html).not.toContain("/issue");
    expect(html).not.toMatch(/\bpaid|overdue/i);
  });

  it("shows the months in which it is earned, and to a standard user their own part", async () => {
    const { browser, user_id } = await oauth.person();
    const { browser: other, user_id: other_id } = await oauth.person();
    const assignees = [
      { user_id, distribution_percentage: 60 },
      { user_id: other_id, distribution_percentage: 40 },
    ];
    const quarter = { service_from: "2026-01-01", service_to: "2026-03-31" };
    const { id } = await issued([], {
      lines: [
        line(3000, { assignees, ...quarter }),
        line(700, { assignees: [{ user_id: other_id }] }),
      ],
    });
    const { html } = await admin.get(`/invoices/${id}`);
    const months = async (of: Browser) => of.act("/app/invoices/months", { id }, await proofOf(of));
    const [line_id] = (await world.done(`GET /invoices/${id}`)).lines.map(
      (one: { readonly id: string }) => one.id,
    );
    const each = (earned: string) => ({ earned, lines: [{ line_id, earned }] });
    const quarterOf = (earned: string) =>
      ["2026-01", "2026-02", "2026-03"].map((month) => ({ month, ...each(earned) }));
    expect((await months(admin)).body.slice(0, 2)).toEqual(quarterOf("100000").slice(0, 2));
    expect((await months(browser)).body).toEqual(quarterOf("60000"));
    expect((await months(other)).body[2]).toMatchObject({ month: "2026-03", earned: "110000" });
    const { browser: outsider } = await oauth.person();
    expect((await months(outsider)).status).toBe(404);
    const part = await browser.get(`/invoices/${id}?explain=${line_id}.2026-02`);
    expect(part.html).toContain("Earned in February 2026");
    const explained = await admin.get(`/invoices/${id}?explain=${line_id}.2026-02`);
    expect(explained.html).toMatch(/Earned in February 2026<\/span><b class="num">1,000.00/);
    expect(explained.html).toContain(`"back":"/invoices/${id}"`);
    expect(html).toMatch(/<h1>Invoice \d+ for Acme A\/S<\/h1>/);
    expect(await statementsOf(() => admin.get(`/invoices/${id}`))).toBeLessThanOrEqual(13);
    const own = await browser.get(`/invoices/${id}`);
    expect(own.status).toBe(200);
    expect(own.html).toContain('data-island="invoice-months"');
    expect(own.html).toContain('"is_own":true');
    expect(own.html).not.toContain("/revenue?by=line");
  });

  it("shows its entry in the head, the hours that it froze, and its changes", async () => {
    const one = await oauth.person();
    const other = await oauth.person();
    const assignees = [one, other].map(({ user_id }) => ({ user_id }));
    const work = { recognition_method: "hours", hourly_rate: 900, description_override: "Design" };
    const { id, lines } = await draft([], { lines: [line(0, { ...work, assignees }), line(100)] });
    const line_id = lines[0].id;
    for (const [user_id, date, hours, note] of [
      [one.user_id, "2026-03-04", 7.5, "Concept"],
      [other.user_id, "2026-03-05", 2, null],
    ] as const) {
      await world.done("POST /work-registrations", { line_id, user_id, date, hours, note });
    }
    await admin.submit(await admin.get(`/invoices/${id}/issue`), `/invoices/${id}/issue`, {});
    const { html } = await admin.get(`/invoices/${id}`);
    const [head = ""] = /<div class="head">.*?<\/h1>.*?<\/p>/s.exec(html) ?? [];
    expect(head).toMatch(new RegExp(`<a class="link" href="/ledger/entries/${id}">Entry \\d+</a>`));
    const [hours = ""] =
      /<section class="card" aria-labelledby="hours">.*?<\/section>/s.exec(html) ?? [];
    for (const part of ["9.50", "7.50", "Design · Concept", `/hours/2026-W10?user=${one.user_id}`])
      expect(hours).toContain(part);
    const [changes = ""] =
      /<section class="card" aria-labelledby="changes">.*?<\/section>/s.exec(html) ?? [];
    expect(changes).toMatch(/issued invoice[\s\S]*created invoice/);
    expect(await statementsOf(() => admin.get(`/invoices/${id}`))).toBeLessThanOrEqual(13);
    const danish = await admin.get(`/invoices/${id}`, { "accept-language": "da" });
    for (const part of ["Postering ", "Timer, der er låst i den", "udstedte faktura"])
      expect(danish.html).toContain(part);
    const own = await other.browser.get(`/invoices/${id}`);
    expect(own.html).toContain('href="/hours/2026-W10"');
    const revenue = await other.browser.get(`/revenue?by=line&invoice=${id}`);
    expect([revenue.status, revenue.html.includes("Design")]).toEqual([200, true]);
    expect(own.html).not.toMatch(/7\.50|Concept|ledger\/entries|issued invoice/);
    expect(await statementsOf(() => other.browser.get(`/invoices/${id}`))).toBeLessThanOrEqual(13);
  });

  it("is copied as a draft with its lines at their prices, without days", async () => {
    const invoice = await issued([], {
      title: "Spring",
      lines: [
        line(3000, {
          discount: 10,
          description_override: "Campaign",
          service_from: "2026-01-01",
          service_to: "2026-03-31",
        }),
      ],
    });
    const page = await admin.get(`/invoices/${invoice.id}`);
    const { status, location } = await admin.submit(page, `/invoices/${invoice.id}/duplicate`, {});
    expect(status).toBe(303);
    const copy = await world.done(`GET ${location}`);
    expect(copy).toMatchObject({ status: "draft", title: "Spring", currency: invoice.currency });
    expect(copy.id).not.toBe(invoice.id);
    expect(copy.lines).toMatchObject([
      { agreed_value: 3000, discount: 10, description_override: "Campaign" },
    ]);
    expect(copy.lines[0]).not.toHaveProperty("service_from");
    expect(copy.lines[0].id).not.toBe(invoice.lines[0].id);
  });

  it("links to the same PDF that the API returns", async () => {
    const { id } = await issued([10]);
    const cookie = { cookie: `matchbook=${admin.cookie()}` };
    const shown = await fetch(`${world.origin}/invoices/${id}/pdf`, { headers: cookie });
    const { body } = await world.rest(`GET /invoices/${id}/pdf`);
    expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    expect(Buffer.from(await shown.arrayBuffer()).equals(body)).toBe(true);
  });
});

describe("the page of a credit note", () => {
  it("shows the document and the invoice that it credits", async () => {
    const invoice = await issued([300]);
    const note = await credited(fullCredit(invoice));
    const { html } = await admin.get(`/credit-notes/${note.id}`, { "accept-language": "da" });
    for (const part of [
      `Kreditnota ${note.ledger_credit_note_number}`,
      "375,00",
      "Hele fakturaen",
      `href="/invoices/${invoice.id}"`,
    ])
      expect(html).toContain(part);
    const pdf = await admin.get(`/credit-notes/${note.id}/pdf`);
    expect([pdf.status, pdf.headers.get("content-type")]).toEqual([200, "application/pdf"]);
  });
});

describe("access to an invoice", () => {
  it("is refused to visitors and to a standard user without an assignment", async () => {
    const invoice = await issued([10], { title: "Guarded" });
    const note = await credited(fullCredit(invoice));
    const { browser: standard } = await oauth.person();
    const paths = [`/invoices/${invoice.id}`, `/credit-notes/${note.id}`];
    for (const path of [...paths, ...paths.map((one) => `${one}/pdf`)]) {
      expect((await openBrowser(world).get(path)).html).toContain("<h1>Sign in</h1>");
      const refused = await standard.get(path);
      expect([path, refused.status]).toEqual([path, 404]);
      expect(refused.html).not.toContain("Guarded");
    }
  });

  it("is refused to users of another account, and for an invalid id", async () => {
    const other = await world.openAnother();
    const key = other.keys.read_write;
    const { id: customer_id } = await world.done("POST /customers", { name: "Remote" }, key);
    const others = await world.done("POST /invoices", { customer_id }, key);
    for (const id of [others.id, "new-one", "ext:x"]) {
      for (const path of [`/invoices/${id}`, `/invoices/${id}/pdf`, `/credit-notes/${id}`]) {
        expect([path, (await admin.get(path)).status]).toEqual([path, 404]);
      }
    }
  });
});

describe("the delivery of an invoice", () => {
  it("is a warning when it was only written to a file", async () => {
    const { id } = await issued([10], { auto_send: true });
    const danish = await admin.get(`/invoices/${id}`, { "accept-language": "da" });
    expect(danish.html).toContain("Skrevet til en fil: der er ikke sat en mailserver op.");
    expect(danish.html).toMatch(/class="pill warn"[^>]*>Skrevet til en fil/);
  });

  it("that failed as an e-invoice leads to the PDF in one click, and says why in Danish", async () => {
    const municipality = await world.done("POST /customers", {
      name: "Kommunen",
      email: "ean@kommune.example",
      send_method: "einvoice",
      ean_number: "5790000123452",
    });
    const { id } = await issued([10], { auto_send: true, customer_id: municipality.id });
    const path = `/invoices/${id}`;
    const danish = await admin.get(path, { "accept-language": "da" });
    expect(danish.html).toContain("Afsendelse af e-fakturaer er ikke sat op.");
    expect(danish.html).toContain("Send som PDF til ean@kommune.example");
    const sent = await admin.submit(danish, `${path}/send`, {}, 0);
    expect([sent.status, sent.location]).toEqual([303, path]);
    const { data } = await world.done(`GET /invoices/${id}/deliveries`);
    expect(data[0]).toMatchObject({ channel: "email", address: "ean@kommune.example" });
    expect((await admin.get(path)).html).not.toContain("Send as PDF");
  });
});

describe("sending an invoice again", () => {
  it("sends it to the customer's address or to another one", async () => {
    const invoice = await draft([100]);
    await world.done(`POST /invoices/${invoice.id}/issue`);
    const path = `/invoices/${invoice.id}`;
    const page = await admin.get(`${path}/send`);
    for (const address of ["", "other@x.example"]) {
      const sent = await admin.submit(page, `${path}/send`, { address });
      expect([sent.status, sent.location]).toEqual([303, path]);
    }
    const rows = await world.sql(
      "select address from deliveries where document_id = $1 order by address",
      [invoice.id],
    );
    expect(rows.map(({ address }: { address: string }) => address)).toEqual([
      "ap@acme.example",
      "other@x.example",
    ]);
  });

  it("refuses an invalid address and sends nothing", async () => {
    const invoice = await draft([100]);
    await world.done(`POST /invoices/${invoice.id}/issue`);
    const path = `/invoices/${invoice.id}`;
    const page = await admin.get(`${path}/send`);
    const { status } = await admin.submit(page, `${path}/send`, { address: "x" });
    expect(status).toBe(422);
    expect(await world.sql("select from deliveries where document_id = $1", [invoice.id])).toEqual(
      [],
    );
  });
});

describe("an open milestone of an issued invoice", () => {
  const milestone = (browser: Browser, id: string, line_id: string, completed_on: string) => {
    const path = `/invoices/${id}/complete/${line_id}`;
    return browser.get(path).then((page) => browser.submit(page, path, { completed_on }));
  };
  const withMilestone = () =>
    issued([], { lines: [line(18_500, { recognition_method: "milestone" }), line(100)] });

  it("is listed with what it earns, and completed on a day", async () => {
    const { id, lines } = await withMilestone();
    const { html } = await admin.get(`/invoices/${id}`);
    expect(html).toContain("18,500.00 is not earned yet");
    const path = `/invoices/${id}/complete/${lines[0].id}`;
    expect(html).toContain(`href="${path}"`);
    const done = await milestone(admin, id, lines[0].id, "2026-03-05");
    expect([done.status, done.location]).toEqual([303, `/invoices/${id}`]);
    const { lines: schedule } = await world.done(`GET /invoices/${id}/recognition`);
    expect(schedule[0]).toMatchObject({ completed_on: "2026-03-05", earned_to_date: 18_500 });
    expect((await admin.get(`/invoices/${id}`)).html).not.toContain("is not earned yet");
    expect((await admin.get(path)).location).toBe(`/invoices/${id}`);
  });

  it.each([
    ["a future day", "2026-04-01", 409],
    ["no day", "x", 422],
  ])("is refused with %s, and keeps what was typed", async (_case, day, status) => {
    const { id, lines } = await withMilestone();
    const page = await milestone(admin, id, lines[0].id, day);
    expect(page.status).toBe(status);
    expect(page.html).toContain(`value="${day.split("-").reverse().join("/")}"`);
    expect(page.html).toContain('class="fault"');
  });

  it("exists for the people of the invoice alone", async () => {
    const { id, lines } = await withMilestone();
    const { browser } = await oauth.person();
    const path = `/invoices/${id}/complete/${lines[0].id}`;
    expect((await browser.get(path)).status).toBe(404);
    expect((await admin.get(`/invoices/${id}/complete/${lines[1].id}`)).location).toBe(
      `/invoices/${id}`,
    );
    expect((await admin.get(`/invoices/${id}/complete/nothing`)).status).toBe(404);
    expect((await admin.get(`/invoices/${id}/complete/${id}`)).status).toBe(404);
  });
});
