/** The accruals and the revenue of a customer as pages: what is booked is what the confirmation showed. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Browser, PageReply } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { openStudio, type Studio } from "../../../test/support/world/studio.ts";
import { useWorld } from "../../../test/support/world/world.ts";

const world = useWorld({ knows_origin: true });
const DANISH = { "accept-language": "da" };
let admin: Browser;
let standard: Browser;
let studio: Studio;
let card: string;
let line_id: string;

beforeAll(async () => {
  const oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  const person = await oauth.person();
  standard = person.browser;
  studio = await openStudio(world, world.account);
  studio.at("2026-03-20");
  card = `/customers/${studio.customer}`;
  const issued = await studio.issued(
    [
      {
        ...studio.service(3000, "2026-01-01", "2026-03-31"),
        assignees: [{ user_id: person.user_id }],
      },
    ],
    { issue_date: "2026-01-10" },
  );
  line_id = issued.lines[0].id;
});

const textOf = ({ html }: PageReply): string => html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
const at = (month: string, verb: "book" | "reopen") => `${card}/accruals/${month}/${verb}`;
const confirmed = async (path: string, fields: Record<string, string> = {}): Promise<PageReply> =>
  admin.submit(await admin.get(path), path, fields);
const downloaded = (of: Browser, path: string, headers: Record<string, string> = {}) =>
  fetch(world.origin + path, { headers: { ...headers, cookie: `matchbook=${of.cookie()}` } });
const statusOf = async (month: string) => (await studio.accrual(month)).status;

describe("the accruals of a customer", () => {
  it("offer to book the first open month that has ended, and no other", async () => {
    const { html } = await admin.get(`${card}?tab=accruals`);
    expect(html).toContain(at("2026-01", "book"));
    expect(html).not.toContain(at("2026-02", "book"));
    expect(html).not.toContain("/reopen");
  });

  it("show the voucher before it is booked, as the API computes it", async () => {
    const text = textOf(await admin.get(at("2026-01", "book")));
    expect(text).toContain("Book January 2026 for Acme A/S?");
    expect(text).toContain("One voucher, dated 31 Jan 2026.");
    expect(await studio.entries("2026-01")).toEqual([
      ["contract_liability", -2000],
      ["revenue", 2000],
    ]);
    expect(text).toMatch(/6900 Contract liability .*2,000\.00/);
    const danish = textOf(await admin.get(at("2026-01", "book"), DANISH));
    expect(danish).toContain("Bogfør januar 2026 for Acme A/S?");
    expect(danish).toContain("2.000,00");
    expect(danish).not.toMatch(/Debit|Account|voucher/);
  });

  it("refuse a later month in words", async () => {
    const page = await admin.get(at("2026-02", "book"));
    expect(page.status).toBe(200);
    expect(page.html).not.toContain('name="digest"');
    expect(textOf(page)).toMatch(/earlier month/i);
  });

  it("book nothing when the figures have changed since they were shown", async () => {
    const path = at("2026-01", "book");
    const page = await admin.get(path);
    await studio.issued([studio.service(310, "2026-01-01", "2026-02-28")], {
      issue_date: "2026-02-01",
    });
    const refused = await admin.submit(page, path, {});
    expect(refused.status).toBe(409);
    expect(textOf(refused)).toContain("The accrual has changed since you saw it.");
    expect(await statusOf("2026-01")).toBe("draft");
  });

  it("are booked once, with a notice and the voucher", async () => {
    const { location } = await confirmed(at("2026-01", "book"));
    expect(location).toBe(`${card}?tab=accruals`);
    expect(await statusOf("2026-01")).toBe("booked");
    const [voucher] = await studio.vouchers();
    const { html } = await admin.get(`${card}?tab=accruals`);
    expect(html).toContain(`/ledger/entries/${voucher.guid}`);
    expect(html).toContain(at("2026-01", "reopen"));
    expect(html).toContain(at("2026-02", "book"));
  });

  it("are reopened only with a reason, and the voucher is reversed", async () => {
    const path = at("2026-01", "reopen");
    const without = await confirmed(path, { reason: " " });
    expect(without.status).toBe(422);
    expect(await statusOf("2026-01")).toBe("booked");
    expect(textOf(await admin.get(path))).toContain("the same amounts with all signs reversed");
    expect((await confirmed(path, { reason: "Wrong hours" })).status).toBe(303);
    expect(await statusOf("2026-01")).toBe("draft");
    const [first, second] = await studio.vouchers();
    expect(second.reverses_guid).toBe(first.guid);
  });

  it("do not exist for a standard user", async () => {
    for (const verb of ["book", "reopen"] as const) {
      expect((await standard.get(at("2026-01", verb))).status).toBe(404);
    }
    expect((await standard.get(card)).html).not.toContain("tab=accruals");
  });

  it("are absent for a month without one", async () => {
    for (const month of ["2025-01", "2026-04", "nothing"]) {
      expect((await admin.get(at(month, "book"))).status).toBe(404);
    }
  });
});

describe("the revenue of a customer", () => {
  it("shows the lines by month, each amount with its explanation on the same page", async () => {
    const page = await admin.get(`${card}?tab=revenue`);
    const link = `?tab=revenue&amp;by=line&amp;explain=${line_id}.2026-02`;
    expect(page.html.replaceAll("&amp;", "&")).toContain(link.replaceAll("&amp;", "&"));
    const explained = await admin.get(`${card}?tab=revenue&by=line&explain=${line_id}.2026-02`);
    expect(textOf(explained)).toMatch(/Earned in February 2026 1,000\.00/);
    expect(explained.html).toContain(`href="${card}?tab=revenue&by=line"`.replaceAll("&", "&amp;"));
  });

  it("is sent as a file in the reader's language, with the rows and months of the screen", async () => {
    const address = `/revenue/export?by=line&from=2026-01&to=2026-03&customer=${studio.customer}`;
    const english = await downloaded(admin, address);
    expect(english.headers.get("content-disposition")).toContain("revenue-2026-01-2026-03.csv");
    const lines = (await english.text()).replace("\uFEFF", "").trim().split("\r\n");
    expect(lines[0]).toBe("Line,Document,Jan 26,Feb 26,Mar 26,Total");
    expect(lines[1]).toBe('Advice,"no. 1, Acme A/S",1000.00,1000.00,1000.00,3000.00');
    const danish = await downloaded(admin, address, DANISH);
    expect(danish.headers.get("content-disposition")).toContain(
      `filename*=UTF-8''${encodeURIComponent("omsætning-2026-01-2026-03.csv")}`,
    );
    const text = await danish.text();
    expect(text).toContain("Linje;Dokument;jan 26;feb 26;mar 26;I alt");
    expect(text).toContain(";1000,00;1000,00;1000,00;3000,00");
  });

  it("gives a standard user a file of their own revenue alone", async () => {
    const file = await downloaded(standard, "/revenue/export?by=person&from=2026-01&to=2026-03");
    const lines = (await file.text()).replace("\uFEFF", "").trim().split("\r\n");
    expect(lines).toEqual([
      "Customer,Jan 26,Feb 26,Mar 26,Total",
      "Acme A/S,1000.00,1000.00,1000.00,3000.00",
    ]);
  });
});
