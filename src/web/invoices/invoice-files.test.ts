/**
 * Files of lists: the filtered list as the screen shows it, and the PDFs of selected documents that the user may see.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, openBrowser } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useSales } from "../../../test/support/world/sales.ts";
import type { Json } from "../../../test/support/world/world.ts";
import { pageFiles } from "../page-files.ts";

const { world, draft, issued, fullCredit, credited, line, customer } = useSales({
  knows_origin: true,
});
let admin: Browser;
let standard: Browser;
let sofie: string;
beforeAll(async () => {
  const oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  ({ browser: standard, user_id: sofie } = await oauth.person());
});

/** A file as the user's browser downloads it. */
async function loaded(path: string, browser = admin, language = "en") {
  const headers = { cookie: `matchbook=${browser.cookie()}`, "accept-language": language };
  const response = await fetch(world.origin + path, { headers, redirect: "manual" });
  return { response, content: Buffer.from(await response.arrayBuffer()) };
}
/** The name that a browser gives the file. */
const named = ({ response }: { readonly response: Response }) =>
  decodeURIComponent(
    /filename\*=UTF-8''(.+)$/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? "",
  );
const picked = (documents: readonly Json[], tab = "issued") =>
  `/invoices/pdfs?tab=${tab}&${documents.map(({ id }) => `${id}=on`).join("&")}`;
/** The names in a zip archive, from the directory at its end. */
const namesIn = (zip: Buffer) =>
  zip
    .toString("latin1")
    .split("PK\u0001\u0002")
    .slice(1)
    .map((entry) => entry.slice(42, 42 + entry.charCodeAt(24)));

describe("the CSV of a list", () => {
  it("has the heads, rows and amounts of the screen, in the reader's language", async () => {
    const invoice = await issued([1000.5], { title: "Exported; æ", issue_date: "2026-03-09" });
    await draft([1], { title: "Exported, too" });
    const number = invoice.ledger_invoice_number;
    const english = await loaded("/invoices/export?tab=issued&q=Exported");
    expect(english.response.headers.get("content-type")).toContain("text/csv");
    expect(named(english)).toBe("invoices.csv");
    expect(english.content.toString()).toBe(
      `\uFEFFNumber,Customer,Title,Date,Net,With VAT,Payment,Open,Delivery,Credited,Earned so far,Currency\r
${number},Acme A/S,Exported; æ,2026-03-09,1000.50,1250.63,Not paid yet,1250.63,Not sent,0.00,1000.50,DKK\r\n`,
    );
    const danish = await loaded("/invoices/export?tab=issued&q=Exported", admin, "da");
    expect(named(danish)).toBe("fakturaer.csv");
    expect(danish.content.toString()).toBe(
      `\uFEFFNummer;Kunde;Titel;Dato;Netto;Med moms;Betaling;Åben;Afsendelse;Krediteret;Optjent hidtil;Valuta\r
${number};Acme A/S;"Exported; æ";09-03-2026;1000,50;1250,63;Ikke betalt endnu;1250,63;Ikke sendt;0,00;1000,50;DKK\r\n`,
    );
  });

  it.each([
    [
      "/invoices/export?q=Drafted",
      "kladder.csv",
      "Titel;Kunde;Dato;Timer;Venter siden;Netto;Med moms;Optjent hidtil;Valuta",
    ],
    [
      "/invoices/export?tab=credit-notes",
      "kreditnotaer.csv",
      "Nummer;Kunde;Dato;Netto;Med moms;Afsendelse;Valuta",
    ],
    [
      "/customers/export?q=Acme&active=true",
      "kunder.csv",
      "Navn;Faktureres via;Land;Kladder;Optjent, ikke faktureret;Faktureret, ikke optjent;Faste aftaler;Seneste faktura",
    ],
    [
      "/products/export?active=all",
      "ydelser.csv",
      "Navn;Nummer;Enhed;Pris;Omsætningskonto;Kladder",
    ],
  ])("of %s is %s with the heads of its list", async (path, filename, heads) => {
    await draft([2], { title: "Drafted" });
    const file = await loaded(path, admin, "da");
    expect([path, file.response.status]).toEqual([path, 200]);
    expect(named(file)).toBe(filename);
    expect(file.content.toString().split("\r\n")[0]).toBe(`\uFEFF${heads}`);
    const { html } = await admin.get(path.replace("/export", ""), { "accept-language": "da" });
    const on_screen = [...html.matchAll(/<th scope="col"[^>]*>(?:<a [^>]+>)?([^<]+)</g)].map(
      ([, head]) => head,
    );
    // Only files have the currency in a column.
    for (const head of heads.split(";").filter((one) => one !== "Valuta")) {
      if (on_screen.length > 0) expect(on_screen).toContain(head);
    }
  });

  it("has all rows of a list of several pages", async () => {
    for (let n = 0; n < 53; n += 1) await world.done("POST /customers", { name: `Paged ${n}.` });
    const { content } = await loaded("/customers/export?q=Paged");
    const names = content.toString().trimEnd().split("\r\n").slice(1);
    expect(names).toHaveLength(53);
    expect(new Set(names).size).toBe(53);
  });

  it.each([
    ["255 characters", "a".repeat(255)],
    ["256 characters", "a".repeat(256)],
    ["5,000 characters", "a".repeat(5_000)],
    ["256 emoji", "🧾".repeat(256)],
  ])("has the same matches as its list for a search text of %s", async (_, q) => {
    const found = [...q].slice(0, 200).join("");
    await world.done("POST /customers", { name: found });
    await world.done("POST /products", { name: found });
    await draft([1], { title: found });
    for (const list of ["invoices", "customers", "products"]) {
      const query = new URLSearchParams({ q });
      const { response, content } = await loaded(`/${list}/export?${query}`);
      expect([list, response.status]).toEqual([list, 200]);
      expect(content.toString()).toContain(found);
      const { status, html } = await admin.get(`/${list}?${query}`);
      expect([list, status]).toEqual([list, 200]);
      expect(html.split(found).length).toBeGreaterThan(2);
    }
  });

  it("is linked from the list with its filters, for admins", async () => {
    const { html } = await admin.get("/invoices?tab=issued&q=a%20b");
    expect(html).toContain('href="/invoices/export?tab=issued&amp;q=a+b"');
    expect((await admin.get("/customers?q=x")).html).toContain("/customers/export?q=x");
    expect((await standard.get("/invoices")).html).not.toContain("/invoices/export");
    for (const list of ["invoices", "customers", "products"]) {
      expect([list, (await standard.get(`/${list}/export`)).status]).toEqual([list, 404]);
    }
    expect((await openBrowser(world).get("/invoices/export")).html).toContain("<h1>Sign in</h1>");
  });
});

describe("the PDFs of selected documents", () => {
  it("are downloaded as one zip archive with their own names", async () => {
    const both = [await issued([100]), await issued([200])];
    const { html } = await admin.get("/invoices?tab=issued");
    expect(html).toContain('action="/invoices/pdfs"');
    expect(html).toContain(`name="${both[0]?.id}"`);
    const { response, content } = await loaded(picked(both));
    expect(response.headers.get("content-type")).toBe("application/zip");
    expect(response.headers.get("content-disposition")).toContain('filename="invoices.zip"');
    const numbers = both.map((one) => one.ledger_invoice_number);
    expect(namesIn(content)).toEqual(numbers.map((number) => `faktura-${number}.pdf`));
    expect(content.toString("latin1").match(/%PDF-/g)).toHaveLength(2);
  });

  it("are those of credit notes in the list of credit notes", async () => {
    const note = await credited(fullCredit(await issued([100])));
    expect(namesIn((await loaded(picked([note], "credit-notes"))).content)).toEqual([
      `kreditnota-${note.ledger_credit_note_number}.pdf`,
    ]);
  });

  it("are refused if the user may not see one of the documents", async () => {
    const assigned = { ...line(100), assignees: [{ user_id: sofie }] };
    const { id } = await world.done("POST /invoices", {
      customer_id: customer.id,
      lines: [assigned],
    });
    const other = await world.done(`POST /invoices/${id}/issue`);
    const others = await issued([100]);
    expect((await loaded(picked([{ id }]), standard)).response.status).toBe(200);
    expect(other).toBeDefined();
    expect((await loaded(picked([{ id }, others]), standard)).response.status).toBe(404);
    expect((await loaded(picked([{ id: sofie }]))).response.status).toBe(404);
  });

  it("are limited in number, and an empty selection redirects to the list", async () => {
    const many = Array.from({ length: 101 }, (_, n) => ({
      id: `019a5d2d-1b2c-7d3e-8f40-${String(n).padStart(12, "0")}`,
    }));
    expect((await loaded(picked(many))).response.status).toBe(422);
    const { response } = await loaded("/invoices/pdfs?tab=issued");
    expect([response.status, response.headers.get("location")]).toEqual([
      303,
      "/invoices?tab=issued",
    ]);
  });

  it("are registered by name for the rendering threads, as the lists are", () => {
    expect([...pageFiles.keys()].toSorted()).toEqual([
      "pages.credit_notes",
      "pages.customers",
      "pages.deferred_file",
      "pages.invoices",
      "pages.payments",
      "pages.picked_pdfs",
      "pages.products",
      "pages.receivables",
      "pages.remaining_file",
      "pages.revenue_file",
      "pages.statement_pdf",
      "pages.trial_balance",
    ]);
  });
});
