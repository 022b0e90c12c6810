/** My work without a script: the weeks of a user and of the team, the permissions, and the number of statements. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, proofOf } from "../../../test/support/browser/browser.ts";
import { statementsOf } from "../../../test/support/browser/statements.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useWork } from "../../../test/support/world/work.ts";
import type { Json } from "../../../test/support/world/world.ts";

const { world, at, line, hours, invoice, registered, active } = useWork({ knows_origin: true });
let admin: Browser;
let standard: Browser;
let sofie: Json;

beforeAll(async () => {
  const oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  const person = await oauth.person();
  standard = person.browser;
  sofie = { id: person.user_id };
});

const to = (): Json => ({ assignees: [{ user_id: sofie.id }] });
const DANISH = { "accept-language": "da" };
const WEEK = "/hours/2026-W47";
const worked = (invoiced: Json, date: string, fields: Json = {}): Promise<Json> =>
  registered(invoiced.lines[0].id, { user_id: sofie.id, date, ...fields });
/** The values of the hour fields in the row of a line. */
function fieldsOf(html: string, name: string): string[] {
  const row = html.split("<tr").find((one) => one.includes(`<span class="strong">${name}<`)) ?? "";
  const fields = [...row.matchAll(/<input class="hour"([^>]*)>/g)];
  return fields.map(([, field = ""]) => /value="([^"]*)"/.exec(field)?.[1] ?? "");
}

describe("a week", () => {
  beforeAll(async () => {
    at("2026-11-22");
    const shop = await invoice([hours({ ...to(), hourly_rate: 1150 })], { title: "Webshop" });
    await worked(shop, "2026-11-17", { hours: 7 });
    await worked(shop, "2026-11-18", { hours: 5.5, note: "Checkout, second round" });
    const progress = { recognition_method: "progress", budget_hours: 20, ...to() };
    const tickets = await invoice([line(progress)], { title: "Ticket shop" });
    await worked(tickets, "2026-11-16", { hours: 15.5 });
    const campaign = await invoice([hours(to())], { title: "Campaign" });
    await worked(campaign, "2026-11-16", { hours: 2 });
    await world.done(`POST /invoices/${campaign.id}/issue`);
    const series = { start_date: "2026-11-01", issue_timing: { mode: "end-of-period" } };
    await active({ lines: [hours(to())], ...series });
  });

  it("is complete without a script: lines, hours, sums, reasons and budgets", async () => {
    const { html, status } = await standard.get(WEEK);
    expect(status).toBe(200);
    expect(html).toContain("Week 47, 16");
    expect(fieldsOf(html, "Webshop")).toEqual(["", "7.00", "5.50", "", "", "", ""]);
    expect(fieldsOf(html, "Ticket shop").slice(0, 2)).toEqual(["15.50", ""]);
    for (const shown of [
      "Webshop, Wednesday 18 November, note: Checkout, second round",
      "15.50 of 20 h",
      "1,150.00 an hour",
      // The sums of the line, of the day and of the week.
      "12.50",
      "17.50",
      "30.00",
      "Issued on 22 Nov 2026 as invoice 1: its hours are frozen.",
    ]) {
      expect(html).toContain(shown);
    }
    // Without a script, no field can be edited.
    expect(html.match(/<input class="hour"/g)?.length).toBe(html.match(/readonly/gi)?.length);
  });

  it("has Danish numbers and dates for Danish readers", async () => {
    const { html } = await standard.get(WEEK, DANISH);
    expect(fieldsOf(html, "Webshop")).toEqual(["", "7,00", "5,50", "", "", "", ""]);
    expect(html).toContain("15,50 af 20 t");
    expect(html).toContain("Webshop, onsdag 18. november");
  });

  it("is the current one unless the path names another", async () => {
    const own = await standard.get("/hours");
    expect([own.status, own.location]).toEqual([303, WEEK]);
    const remote = await admin.get(`/hours?user=${sofie.id}`);
    expect(remote.location).toBe(`${WEEK}?user=${sofie.id}`);
    const { html } = await standard.get(WEEK);
    expect(html).toContain('href="/hours/2026-W46"');
    expect(html).toContain('href="/hours/2026-W48"');
    for (const invalid of ["2026-W54", "2025-W53", "2026-47", "next", "2026-W7"]) {
      expect((await standard.get(`/hours/${invalid}`)).status).toBe(404);
    }
  });

  it("is visible to its user and to admins of the account", async () => {
    const { html } = await admin.get(`${WEEK}?user=${sofie.id}`);
    expect(fieldsOf(html, "Webshop")[1]).toBe("7.00");
    expect(html).toContain("Whose hours");
    expect((await admin.get(WEEK)).html).not.toContain("Webshop");
    const admin_id = world.account.admin.user_id;
    const another = await world.openAnother();
    for (const [browser, user] of [
      [standard, admin_id],
      [standard, "unknown"],
      [standard, another.admin.user_id],
      [admin, another.admin.user_id],
      [admin, "unknown"],
    ] as const) {
      expect((await browser.get(`${WEEK}?user=${user}`)).status).toBe(404);
    }
    expect((await standard.get(WEEK)).html).not.toContain("Whose hours");
  });

  it("asks the database for at most thirteen statements", async () => {
    await standard.get(WEEK);
    const countOf = (browser: Browser, path: string): Promise<number> =>
      statementsOf(async () => expect((await browser.get(path)).status).toBe(200));
    const counts = [
      await countOf(standard, WEEK),
      await countOf(admin, `${WEEK}?user=${sofie.id}`),
      await countOf(admin, "/hours/team"),
    ];
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(Math.max(...counts)).toBeLessThanOrEqual(13);
  });
});

describe("the week of the team", () => {
  it("shows the hours by user and day, with missing hours marked", async () => {
    at("2026-11-22");
    const { html } = await admin.get("/hours/team?week=2026-W47");
    const row = html.split("<tr").find((one) => one.includes(sofie.id)) ?? "";
    const href = `/hours/2026-W47?user=${sofie.id}`;
    expect(row).toContain(`<a href="${href}">17.50</a>`);
    // Thursday and Friday; a weekend misses no hours.
    expect(row.match(/Missing/g)).toHaveLength(2);
    expect((await admin.get("/hours/team?week=2026-W48")).html).not.toContain("Missing");
    expect((await admin.get("/hours/team", DANISH)).html).toContain("Mangler");
  });

  it("is visible only to admins", async () => {
    expect((await standard.get("/hours/team")).status).toBe(404);
    expect((await standard.get(WEEK)).html).not.toContain("/hours/team");
  });
});

describe("saving a cell", () => {
  const saved = async (browser: Browser, fields: Json = {}) => {
    const draft = await invoice([hours()]);
    const cell = {
      user_id: sofie.id,
      line_id: draft.lines[0].id,
      date: "2026-11-20",
      seen: [],
      entries: [{ id: null, hours: 1.25, billable: true, note: "By hand" }],
      ...fields,
    };
    return browser.act("/app/hours/save", cell, await proofOf(browser));
  };

  it("is permitted for own hours, and for admins for all users", async () => {
    at("2026-11-22");
    for (const browser of [standard, admin]) {
      const { status, body } = await saved(browser);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        saved: true,
        registered: [{ hours: 125, billable: true, note: "By hand" }],
      });
    }
    const forged = await saved(standard, { user_id: world.account.admin.user_id });
    expect([forged.status, forged.body.error.code]).toEqual([403, "ROLE_FORBIDDEN"]);
  });

  it("does not reveal a cell of another user", async () => {
    at("2026-11-22");
    const admin_id = world.account.admin.user_id;
    const remote = await invoice([hours()]);
    const line_id = remote.lines[0].id;
    const secret = { user_id: admin_id, date: "2026-11-19", hours: 2, note: "Between us" };
    await registered(line_id, secret);
    for (const entries of [[], [{ id: null, hours: 2, billable: true, note: null }]]) {
      const cell = { line_id, date: "2026-11-19", user_id: admin_id, entries };
      const { status, body } = await saved(standard, cell);
      expect([status, JSON.stringify(body).includes("Between us")]).toEqual([403, false]);
    }
  });

  it("is refused for the same reasons as in the API", async () => {
    const late = await saved(standard, { date: "2026-11-23" });
    expect([late.status, late.body.error.code]).toEqual([409, "WORK_DATE_IN_FUTURE"]);
    const another = await world.openAnother();
    const foreign = await saved(admin, { line_id: another.admin.user_id });
    expect([foreign.status, foreign.body.error.code]).toEqual([404, "NOT_FOUND"]);
    const much = { id: null, hours: 25, billable: true, note: null };
    const { status, body } = await saved(standard, { entries: [much] });
    expect([status, body.error.field_errors[0].field]).toEqual([422, "entries[0].hours"]);
  });
});
