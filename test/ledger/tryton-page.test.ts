/** The connection page against a real Tryton: an admin fills its form, checks and disconnects, without an operator. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Browser, textOf } from "../support/browser/browser.ts";
import { openTryton, type TrytonBooks } from "../support/ledger/tryton/open-tryton.ts";
import { requireTryton, whyNoTryton } from "../support/ledger/tryton/program.ts";
import { openConsent } from "../support/mcp/consent.ts";
import { useWorld } from "../support/world/world.ts";

const world = useWorld({
  knows_origin: true,
  environment: { MATCHBOOK_LEDGER_HOSTS: "127.0.0.1" },
});
const CONNECTION = "/ledger/connection";
const NEW = `${CONNECTION}/new`;
const DANISH = { "accept-language": "da" };

// One account: each test continues where the one before ended.
describe("the form of a connection to Tryton", () => {
  let books: TrytonBooks;
  let admin: Browser;

  beforeAll(async () => {
    if (whyNoTryton() !== undefined) return;
    books = await openTryton();
    world.clock.set("2026-11-20T09:00:00.000Z");
    admin = await openConsent(world).signedInAdmin();
  });
  beforeEach(requireTryton);
  afterAll(() => books?.close());

  const connect = async (changes: Readonly<Record<string, string>> = {}) => {
    const given = { ...books.settings, ...books.secrets } as Record<string, string>;
    return admin.submit(await admin.get(`${NEW}?kind=tryton`), NEW, { ...given, ...changes });
  };

  it("asks for the server, its database, and a user with their password", async () => {
    const page = await admin.get(`${NEW}?kind=tryton`);
    for (const name of ["url", "database", "user", "password"]) {
      expect(page.html).toMatch(new RegExp(`<input[^>]* name="${name}"[^>]* required`));
    }
    expect(page.html).toMatch(/name="password" type="password"/);
    const danish = textOf(await admin.get(`${NEW}?kind=tryton`, DANISH));
    expect(danish).toContain("Brugerens adgangskode");
  });

  it("is shown again with what was typed, but not the password, when Tryton refuses it", async () => {
    const page = await connect({ password: "not the password" });
    expect(page.status).toBe(422);
    expect(textOf(page)).toContain("The system refused the credentials");
    expect(page.html).toContain(`value="${books.settings.database}"`);
    expect(page.html).not.toContain("not the password");
    expect(await world.done("GET /ledger/connection")).toMatchObject({ kind: "builtin" });
  });

  it("connects the account, and names the company of the books", async () => {
    const { status, location } = await connect();
    expect({ status, location }).toEqual({ status: 303, location: CONNECTION });
    const page = await admin.get(CONNECTION);
    expect(textOf(page)).toMatch(/State Connected Company Nordlys Rådgivning ApS/);
    expect(page.html).not.toContain(books.secrets.password);
    expect(await world.done("GET /ledger/connection")).toMatchObject({ kind: "tryton" });
  });

  it("shows the accounts side by side, each with the tax that Tryton charges, and maps them", async () => {
    const before = await admin.get(CONNECTION);
    expect(textOf(before)).toMatch(/Accounts side by side \d+ open .*VAT code in Tryton/);
    for (const choice of ["1010", "8070", "U25", "U0"]) {
      expect(before.html).toContain(`<option value="${choice}"`);
    }
    const action = `${CONNECTION}/mapping`;
    const map = (account: string, code: string) =>
      admin.submit(before, action, { "account-1000-DK25": account, "code-1000-DK25": code });
    for (const [account, code, field, sentence] of [
      ["9999", "U25", "account-1000-DK25", "The system has no such account or code."],
      ["1010", "U99", "code-1000-DK25", "The system has no such account or code."],
      ["1010", "U0", "account-1000-DK25", "The system charges another VAT on this account."],
    ] as const) {
      const refused = await map(account, code);
      expect(refused.status).toBe(422);
      expect(refused.html).toContain(`id="${field}-fault"`);
      expect(textOf(refused)).toContain(sentence);
    }
    expect((await map("1010", "U25")).location).toBe(CONNECTION);
    expect((await world.done("GET /ledger/connection")).mapping).toContainEqual(
      expect.objectContaining({
        ...{ account_number: 1000, vat_code: "DK25" },
        ...{ ledger_account: "1010", ledger_vat_code: "U25" },
      }),
    );
  });

  it("checks the connection when a person asks, and disconnects by typing its name", async () => {
    const page = await admin.get(CONNECTION);
    expect((await admin.submit(page, `${CONNECTION}/check`, {})).location).toBe(CONNECTION);
    const path = `${CONNECTION}/disconnect`;
    const { location } = await admin.submit(await admin.get(path), path, { typed: "Tryton" });
    expect(location).toBe(CONNECTION);
    expect(await world.done("GET /ledger/connection")).toMatchObject({ kind: "builtin" });
  });
});
