/** The product pages in both languages: content, forms, refusals and permissions. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, hiddenFields, openBrowser } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useWorld } from "../../../test/support/world/world.ts";

let oauth: ReturnType<typeof openConsent>;
let admin: Browser;
const world = useWorld({ knows_origin: true });
beforeAll(async () => {
  oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
});

const DANISH = { "accept-language": "da" };
const product = (fields: object) =>
  world.done("POST /products", { name: "Design", default_price: 1150.5, ...fields });

const fill = { name: "", product_number: "", unit: "", default_price: "", account_number: "" };

async function save(path: string, fields: Readonly<Record<string, string>>, browser = admin) {
  const page = await browser.get(path);
  return browser.submit(page, path, { ...fill, comments: "", ...fields });
}

describe("the list of products", () => {
  it("shows number, unit, price and account in the user's language", async () => {
    await product({ name: "Listed", product_number: "L-1", unit: "hours", account_number: 1000 });
    const [danish, english] = await Promise.all(
      ["da", "en"].map((language) => admin.get("/products", { "accept-language": language })),
    );
    for (const cell of ["Listed", "L-1", "hours", "1000"]) expect(english?.html).toContain(cell);
    expect(english?.html).toContain("1,150.50");
    expect(danish?.html).toContain("1.150,50");
    expect(danish?.html).toContain("<h1>Ydelser</h1>");
  });

  it("shows the matches of a search, escaped", async () => {
    await product({ name: `<img src=x onerror="x">` });
    const { html } = await admin.get(`/products?q=${encodeURIComponent("<img")}`);
    expect(html).toContain("&lt;img src=x");
    expect(html).not.toContain("<img");
    expect(html).not.toContain("Listed");
    expect((await admin.get("/products?q=no-such-product")).html).toContain("No products match");
  });

  it("shows the number of drafts that use a product and keep their price", async () => {
    const { id } = await product({ name: "Used on drafts" });
    const { id: customer_id } = await world.done("POST /customers", { name: "Acme A/S" });
    const line = { product_id: id, recognition_method: "value" };
    for (const lines of [[line, line], [line]])
      await world.done("POST /invoices", { customer_id, lines });
    expect((await admin.get("/products?q=Used")).html).toMatch(/Drafts<\/span><div>2</);
    expect((await admin.get(`/products/${id}`)).html).toContain(
      "New lines take the new price. The 2 drafts that use it keep theirs.",
    );
    const fresh = (await admin.get("/products/new")).html;
    expect([fresh.includes("Without VAT."), fresh.includes("New lines take")]).toEqual([
      true,
      false,
    ]);
  });

  it("links to older products", async () => {
    for (let n = 0; n < 51; n += 1) await product({ name: `Many ${n}` });
    const first = await admin.get("/products?q=Many");
    const next = /href="(\/products\?[^"]+)" rel="next"/.exec(first.html)?.[1] ?? "";
    const second = await admin.get(next.replaceAll("&amp;", "&"));
    expect(first.html).toContain(">Many 50<");
    expect(first.html).not.toContain(">Many 0<");
    expect(second.html).toContain(">Many 0<");
    expect(second.html).not.toContain('rel="next"');
  });
});

describe("the product form", () => {
  it("creates a product with a price as typed", async () => {
    const made = await save("/products/new", {
      name: "Made by hand",
      unit: "hours",
      default_price: "1,250.75",
      product_number: "H-1",
    });
    expect([made.status, made.location]).toEqual([303, "/products"]);
    const { data } = await world.done("GET /products?search=Made%20by%20hand");
    expect(data).toMatchObject([
      { name: "Made by hand", unit: "hours", default_price: 1250.75, product_number: "H-1" },
    ]);
  });

  it("changes a product and keeps unchanged fields", async () => {
    const { id } = await product({ name: "Before", comments: "By hand", product_number: "C-1" });
    const page = await admin.get(`/products/${id}`);
    expect(page.html).toContain('value="1,150.50"');
    await save(`/products/${id}`, {
      name: "After",
      comments: "By hand",
      product_number: "C-1",
      unit: "parts",
      default_price: "1150.5",
      account_number: "1000",
    });
    expect(await world.done(`GET /products/${id}`)).toMatchObject({
      name: "After",
      comments: "By hand",
      product_number: "C-1",
      default_price: 1150.5,
    });
  });

  it("reads a price, a unit and an account as the reader types them", async () => {
    const path = "/products/new";
    const fields = { ...fill, comments: "", name: "Dansk", default_price: "1.450,00" };
    const page = await admin.get(path, DANISH);
    expect(page.html).toMatch(/id="unit" [^>]*value="timer" [^>]*list="unit-listed"/);
    expect(page.html).toMatch(
      /<datalist id="account_number-listed">.*?<option value="1000 [^"]+"/s,
    );
    expect(page.html).toMatch(/<details class="rare-fields"><summary>Flere felter/);
    const { csrf = "" } = hiddenFields(page.html, path);
    const [, name = ""] = /<option value="1000 ([^"]+)"/.exec(page.html) ?? [];
    await admin.post(path, { csrf, ...fields, unit: "timer", account_number: name }, DANISH);
    const { data } = await world.done("GET /products?search=Dansk");
    expect(data).toMatchObject([{ default_price: 1450, unit: "hours", account_number: 1000 }]);
    const { html } = await admin.get(`/products/${data[0].id}`, DANISH);
    expect(html).toContain('value="1.450,00"');
    expect(html).toContain(`value="1000 ${name}"`);
    expect(html).toContain('<details class="rare-fields" open>');
  });

  it("stores how a line of the product is earned, and refuses months without a period", async () => {
    const earned = { default_recognition_method: "value", default_months: "12" };
    await save("/products/new", { name: "Licence", ...earned });
    const { data } = await world.done("GET /products?search=Licence");
    expect(data).toMatchObject([{ default_recognition_method: "value", default_months: 12 }]);
    const path = `/products/${data[0].id}`;
    const { html } = await admin.get(path);
    expect(html).toMatch(/<option value="value" selected[^>]*>Over time/);
    expect(html).toMatch(/id="default_months"[^>]*value="12"/);
    const refused = await save(path, { name: "Licence", default_months: "12" });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('id="default_months-fault"');
    await save(path, { name: "Licence" });
    expect(await world.done(`GET ${path}`)).not.toHaveProperty("default_months");
  });

  it("opens the fields that are rarely needed where one is refused", async () => {
    const refused = await save("/products/new", { name: "Typed", account_number: "No such one" });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('<details class="rare-fields" open>');
    expect(refused.html).toContain(">No account has this number or name.<");
    expect(refused.html).toContain('value="No such one"');
  });

  it("refuses invalid input with the reason at the field, and keeps the typed values", async () => {
    const refused = await save("/products/new", { name: "Typed", default_price: "12 kr." });
    expect(refused.status).toBe(422);
    expect(refused.html).toMatch(
      /name="default_price"[^>]*value="12 kr\."[^>]*aria-invalid="true"/,
    );
    expect(refused.html).toContain('value="Typed"');
    expect(refused.html).toContain('id="default_price-fault"');
    expect((await world.done("GET /products?search=Typed")).data).toEqual([]);
  });

  it("states at the product number that it is taken", async () => {
    await product({ name: "First", product_number: "T-1" });
    const refused = await save("/products/new", { name: "Second", product_number: "T-1" });
    expect(refused.status).toBe(409);
    expect(refused.html).toMatch(/name="product_number"[^>]*aria-invalid="true"/);
  });

  it("removes a deactivated product from the list and restores it", async () => {
    const { id } = await product({ name: "Out and in" });
    const out = `/products/${id}/deactivate`;
    await admin.submit(await admin.get(`/products/${id}`), out, {});
    expect((await admin.get("/products?q=Out")).html).not.toContain(id);
    expect((await admin.get("/products?q=Out&active=all")).html).toContain(id);
    const back = `/products/${id}/activate`;
    await admin.submit(await admin.get(`/products/${id}`), back, {});
    expect((await admin.get("/products?q=Out")).html).toContain(id);
  });
});

describe("access to products", () => {
  it("is refused to visitors, and standard users read the list alone", async () => {
    const { id } = await product({ name: "Guarded", default_price: 1234.5 });
    const { browser: standard } = await oauth.person();
    expect((await openBrowser(world).get("/products")).html).toContain("<h1>Sign in</h1>");
    for (const path of ["/products/new", `/products/${id}`, "/products/export"]) {
      expect((await openBrowser(world).get(path)).html).toContain("<h1>Sign in</h1>");
      const refused = await standard.get(path);
      expect([path, refused.status]).toEqual([path, 404]);
      expect(refused.html).not.toContain("Guarded");
    }
    const { status, html } = await standard.get("/products?q=Guarded");
    expect(status).toBe(200);
    expect(html).toContain("Guarded");
    expect(html).toContain("1,234.50");
    for (const absent of [id, "/products/new", "product-list", "Revenue account"]) {
      expect(html).not.toContain(absent);
    }
  });

  it("is refused to users of another account", async () => {
    const other = await world.openAnother();
    const others = await world.done("POST /products", { name: "Remote" }, other.keys.read_write);
    expect((await admin.get(`/products/${others.id}`)).status).toBe(404);
    expect((await admin.get("/products")).html).not.toContain("Remote");
  });

  it("is refused to forms of another site or without the CSRF proof", async () => {
    const { id } = await product({ name: "Forged" });
    const fields = { ...fill, name: "Forged by a site" };
    const elsewhere = { "sec-fetch-site": "cross-site" };
    expect((await admin.post(`/products/${id}`, fields)).status).toBe(400);
    expect((await admin.post(`/products/${id}`, fields, elsewhere)).status).toBe(400);
    expect(await world.done(`GET /products/${id}`)).toMatchObject({ name: "Forged" });
  });
});
