/** The VAT return, the reconciliation and the checks of the books as pages. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, type PageReply, proofOf } from "../../../test/support/browser/browser.ts";
import { statementsOf } from "../../../test/support/browser/statements.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { openStudio, type Studio } from "../../../test/support/world/studio.ts";
import { type Json, useWorld } from "../../../test/support/world/world.ts";

const world = useWorld({ knows_origin: true });
const DANISH = { "accept-language": "da" };
const VAT = "/ledger/vat";
const RECONCILIATION = "/ledger/reconciliation";
const CHECKS = "/ledger/verification";
let admin: Browser;
let standard: Browser;
let studio: Studio;
let domestic: Json;

beforeAll(async () => {
  const oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  standard = (await oauth.person()).browser;
  studio = await openStudio(world, world.account);
  domestic = await studio.issued([studio.value(1000)], { issue_date: "2026-01-10" });
  const german = await world.done("POST /customers", {
    ...{ name: "Berlin GmbH", country_key: "DE", vat_number: "DE136695976" },
    ...{ street: "Allee 1", city: "Berlin" },
  });
  const advice = await world.done("POST /products", { name: "Advice abroad" });
  await world.done("PATCH /configuration", { seller: { vat_number: "25313763" } });
  const abroad = studio.value(500, { product_id: advice.id });
  await studio.issued([abroad], { customer_id: german.id, issue_date: "2026-02-05" });
  await studio.issued([studio.value(70)], { issue_date: "2026-04-02" });
  studio.at("2026-05-10");
  for (const table of ["issued_documents", "ledger_entries"]) {
    await world.sql(`alter table ${table} disable trigger user`);
  }
});

/** The text of a page without its markup. */
const textOf = ({ html }: PageReply): string =>
  html
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ");

describe("the VAT return", () => {
  it("shows the boxes of a quarter as the API does, each with its documents", async () => {
    const page = await admin.get(`${VAT}?period=2026-Q1`);
    const text = textOf(page);
    expect(text).toContain("Q1 2026, in DKK");
    expect(text).toMatch(/VAT on sales 250\.00 1 document .*?Invoice 1 Date 10 Jan 2026/);
    expect(text).toMatch(/services sold to businesses in the EU 500\.00 1 document/);
    expect(text).toMatch(/Box C: other sales without Danish VAT 0\.00 No document/);
    expect(page.html).toContain(`href="/invoices/${domestic.id}"`);
    const { boxes } = await world.done("GET /ledger/vat-report?from=2026-01&to=2026-03");
    expect(boxes).toMatchObject({ sales_vat: 250, eu_services: 500 });
    expect(text).toMatch(/VAT number DE136695976 Customer Berlin GmbH Goods – Services 500\.00/);
  });

  it("shows a month, and leads to those beside it and to its quarter", async () => {
    const page = await admin.get(`${VAT}?period=2026-02`);
    expect(textOf(page)).toMatch(/VAT on sales 0\.00 No document/);
    for (const period of ["2026-01", "2026-03", "2026-Q1"]) {
      expect(page.html).toContain(`href="${VAT}?period=${period}"`);
    }
  });

  it("is the current quarter where the address names none, in the reader's language", async () => {
    const text = textOf(await admin.get(`${VAT}?period=x`, DANISH));
    expect(text).toContain("2. kvartal 2026");
    expect(text).toContain("Salgsmoms 17,50 1 dokument");
  });

  it("says that a number in the list of EU sales has a wrong form", async () => {
    await world.sql(
      `update issued_documents set snapshot = replace(snapshot, 'DE136695976', 'DE12')
       where account_id = $1`,
      [world.account.account_id],
    );
    const text = textOf(await admin.get(`${VAT}?period=2026-Q1`));
    expect(text).toContain("VAT number DE12 The number has a wrong form");
  });
});

describe("the reconciliation", () => {
  it("shows accruals and documents beside the accounts, as the API does", async () => {
    await studio.booked("2026-01");
    const text = textOf(await admin.get(`${RECONCILIATION}?month=2026-01`));
    expect(text).toContain("Documents and accruals through the end of January 2026");
    expect(text).toMatch(
      /Revenue 1010 By documents 1,000\.00 In the ledger 1,000\.00 Difference 0\.00/,
    );
    expect(text).toMatch(/Receivables 6190 By documents 1,250\.00 In the ledger 1,250\.00/);
    expect(text).not.toMatch(/\d differences?\b/);
  });

  it("is of the last month where the address names none, in the reader's language", async () => {
    const text = textOf(await admin.get(`${RECONCILIATION}?month=x`, DANISH));
    expect(text).toContain("til og med april 2026");
    expect(text).toContain("Tilgodehavender 6190");
  });

  it("counts differences", async () => {
    const shift = (day: string) =>
      world.sql(
        "update ledger_entries set entry_date = $2 where account_id = $1 and entry_no = 1",
        [world.account.account_id, day],
      );
    await shift("2026-02-10");
    const text = textOf(await admin.get(`${RECONCILIATION}?month=2026-01`));
    expect(text).toContain("Documents 3 differences");
    expect(text, "an open month explains them").toContain(
      "the vouchers of January 2026 are not booked yet",
    );
    await shift("2026-01-10");
  });

  it("is computed by an action for large accounts", async () => {
    const proof = await proofOf(admin);
    const { body } = await admin.act("/app/ledger/reconciliation", { month: "2026-01" }, proof);
    expect(body).toEqual(await world.done("GET /accruals/reconciliation?month=2026-01"));
    const bad = await admin.act("/app/ledger/reconciliation", { month: "2026" }, proof);
    expect(bad.status).toBe(422);
    const none = await admin.act("/app/ledger/compare", { month: "2026-01" }, proof);
    expect(none.body.error.code).toBe("LEDGER_NOT_CONNECTED");
  });
});

describe("the checks", () => {
  it("run when a person asks for it, and show what they examined", async () => {
    expect(textOf(await admin.get(CHECKS))).toContain("have not been checked yet");
    // An earlier test has changed a frozen document.
    await world.sql(
      `update issued_documents set snapshot = replace(snapshot, 'DE12', 'DE136695976')
       where account_id = $1`,
      [world.account.account_id],
    );
    const { status, location } = await admin.submit(await admin.get(CHECKS), CHECKS, {});
    expect({ status, location }).toEqual({ status: 303, location: CHECKS });
    const text = textOf(await admin.get(CHECKS));
    expect(text).toContain("3 entries, unbroken since 10 Jan 2026.");
    expect(text).toMatch(/Numbers No number is missing or used twice\. Result In order Examined 3/);
  });

  it("show a fault with its place", async () => {
    const written = (text: string) =>
      world.sql("update ledger_entries set text = $2 where account_id = $1 and entry_no = 2", [
        world.account.account_id,
        text,
      ]);
    const [entry] = (await world.done("GET /ledger/entries?limit=2")).data.slice(1);
    await written("Changed");
    await admin.submit(await admin.get(CHECKS), CHECKS, {});
    const page = await admin.get(CHECKS, DANISH);
    expect(textOf(page)).toMatch(/Journal Hver postering følger af den forrige\. Resultat 1 fejl/);
    expect(page.html).toContain('lang="en"');
    expect(textOf(page)).toContain("2: the hash is not that of the entry");
    expect(textOf(page)).not.toContain("ubrudt");
    await written(entry.text);
  });
});

it("are for admins alone", async () => {
  for (const path of [VAT, RECONCILIATION, CHECKS]) {
    expect((await standard.get(path)).status).toBe(404);
  }
  const proof = await proofOf(standard);
  const sent = { from: "2026-01-01", to: "2026-01-31" };
  expect((await standard.act("/app/ledger/vat", sent, proof)).status).toBe(404);
});

it("take at most 12 statements a page", async () => {
  for (const path of [VAT, CHECKS]) {
    expect(await statementsOf(() => admin.get(path))).toBeLessThanOrEqual(13);
  }
});

it("print the account, the title and the day on each page", async () => {
  for (const path of ["/ledger/trial-balance", VAT, RECONCILIATION]) {
    expect((await admin.get(path)).html).toMatch(
      /class="print-head" aria-hidden="true"><span>[^<]+<\/span><span>[^<]+<\/span><span>10 May 2026</,
    );
  }
  expect((await admin.get("/ledger/accounts")).html).not.toContain("print-head");
});
