/** Balances, deferred revenue and remaining obligations as pages: their amounts are those of the API. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, type PageReply, proofOf } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { openStudio, type Studio } from "../../../test/support/world/studio.ts";
import { type Json, useWorld } from "../../../test/support/world/world.ts";

const world = useWorld({ knows_origin: true });
const DANISH = { "accept-language": "da" };
let admin: Browser;
let standard: Browser;
let studio: Studio;

beforeAll(async () => {
  const oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  standard = (await oauth.person()).browser;
  studio = await openStudio(world, world.account);
  studio.at("2026-03-20");
  const beta = (await studio.done("POST /customers", { name: "Beta A/S" })).id;
  await studio.issued(
    [
      studio.service(12000, "2026-01-01", "2026-12-31"),
      studio.value(500, { recognition_method: "milestone" }),
    ],
    { issue_date: "2026-01-10" },
  );
  const credited = await studio.issued([studio.service(2400, "2026-03-01", "2027-02-28")], {
    customer_id: beta,
    issue_date: "2026-03-02",
  });
  await studio.done("POST /credit-notes", {
    external_id: "one",
    invoice: credited.id,
    kind: "partial",
    credit_date: "2026-03-12",
    lines: [{ invoice_line_id: credited.lines[0].id, amount: 240 }],
  });
  await studio.work(await studio.draft([studio.hours()], { customer_id: beta }), "2026-03-03", 2);
});

const textOf = ({ html }: PageReply): string => html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
const cents = (amount: number): string => `${Math.round(amount * 100)}`;

describe("the balances of a month", () => {
  const balances = async (month: string, of = admin) =>
    of.act("/app/revenue/balances", { month, language: "en" }, await proofOf(of));

  it.each(["2026-01", "2026-02", "2026-03"])(
    "of %s are the roll-forward of the API",
    async (month) => {
      const { body } = (await balances(month)) as { body: Json };
      const { data } = await studio.done(
        `GET /recognition/rollforward?from=${month}&to=${month}&limit=100`,
      );
      const sum = (field: string) =>
        cents(data.reduce((total: number, row: Json) => total + row[field], 0));
      expect([body.opening, body.earned, body.closing]).toEqual([
        sum("opening"),
        sum("earned"),
        sum("closing"),
      ]);
      expect(`${BigInt(body.invoiced) - BigInt(body.credited)}`).toBe(sum("invoiced"));
      const moved =
        BigInt(body.opening) +
        BigInt(body.earned) -
        BigInt(body.invoiced) +
        BigInt(body.credited) +
        BigInt(body.exchange);
      expect(`${moved}`).toBe(body.closing);
      expect(body.contracts.map((one: Json) => one.closing).sort()).toEqual(
        data.map((row: Json) => cents(row.closing)).sort(),
      );
    },
  );

  it("state what was credited, and agree with the ledger once they are booked", async () => {
    expect(((await balances("2026-03")) as { body: Json }).body.credited).toBe("24000");
    await studio.booked("2026-01");
    const page = await admin.get("/revenue?month=2026-01&balances=1");
    const text = textOf(page);
    expect(text).toContain("From December to January");
    expect(text).toContain("Agrees with the ledger To the øre");
    expect(text).toMatch(/6900 Contract liability 11,500\.00 = 11,500\.00/);
    const danish = textOf(await admin.get("/revenue?month=2026-01&balances=1", DANISH));
    expect(danish).toContain("Stemmer med bogholderiet På øren");
    expect(danish).toContain("11.500,00");
  });

  it("are for admins alone", async () => {
    expect((await balances("2026-01", standard)).status).toBe(404);
    const { html } = await standard.get("/revenue?balances=1");
    expect(html).not.toMatch(/revenue-balances|Deferred|Remaining/);
  });
});

describe("deferred revenue", () => {
  it.each(["2026-01", "2026-03"])("at the end of %s is the liability of the API", async (month) => {
    const page = await admin.get(`/revenue/deferred?month=${month}`);
    const { data } = await studio.done(
      `GET /recognition?group_by=customer&from=${month}&to=${month}`,
    );
    const total = data.reduce((sum: number, row: Json) => sum + row.contract_liability, 0);
    const shown = total.toLocaleString("en-GB", { minimumFractionDigits: 2 });
    expect(total).toBeGreaterThan(0);
    expect(textOf(page)).toMatch(new RegExp(`All customers .* ${shown} `));
  });

  it("is released by the months in which its lines are earned; a milestone has no date", async () => {
    const text = textOf(await admin.get("/revenue/deferred?month=2026-01"));
    expect(text).toContain("Feb 26 Mar 26");
    expect(text).toMatch(/Acme A\/S( 1,000\.00){11} – – 500\.00 11,500\.00/);
  });

  it("is a file in the reader's language", async () => {
    const response = await fetch(`${world.origin}/revenue/deferred/export?month=2026-01`, {
      headers: { ...DANISH, cookie: `matchbook=${admin.cookie()}` },
    });
    expect(response.headers.get("content-disposition")).toContain("forudfaktureret-2026-01.csv");
    expect(await response.text()).toMatch(
      /^Kunde;2026-02;.*;Senere;Uden dato;I alt\r\nAcme A\/S;1000,00;/,
    );
  });
});

describe("remaining obligations", () => {
  it("are the rest of fixed prices by year, and say what is left out", async () => {
    const text = textOf(await admin.get("/revenue/remaining?month=2026-03"));
    expect(text).toMatch(/Acme A\/S 9,000\.00 – .* 500\.00 9,500\.00/);
    // 2,400 less 240, of which a month is earned: nine months remain in 2026 and two in 2027.
    expect(text).toMatch(/Beta A\/S 1,620\.00 360\.00 – .* 1,980\.00/);
    expect(text).toContain("Left out: lines by hours");
    const danish = textOf(await admin.get("/revenue/remaining?month=2026-03", DANISH));
    expect(danish).toContain("Udeladt: linjer efter timer");
    expect(danish).toContain("9.500,00");
  });

  it("do not exist for standard users", async () => {
    for (const page of ["/revenue/remaining", "/revenue/deferred", "/revenue/deferred/export"]) {
      expect((await standard.get(page)).status).toBe(404);
    }
  });
});
