/** The connection page against the simulation of Dinero: connect, check, map and disconnect, by an admin in person. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, type PageReply, proofOf } from "../../../test/support/browser/browser.ts";
import { statementsOf } from "../../../test/support/browser/statements.ts";
import {
  openDineroSimulation,
  simulatedAccess,
} from "../../../test/support/ledger/dinero/simulation.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useWorld } from "../../../test/support/world/world.ts";

const world = useWorld({
  knows_origin: true,
  environment: { MATCHBOOK_LEDGER_HOSTS: "127.0.0.1" },
});
const CONNECTION = "/ledger/connection";
const NEW = `${CONNECTION}/new`;
const DANISH = { "accept-language": "da" };
let simulation: Awaited<ReturnType<typeof openDineroSimulation>>;
let admin: Browser;
let standard: Browser;
let given: Record<string, string>;

beforeAll(async () => {
  simulation = await openDineroSimulation();
  const { settings, secrets } = simulatedAccess(simulation.origin);
  given = { ...settings, ...secrets, requests_per_minute: "60000" };
  const oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  standard = (await oauth.person()).browser;
});
afterAll(() => simulation?.close());

/** The text of a page without its markup. */
const textOf = ({ html }: PageReply): string =>
  html
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&amp;", "&")
    .replaceAll("&#39;", "'")
    .replace(/\s+/g, " ");
const connect = async (changes: Readonly<Record<string, string>> = {}) =>
  admin.submit(await admin.get(`${NEW}?kind=dinero`), NEW, { ...given, ...changes });

// One account: each test continues where the one before ended.
describe("an account with books of its own", () => {
  it("says so, and offers the accounting systems", async () => {
    const page = await admin.get(CONNECTION);
    expect(textOf(page)).toContain("Matchbook keeps the books itself.");
    expect(textOf(page)).toContain("Connect Dinero… Connect Tryton…");
    expect(textOf(await admin.get(CONNECTION, DANISH))).toContain("Tilslut Dinero …");
    expect((await admin.get(`${NEW}?kind=unheard`)).status).toBe(404);
    expect((await admin.get(`${CONNECTION}/disconnect`)).location).toBe(CONNECTION);
  });

  it.each([
    ["without a required field", { client_secret: "" }, "client_secret-fault"],
    ["without one of two secrets", { api_key: "" }, "api_key-fault"],
    [
      "with credentials that are refused",
      { api_key: "wrong" },
      "The system refused the credentials",
    ],
    ["where nothing answers", { token_url: "http://127.0.0.1:1/token" }, "did not answer in time"],
    ["at a host that is not listed", { token_url: "https://elsewhere.example/token" }, "elsewhere"],
  ])(
    "is not connected %s, and keeps what was typed apart from secrets",
    async (_case, changes, shown) => {
      const page = await connect(changes);
      expect(page.status).toBe(422);
      expect(page.html).toContain(shown);
      expect(page.html).toContain('value="270001"');
      expect(page.html).not.toContain("sim-secret");
      expect(page.html).not.toContain("sim-key");
      expect(await world.done("GET /ledger/connection")).toMatchObject({ kind: "builtin" });
    },
  );

  it("is connected after a check, and never shows a secret", async () => {
    const { status, location } = await connect();
    expect({ status, location }).toEqual({ status: 303, location: CONNECTION });
    const page = await admin.get(CONNECTION);
    expect(textOf(page)).toMatch(/State Connected Company .+ \(270001\)/);
    for (const secret of ["sim-secret", "sim-key"]) expect(page.html).not.toContain(secret);
    const { data } = await world.done("GET /audit-events?limit=5");
    const user = { kind: "user", id: world.account.admin.user_id };
    expect(data).toContainEqual(expect.objectContaining({ action: "connected", actor: user }));
  });
});

describe("a connected account", () => {
  it("leads to the reconciliation, and says where the books are", async () => {
    expect((await admin.get("/ledger")).location).toBe("/ledger/reconciliation");
    const page = await admin.get("/ledger/reconciliation");
    for (const part of ["trial-balance", "entries", "vat"]) {
      expect(page.html).not.toContain(`href="/ledger/${part}"`);
      expect(textOf(await admin.get(`/ledger/${part}`))).toContain("The books are in Dinero.");
    }
    expect(textOf(await admin.get("/ledger/vat", DANISH))).toContain(
      "Bogholderiet føres i Dinero.",
    );
    expect(textOf(await admin.get("/ledger/accounts"))).not.toContain("Balance");
  });

  it("is compared with the accounting system", async () => {
    const sent = { month: "2026-02" };
    const { status, body } = await admin.act("/app/ledger/compare", sent, await proofOf(admin));
    expect(status).toBe(200);
    expect(body).toMatchObject({ object: "ledger_reconciliation", month: "2026-02", findings: [] });
    const whole = await admin.get("/ledger/reconciliation?month=2026-02&all=1");
    expect(textOf(whole)).toContain("All documents agree.");
  });

  it("is checked when a person asks for it", async () => {
    const page = await admin.get(CONNECTION);
    const checked_at = async () => (await world.done("GET /ledger/connection")).checked_at;
    const before = await checked_at();
    expect((await admin.submit(page, `${CONNECTION}/check`, {})).location).toBe(CONNECTION);
    expect(Date.parse(await checked_at())).toBeGreaterThan(Date.parse(before));
  });

  it("maps accounts beside those of the system, and refuses unknown ones", async () => {
    const before = await admin.get(CONNECTION);
    expect(textOf(before)).toMatch(/Accounts side by side \d+ open/);
    const action = `${CONNECTION}/mapping`;
    const unknown = await admin.submit(before, action, { "account-6240-": "99999" });
    expect(unknown.status).toBe(422);
    expect(unknown.html).toContain('id="account-6240--fault"');
    expect(unknown.html).toContain('value="99999"');
    expect(textOf(unknown)).toContain("The system has no such account or code.");
    const stored = await admin.submit(before, action, { "account-6240-": "57000" });
    expect(stored.location).toBe(CONNECTION);
    expect(await world.done("GET /ledger/connection")).toMatchObject({
      mapping: expect.arrayContaining([
        expect.objectContaining({ account_number: 6240, ledger_account: "57000" }),
      ]),
    });
  });

  it("is for admins in person alone", async () => {
    for (const path of [CONNECTION, `${NEW}?kind=dinero`, `${CONNECTION}/disconnect`]) {
      expect((await standard.get(path)).status).toBe(404);
    }
  });

  it("takes at most 12 statements", async () => {
    expect(await statementsOf(() => admin.get(CONNECTION))).toBeLessThanOrEqual(13);
  });

  it("is disconnected by typing the name of the system", async () => {
    const path = `${CONNECTION}/disconnect`;
    const typed = async (name: string) =>
      admin.submit(await admin.get(path), path, { typed: name });
    const wrong = await typed("Tryton");
    expect(wrong.status).toBe(422);
    expect(wrong.html).toContain("typed-fault");
    expect(await world.done("GET /ledger/connection")).toMatchObject({ kind: "dinero" });
    expect((await typed("dinero")).location).toBe(CONNECTION);
    expect(await world.done("GET /ledger/connection")).toMatchObject({ kind: "builtin" });
    expect((await admin.get("/ledger")).location).toBe("/ledger/trial-balance");
  });

  it("stays where it is after a first booking, which the page says before and after a request", async () => {
    const form = await admin.get(`${NEW}?kind=dinero`);
    const customer = await world.done("POST /customers", { name: "Acme A/S" });
    const product = await world.done("POST /products", { name: "Advice" });
    const line = { product_id: product.id, recognition_method: "value", agreed_value: 1 };
    const sent = { customer_id: customer.id, auto_send: false, lines: [line] };
    const { id } = await world.done("POST /invoices", sent);
    await world.done(`POST /invoices/${id}/issue`);
    const page = await admin.get(CONNECTION);
    expect(textOf(page)).toContain("Something has been booked, so the books stay where they are");
    expect(page.html).not.toContain(NEW);
    const refused = await admin.submit(form, NEW, given);
    expect(refused.status).toBe(422);
    expect(textOf(refused)).toContain("Something has been booked, so the books stay");
    const danish = await admin.post(NEW, { ...given, csrf: csrfIn(form), kind: "dinero" }, DANISH);
    expect(textOf(danish)).toContain("Der er bogført noget");
  });
});

/** The token of the form that connects. */
function csrfIn({ html }: PageReply): string {
  const form = /action="\/ledger\/connection\/new">.*?name="csrf" value="([^"]+)"/s.exec(html);
  return form?.[1] ?? "";
}
