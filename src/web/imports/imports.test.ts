/** Imports create exactly the rows of the preview, once and without the refused ones; permissions of imports. */
import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, openBrowser, proofOf } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useWork } from "../../../test/support/world/work.ts";
import type { Json } from "../../../test/support/world/world.ts";
import type { ImportKind } from "./import-columns.ts";
import { tableFrom } from "./import-file.ts";
import { fileOf } from "./import-rows.ts";

const { world, at, customer, hours, invoice, active, list } = useWork({ knows_origin: true });
let admin: Browser;
let standard: Browser;
let sofie: string;

beforeAll(async () => {
  const oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  ({ browser: standard, user_id: sofie } = await oauth.person());
});

async function ask(kind: ImportKind, does: "look" | "make", sent: object, browser = admin) {
  return browser.act(`/app/${kind}/import/${does}`, sent, await proofOf(browser));
}

/** The outcomes of the rows in the preview as text, with the confirmation token. */
async function looked(kind: ImportKind, rows: readonly Json[], browser = admin) {
  const { body } = await ask(kind, "look", { rows }, browser);
  if (body.outcomes === undefined) throw new Error(JSON.stringify(body));
  const reported = body.outcomes.map(({ state, reason }: Json) =>
    state === "refused" ? `${reason.field} ${reason.code}`.trim() : state,
  );
  return { reported, agreed: body.agreed as string };
}

async function brought(kind: ImportKind, rows: readonly Json[], browser = admin) {
  const { reported, agreed } = await looked(kind, rows, browser);
  return { reported, ...(await ask(kind, "make", { rows, agreed }, browser)) };
}

describe("customers", () => {
  const rows = [
    { name: "Brought A/S", vat_number: "12345674", email: "ap@brought.example" },
    { name: "Brought A/S", vat_number: "DK 12 34 56 74" },
    { name: "Numbered", external_id: "crm-1" },
    { name: "Numbered", external_id: "crm-2" },
    { name: "", email: "x" },
  ];

  it("are created as previewed; the preview creates nothing", async () => {
    const { reported, agreed } = await looked("customers", rows);
    expect(reported).toEqual(["new", "exists", "new", "new", "name too_short"]);
    expect((await world.done("GET /customers?search=Brought")).data).toEqual([]);
    const made = await ask("customers", "make", { rows, agreed });
    expect([made.status, made.body]).toEqual([200, { made: 3 }]);
    const [stored] = (await world.done("GET /customers?search=Brought")).data;
    expect(stored).toMatchObject({ email: "ap@brought.example", country_key: "DK" });
    const { data } = await world.done(`GET /audit-events?resource_id=${stored.id}`);
    const { user_id } = world.account.admin;
    expect(data).toMatchObject([{ action: "created", actor: { id: user_id } }]);
  });

  it("are neither created twice nor changed", async () => {
    const again = await looked("customers", rows);
    expect(again.reported.slice(0, 4)).toEqual(["exists", "exists", "exists", "exists"]);
    const changed = [{ name: "Other name", external_id: "crm-1", email: "new@x.example" }];
    expect((await brought("customers", changed)).body).toEqual({ made: 0 });
    expect(await world.done("GET /customers/ext:crm-1")).toMatchObject({ name: "Numbered" });
  });

  it("are not created if the result would differ from the preview", async () => {
    const mine = [{ name: "Mine" }, { name: "Remote" }];
    const { agreed } = await looked("customers", mine);
    await world.done("POST /customers", { name: "Remote" });
    const refused = await ask("customers", "make", { rows: mine, agreed });
    expect([refused.status, refused.body.error.code]).toEqual([409, "CHANGED_MEANWHILE"]);
    expect((await world.done("GET /customers?search=Mine")).data).toEqual([]);
  });

  it("are created once by two equal requests at the same time", async () => {
    const twins = [{ name: "Twin" }, { name: "Twin with a number", external_id: "twin" }];
    const { agreed } = await looked("customers", twins);
    const both = await Promise.all(
      [1, 2].map(() => ask("customers", "make", { rows: twins, agreed })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await world.done("GET /customers?search=Twin")).data).toHaveLength(2);
  });
});

describe("products", () => {
  it("exist already under a product number, or are refused at the invalid column", async () => {
    await world.done("POST /products", { name: "Known", product_number: "K-1" });
    const rows = [
      { name: "Other", product_number: "K-1" },
      { name: "Known" },
      { name: "On an account", account_number: 1055, prices: [{ currency: "EUR", amount: 1 }] },
      { name: "New", product_number: "K-2", default_price: 1150.5, unit: "hours" },
      { name: "Fine", default_price: 0.00001 },
      { name: "Nowhere", account_number: -1 },
      { name: "Dear", prices: [{ currency: "DKK", amount: 1 }] },
    ];
    const { reported, body } = await brought("products", rows);
    expect(reported).toEqual([
      "exists",
      "exists",
      "new",
      "new",
      "default_price too_many_decimals",
      "account_number too_small",
      "prices[0].currency not_allowed",
    ]);
    expect(body).toEqual({ made: 2 });
    expect((await world.done("GET /products?search=K-2")).data).toMatchObject([
      { name: "New", default_price: 1150.5 },
    ]);
  });
});

describe("hours", () => {
  const sofies = (fields: Json) => ({ hours: 2, customer: "Acme A/S", ...fields });
  beforeAll(async () => {
    at("2026-11-22");
    const to = { assignees: [{ user_id: sofie }] };
    const named = (description_override: string) => hours({ ...to, description_override });
    await invoice([named("Design\nof a shop"), named("Copy")], { title: "Shop" });
    await invoice([named("Copy")], { title: "Campaign" });
    const series = { start_date: "2026-10-01", issue_timing: { mode: "end-of-period" } };
    await active({ lines: [named("Support")], ...series });
  });

  it("find their line by customer, title and description, and by date in a retainer", async () => {
    const rows = [
      sofies({ line: "design", date: "2026-11-09", note: "Sketches" }),
      sofies({ line: "Copy", date: "2026-11-09" }),
      sofies({ line: "Copy", title: "campaign", date: "2026-11-09" }),
      sofies({ line: "Support", date: "2026-10-09" }),
      sofies({ line: "Nothing", date: "2026-11-09" }),
      sofies({ line: "Design", customer: "Unknown", date: "2026-11-09" }),
      sofies({ line: "Design", date: "2026-11-23" }),
      sofies({ line: "Design", date: "2026-11-10", hours: 24.5 }),
      sofies({ line: "Design", date: "2026-11-09", note: "Sketches", hours: 3 }),
    ];
    const { reported, body } = await brought("hours", rows, standard);
    expect(reported).toEqual([
      "new",
      "line ambiguous",
      "new",
      "new",
      "line unknown_reference",
      "customer unknown_reference",
      "WORK_DATE_IN_FUTURE",
      "hours too_large",
      "exists",
    ]);
    expect(body).toEqual({ made: 3 });
    expect((await looked("hours", rows, standard)).reported.slice(0, 4)).toEqual([
      "exists",
      "line ambiguous",
      "exists",
      "exists",
    ]);
    expect((await list(`user=${sofie}`)).map(({ hours: worked }) => worked)).toEqual([2, 2, 2]);
  });

  it("find their line by a project, which is a title or a line, and by a task among several", async () => {
    const rows = [
      sofies({ project: "shop", task: "Copy", date: "2026-11-16" }),
      sofies({ project: "Shop", task: "Meetings", date: "2026-11-16" }),
      sofies({ project: "Campaign", task: "Meetings", date: "2026-11-16" }),
      sofies({ project: "Support", date: "2026-10-12" }),
      sofies({ project: "Nothing", task: "Copy", date: "2026-11-16" }),
      sofies({ project: "Shop", date: "2026-11-16" }),
    ];
    expect((await looked("hours", rows, standard)).reported).toEqual([
      "new",
      "line ambiguous",
      "new",
      "new",
      "project unknown_reference",
      "line ambiguous",
    ]);
  });

  it("name a user by address, or by name where the address is unknown", async () => {
    const { name, email } = await world.done(`GET /users/${sofie}`);
    const row = sofies({ line: "Design", date: "2026-11-17" });
    const others = [
      { ...row, user: `Another name <${email.toUpperCase()}>` },
      { ...row, date: "2026-11-18", user: `${name} <unknown@tracker.example>` },
      { ...row, user: `Another name <unknown@tracker.example>` },
    ];
    expect((await looked("hours", others)).reported).toEqual([
      "new",
      "new",
      "user unknown_reference",
    ]);
  });

  it("of one day count together against its limit", async () => {
    const day = (note: string) => sofies({ line: "Design", date: "2026-11-11", hours: 13, note });
    expect((await looked("hours", [day("one"), day("two")], standard)).reported).toEqual([
      "new",
      "DAILY_HOURS_EXCEEDED",
    ]);
  });

  it("may be imported by an admin for all users, and by a standard user only for themselves", async () => {
    const { name } = await world.done(`GET /users/${sofie}`);
    const row = sofies({ line: "Design", date: "2026-11-12" });
    const others = [
      { ...row, user: name },
      { ...row, user: "Unknown" },
      { ...row, date: "2026-11-13", user_id: sofie },
      row,
    ];
    expect((await looked("hours", others)).reported).toEqual([
      "new",
      "user unknown_reference",
      "new",
      "customer unknown_reference",
    ]);
    const { user_id } = world.account.admin;
    const mine = [
      { ...row, user_id },
      { ...row, user: "Unknown" },
      { ...row, user: name },
    ];
    expect((await looked("hours", mine, standard)).reported).toEqual([
      "REGISTRATION_FOR_OTHERS_FORBIDDEN",
      "REGISTRATION_FOR_OTHERS_FORBIDDEN",
      "new",
    ]);
  });
});

describe("opening items", () => {
  const rows = [
    { number: "771", customer: "acme a/s", due_date: "2026-10-01", amount: 500.5 },
    { number: "772", customer: "old-1", due_date: "2026-10-02", amount: -200 },
    { number: "773", customer: "Namesake", due_date: "2026-10-02", amount: 1 },
    { number: "774", customer: "Unknown", due_date: "2026-10-02", amount: 1 },
    { number: "775", customer: "Acme A/S", due_date: "2026-10-02", amount: 0 },
    { number: "776", customer: "Acme A/S", due_date: "2026-10-02", amount: 5, currency: "EUR" },
  ].map((row) => ({ counter_account: 6950, ...row }));

  beforeAll(async () => {
    await world.done("POST /customers", { name: "Numbered before", external_id: "old-1" });
    for (const street of ["One", "Two"])
      await world.done("POST /customers", { name: "Namesake", street });
  });

  it("are booked as the preview shows, for the customer of a number or a name", async () => {
    const { reported, agreed } = await looked("opening-items", rows);
    expect(reported).toEqual([
      "new",
      "new",
      "customer ambiguous",
      "customer unknown_reference",
      "amount too_small",
      "EXCHANGE_RATE_MISSING",
    ]);
    expect(await world.sql("select from open_items")).toEqual([]);
    expect((await admin.get("/receivables")).html).toContain("Nothing is issued yet.");
    const made = await ask("opening-items", "make", { rows, agreed });
    expect([made.status, made.body]).toEqual([200, { made: 2 }]);
    expect((await world.done("GET /open-items?kind=opening")).data).toMatchObject([
      { number: "772", is_credit: true, amount: 200, due_date: "2026-10-02" },
      { number: "771", is_credit: false, amount: 500.5, customer_id: customer.id },
    ]);
    const { ledger } = await world.done("GET /receivables/summary");
    expect(ledger.map(({ difference }: Json) => difference)).toEqual([0, 0]);
  });

  it("are booked once, also with another amount", async () => {
    const again = rows.slice(0, 2).map((row) => ({ ...row, amount: 3 * row.amount }));
    expect((await brought("opening-items", again)).body).toEqual({ made: 0 });
    expect((await looked("opening-items", again)).reported).toEqual(["exists", "exists"]);
  });

  it("are read from a file with the account that is chosen for all rows", () => {
    const table = tableFrom("Fakturanr;Kunde;Forfald;Rest\n1001;Acme A/S;31-10-2026;1.250,00\n");
    if (typeof table === "string") throw new Error(table);
    const around = { language: "da", functional_currency: "DKK" } as const;
    const read = (given: Json) => fileOf("opening-items", table, { ...around, given });
    expect(read({}).missing.map(({ field }) => field)).toEqual(["counter_account"]);
    const { missing, rows: found } = read({ counter_account: 6950 });
    expect([missing.length, found[0]?.fault]).toEqual([0, null]);
    expect(found[0]?.sent).toEqual({
      ...{ number: "1001", customer: "Acme A/S", due_date: "2026-10-31", amount: 1250 },
      counter_account: 6950,
    });
  });

  it("have a page for admins, which is linked from the receivables", async () => {
    const page = await admin.get("/opening-items/import");
    expect(page.html).toContain("<h1>Bring in open invoices</h1>");
    expect(page.html).toContain('value="6950" selected');
    expect((await admin.get("/receivables")).html).toContain('href="/opening-items/import"');
    expect((await standard.get("/opening-items/import")).status).toBe(404);
  });
});

describe("an exported file", () => {
  const read = async (kind: ImportKind, path: string) => {
    const headers = { authorization: `Bearer ${world.account.keys.read_write}` };
    const response = await fetch(`${world.origin}/api/v1${path}`, { headers });
    const table = tableFrom(await response.text());
    if (typeof table === "string") throw new Error(table);
    return fileOf(kind, table, { language: "da", functional_currency: "DKK" }).rows;
  };
  const word = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
    .map((text) => text.trim())
    .filter((text) => text !== "" && !text.startsWith("'") && !/\p{C}/u.test(text));
  const text = fc.option(word, { nil: undefined });
  const samples = <Value>(of: fc.Arbitrary<Value>) => fc.sample(of, { numRuns: 12, seed: 12 });

  it("contains the fields of customers as sent, and its import creates none of them again", async () => {
    const made = samples(
      fc.record({ name: word, street: text, city: text, is_person: fc.boolean() }),
    ).map((one, index) => ({ ...one, external_id: `written-${index}`, country_key: "DK" }));
    for (const one of made) await world.done("POST /customers", one);
    const rows = await read("customers", "/customers.csv");
    for (const one of made) {
      const row = rows.find(({ sent }) => sent.external_id === one.external_id);
      expect(row).toMatchObject({ fault: null, sent: JSON.parse(JSON.stringify(one)) });
    }
    const { reported } = await looked(
      "customers",
      rows.map(({ sent }) => sent),
    );
    expect(new Set(reported)).toEqual(new Set(["exists"]));
  });

  it("contains the fields of products as sent, with prices that are read correctly in Danish", async () => {
    const price = fc.integer({ min: 1, max: 10_000_000 }).map((scaled) => scaled / 10_000);
    const made = samples(
      fc.record({ name: word, comments: text, default_price: price, amount: price }),
    ).map(({ amount, ...one }, index) => ({
      ...one,
      product_number: `W-${index}`,
      prices: [{ currency: "EUR", amount: Math.max(0.01, Math.round(amount * 100) / 100) }],
    }));
    for (const one of made) await world.done("POST /products", one);
    const rows = await read("products", "/products.csv");
    for (const one of made) {
      const row = rows.find(({ sent }) => sent.product_number === one.product_number);
      expect(row).toMatchObject({ fault: null, sent: JSON.parse(JSON.stringify(one)) });
    }
  });
});

describe("access to imports", () => {
  it("is for admins, and for hours also for standard users", async () => {
    for (const kind of ["customers", "products", "opening-items"] as const) {
      expect((await standard.get(`/${kind}/import`)).status).toBe(404);
      expect((await ask(kind, "look", { rows: [{ name: "X" }] }, standard)).status).toBe(404);
    }
    expect((await standard.get("/hours/import")).html).toContain(
      "<h1>Import hours from a CSV</h1>",
    );
    const stranger = openBrowser(world);
    expect((await stranger.act("/app/hours/import/look", { rows: [{}] }, "x")).status).toBe(401);
    expect((await admin.act("/app/hours/import/make", { rows: [{}] }, "x")).status).toBe(400);
  });

  it("is limited to one portion a request", async () => {
    const rows = Array.from({ length: 101 }, (_, n) => ({ name: `Many ${n}` }));
    const { status, body } = await ask("customers", "look", { rows });
    expect([status, body.error.field_errors[0].code]).toEqual([422, "too_long"]);
  });

  it("is linked from the lists, in both languages", async () => {
    expect((await admin.get("/customers")).html).toContain('href="/customers/import"');
    expect((await admin.get("/products?q=no-such-product")).html).toContain("/products/import");
    const { html } = await standard.get("/hours/2026-W47", { "accept-language": "da" });
    expect(html).toContain("Importér fra CSV");
    expect(customer.name).toBe("Acme A/S");
  });
});
