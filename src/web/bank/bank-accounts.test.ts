/** The settings of bank accounts in both languages: the list, the form, refusals and what can be done to one. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, openBrowser, textOf } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { type Json, useWorld } from "../../../test/support/world/world.ts";

const PLACE = "/settings/bank-accounts";
const DANISH = { "accept-language": "da" };
const IBAN = "DK5000400440116243";

let admin: Browser;
let standard: Browser;
const world = useWorld({ knows_origin: true });
beforeAll(async () => {
  const oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  standard = (await oauth.person()).browser;
});

const EMPTY = {
  name: "",
  currency: "",
  ledger_account: "",
  iban: "",
  registration_number: "",
  account_number: "",
};

async function save(path: string, fields: Readonly<Record<string, string>>) {
  return admin.submit(await admin.get(path), path, { ...EMPTY, ...fields });
}

const all = async (): Promise<readonly Json[]> =>
  (await world.done("GET /bank-accounts?active=all")).data;
const named = async (name: string): Promise<Json> => {
  const found = (await all()).find((account) => account.name === name);
  if (found === undefined) throw new Error(`there is no bank account ${name}`);
  return found;
};

describe("the list of bank accounts", () => {
  it("shows the first one as the default, with its account in the books", async () => {
    const english = textOf(await admin.get(PLACE));
    expect(english).toContain("Bank accounts");
    expect(english).toMatch(/6480 \S+/);
    expect(english).toContain("Default");
    expect(english).toContain("Asked at the first file");
    const danish = await admin.get(PLACE, DANISH);
    expect(danish.html).toContain("<h1>Bankkonti</h1>");
    expect(textOf(danish)).toContain("Spørger ved den første fil");
  });

  it("is a tab of the settings", async () => {
    const { html } = await admin.get("/settings/months");
    expect(html).toContain(`<a href="${PLACE}">Bank accounts</a>`);
  });

  it("does not exist for standard users, nor does any of its forms", async () => {
    const { id } = await named("Bank");
    for (const path of [PLACE, `${PLACE}/new`, `${PLACE}/${id}`]) {
      expect((await standard.get(path)).status, path).toBe(404);
    }
  });

  it("is that of the account alone", async () => {
    const other = openBrowser(world);
    const { admin: anna } = await world.openAnother();
    await other.signIn(anna.email, anna.password ?? "");
    const { id } = await named("Bank");
    expect((await other.get(`${PLACE}/${id}`)).status).toBe(404);
  });
});

describe("the form of a bank account", () => {
  it("adds one with a new account in the books, and leads to the list with a notice", async () => {
    const made = await save(`${PLACE}/new`, {
      name: "Savings",
      ledger_account: "6481",
      iban: "dk50 0040 0440 1162 43",
      registration_number: "0040",
      account_number: "0440116243",
    });
    expect([made.status, made.location]).toEqual([303, PLACE]);
    expect(await named("Savings")).toMatchObject({
      currency: "DKK",
      ledger_account: 6481,
      iban: IBAN,
      registration_number: "0040",
      account_number: "0440116243",
      is_default: false,
      active: true,
    });
    expect(textOf(await admin.get(PLACE))).toContain("0040 0440116243");
  });

  it("adds one in a foreign currency, which is fixed from then on", async () => {
    await save(`${PLACE}/new`, { name: "Euro", currency: "eur", ledger_account: "6482" });
    const { id } = await named("Euro");
    const page = await admin.get(`${PLACE}/${id}`);
    expect(page.html).not.toContain('name="currency"');
    expect(textOf(page)).toContain("Currency: EUR");
    await save(`${PLACE}/${id}`, { name: "Euro at Nordea", ledger_account: "6482" });
    expect(await named("Euro at Nordea")).toMatchObject({ id, currency: "EUR" });
  });

  it.each([
    ["an IBAN that cannot be right", { iban: "DK5000400440116244" }, "iban"],
    ["the account of receivables", { ledger_account: "6190" }, "ledger_account"],
    ["an account that is no asset", { ledger_account: "1000" }, "ledger_account"],
    ["an account that no one knows", { ledger_account: "Money box" }, "ledger_account"],
    ["an unknown currency", { currency: "XXZ" }, "currency"],
    ["no name", { name: "" }, "name"],
  ])("shows the fault at its field and keeps what was typed: %s", async (_case, typed, field) => {
    const before = await all();
    const fields = { name: "Typed <b>name</b>", ledger_account: "6483", ...typed };
    const page = await save(`${PLACE}/new`, fields);
    expect(page.status).toBe(422);
    expect(page.html).toContain(`id="${field}-fault"`);
    if (field !== "name") expect(page.html).toContain("Typed &lt;b>name&lt;/b>");
    expect(page.html).not.toContain("<b>name</b>");
    expect(await all()).toEqual(before);
  });

  it("says in Danish what may stand for a bank account", async () => {
    const path = `${PLACE}/new`;
    const page = await admin.get(path, DANISH);
    expect(page.html).toContain("Konto i bogholderiet");
    const csrf = /name="csrf" value="([^"]+)"[^>]*>(?=[\s\S]*id="ledger_account")/.exec(page.html);
    expect(csrf).not.toBeNull();
  });
});

describe("a stored bank account", () => {
  it("becomes the default, which leaves the former one", async () => {
    await save(`${PLACE}/new`, { name: "New main", ledger_account: "6484" });
    const { id } = await named("New main");
    await admin.submit(await admin.get(`${PLACE}/${id}`), `${PLACE}/${id}/default`, {});
    expect((await all()).filter(({ is_default }) => is_default)).toMatchObject([{ id }]);
    const page = textOf(await admin.get(`${PLACE}/${id}`));
    expect(page).not.toContain("Make it the default");
    expect(page).not.toContain("Deactivate");
  });

  it("is deactivated and activated again", async () => {
    await save(`${PLACE}/new`, { name: "Closed soon", ledger_account: "6485" });
    const { id } = await named("Closed soon");
    const path = `${PLACE}/${id}`;
    await admin.submit(await admin.get(path), `${path}/deactivate`, {});
    expect(await named("Closed soon")).toMatchObject({ active: false });
    const page = await admin.get(path);
    expect(textOf(page)).toContain("Inactive");
    expect(page.html).not.toContain("/default");
    await admin.submit(page, `${path}/activate`, {});
    expect(await named("Closed soon")).toMatchObject({ active: true });
  });

  it("says in words how its CSV files are read, and forgets it", async () => {
    const { id } = await named("Savings");
    await world.done(`PATCH /bank-accounts/${id}`, {
      csv_profile: {
        delimiter: "\t",
        skip_lines: 2,
        decimal: ".",
        columns: { date: "Dato", credit: 3, debit: 4, text: ["Tekst", "Besked"] },
      },
    });
    const path = `${PLACE}/${id}`;
    const english = textOf(await admin.get(path));
    for (const said of ["Tabs between columns, UTF-8", "After 2 lines", "As 1,234.50"]) {
      expect(english).toContain(said);
    }
    expect(english).toMatch(/Money in\s+Column 3/);
    expect(english).toContain("Tekst, Besked");
    expect(textOf(await admin.get(path, DANISH))).toMatch(/Indbetalt\s+Kolonne 3/);
    await admin.submit(await admin.get(path), `${path}/forget-profile`, {});
    expect(await named("Savings")).toMatchObject({ csv_profile: null });
  });

  it("takes the numbers that invoices print where the default one has none", async () => {
    const { id } = (await all()).find(({ is_default }) => is_default) ?? {};
    const path = `${PLACE}/${id}`;
    const none = { iban: null, registration_number: null, account_number: null };
    const stored = await world.done(`PATCH /bank-accounts/${id}`, none);
    await world.done("PATCH /configuration", {
      seller: { bank_registration_number: "9570", bank_account_number: "12345678" },
    });
    const page = await admin.get(path);
    expect(textOf(page)).toContain("Taken from the company's details.");
    expect(page.html).toMatch(/name="account_number"[^>]*value="12345678"/);
    expect(textOf(await admin.get(path, DANISH))).toContain("Hentet fra virksomhedens oplysninger");
    const { name } = stored;
    const numbers = { registration_number: "9570", account_number: "87654321" };
    await save(path, { name, ledger_account: `${stored.ledger_account}`, ...numbers });
    expect(await named(name)).toMatchObject(numbers);
    expect(textOf(await admin.get(path))).not.toContain("Taken from the company's details.");
  });
});
