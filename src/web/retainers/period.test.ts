/** A retainer and its periods as pages: the strip, lines, skip and its way back, failure and issue. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, type PageReply, textOf } from "../../../test/support/browser/browser.ts";
import { statementsOf } from "../../../test/support/browser/statements.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { UNKNOWN_ID, useSeries } from "../../../test/support/world/series.ts";

const series = useSeries({ knows_origin: true });
const { world, at, active, draft, line, hours } = series;
const DANISH = { "accept-language": "da" };
let admin: Browser;
let standard: Browser;
let own: string;

const statusOf = async (id: string, period: string): Promise<string> =>
  (await series.occurrence(id, period)).status;
/** Opens the confirmation of a deed on a period and submits it. */
const confirmed = async (path: string, fields = {}, by = admin): Promise<PageReply> =>
  by.submit(await by.get(path), path, fields);

beforeAll(async () => {
  ({ admin, standard, own } = await openConsent(world).signedInBoth());
  at("2027-03-10");
});

describe("a retainer", () => {
  it("shows its facts, its lines and its periods", async () => {
    const { id } = await active({
      start_date: "2027-01-01",
      lines: [
        line({ agreed_value: 8000, description_override: "Design retainer" }),
        line({ agreed_value: 500, assignees: [{ user_id: own }] }),
      ],
    });
    const { ledger_invoice_number: number } = await series.issued(id, "2027-01");
    const page = await admin.get(`/retainers/${id}`);
    const text = textOf(page);
    expect(text).toContain("Acme A/S · Monthly since 1 Jan 2027, in advance");
    expect(page.html).toContain("<h1>Design retainer</h1>");
    expect(text).toMatch(/Design retainer Over time .*Not assigned .*8,000\.00/);
    expect(text).toMatch(new RegExp(`January 2027, ● Invoice ${number} 8,500\\.00`));
    expect(text).toMatch(/February 2027, ○ on 1 February 8,500\.00/);
    expect(page.html.match(/class="num small"/g)).toHaveLength(24);
    expect(page.html).toContain(`?from=24`);
    const later = await admin.get(`/retainers/${id}?from=24`);
    expect(textOf(later)).toContain("January 2029");
    expect(later.html).toContain("?from=0");
    expect(textOf(await admin.get(`/retainers/${id}`, DANISH))).toContain(
      "Månedlig siden 1. jan. 2027, forud",
    );
    expect(await statementsOf(() => admin.get(`/retainers/${id}`))).toBeLessThanOrEqual(13);
  });

  it.each([
    ["weekly", "2027-W01", "Week 1, 2027"],
    ["quarterly", "2027-Q1", "Quarter 1, 2027"],
    ["half_yearly", "2027-H1", "First half of 2027"],
    ["yearly", "2027", "2027 ·"],
  ])("%s names its periods by their keys", async (frequency, key, name) => {
    const { id } = await active({ frequency, start_date: "2027-01-04" });
    const page = await admin.get(`/retainers/${id}/${key}`);
    expect(page.status).toBe(200);
    expect(textOf(page)).toContain(name);
    const by_day = await admin.get(`/retainers/${id}/2027-01-04`);
    expect(by_day.location).toBe(`/retainers/${id}/${key}`);
  });

  it("does not exist outside of the view, under a forged id, or in another account", async () => {
    const hidden = await active({ lines: [line()] });
    const seen = await active({ lines: [line({ assignees: [{ user_id: own }] })] });
    expect((await standard.get(`/retainers/${seen.id}`)).status).toBe(200);
    expect((await standard.get(`/retainers/${seen.id}/2027-01`)).status).toBe(200);
    for (const path of ["", "/2027-01", "/2027-01/skip", "/2027-01/issue"]) {
      expect((await standard.get(`/retainers/${hidden.id}${path}`)).status).toBe(404);
      expect((await admin.get(`/retainers/${UNKNOWN_ID}${path}`)).status).toBe(404);
    }
    for (const period of ["2026-12", "nothing", "2027-Q1", "2027-W01"]) {
      expect((await admin.get(`/retainers/${seen.id}/${period}`)).status).toBe(404);
    }
    const skip = `/retainers/${seen.id}/2027-01/skip`;
    const page = await standard.get(skip);
    const forged = await standard.submit(page, skip, {});
    expect(forged.status).toBe(303);
    const path = `/retainers/${hidden.id}/2027-01/skip`;
    expect((await standard.post(path, {})).status).toBe(400);
    expect(await statusOf(hidden.id, "2027-01")).toBe("scheduled");
  });
});

describe("a period", () => {
  it("is skipped with a reason, and waits again after the way back", async () => {
    const { id } = await active({ start_date: "2027-03-01" });
    const path = `/retainers/${id}/2027-04`;
    const done = await confirmed(`${path}/skip`, { reason: "Holiday" });
    expect(done.location).toBe(path);
    const page = await admin.get(path);
    expect(textOf(page)).toContain("Skipped: Holiday");
    expect(textOf(await admin.get(path, DANISH))).toContain("Sprunget over: Holiday");
    const back = await confirmed(`${path}/unskip`);
    expect(back.location).toBe(path);
    expect(await statusOf(id, "2027-04")).toBe("scheduled");
    expect((await admin.get(`${path}/unskip`)).location).toBe(path);
  });

  it("with hours shows them, and is not skipped", async () => {
    const { id } = await active({
      start_date: "2027-03-01",
      issue_timing: { mode: "end-of-period" },
      lines: [hours({ hourly_rate: 900, assignees: [{ user_id: own }] })],
    });
    const [of_march] = await series.linesOf(id, "2027-03");
    await world.done("POST /work-registrations", {
      ...{ line_id: of_march?.id, user_id: own, date: "2027-03-09", hours: 2.5, note: "Concept" },
    });
    const path = `/retainers/${id}/2027-03`;
    const text = textOf(await admin.get(path));
    expect(text).toMatch(/Concept .*2\.50/);
    expect(text).toContain("2,250.00");
    const ahead = textOf(await admin.get(`${path}/issue`));
    expect(ahead).toContain("Earns March 2027 DKK 2,250.00");
    expect(ahead).toContain("1 line and 2.50 registered hours.");
    const refused = await confirmed(`${path}/skip`, { reason: "No" });
    expect(refused.status).toBe(409);
    expect(textOf(refused)).toContain("Work is registered in the period");
    expect(refused.html).toContain('value="No"');
    expect(await statementsOf(() => admin.get(path))).toBeLessThanOrEqual(13);
  });

  it("is issued after the page has shown what is booked", async () => {
    const { id } = await active({ start_date: "2027-03-01" });
    const path = `/retainers/${id}/2027-03`;
    const page = await admin.get(`${path}/issue`);
    expect(textOf(page)).toContain("Net DKK 3,100.00 and VAT DKK 775.00");
    expect(textOf(page)).toContain("Earns March 2027 DKK 3,100.00");
    await series.change(id, { auto_send: true });
    const stale = await admin.submit(page, `${path}/issue`, {});
    expect(stale.status).toBe(409);
    expect(textOf(stale)).toContain("The data has changed since you saw this");
    const done = await admin.submit(stale, `${path}/issue`, {});
    expect(done.location).toBe(path);
    const { invoice_id } = await series.occurrence(id, "2027-03");
    const issued = await admin.get(path);
    expect((await admin.get(`/invoices/${invoice_id}`)).html).toContain(`href="${path}"`);
    expect(issued.html).toContain(`href="/invoices/${invoice_id}"`);
    expect(issued.html).not.toContain(`${path}/issue`);
    expect((await admin.get(`${path}/issue`)).location).toBe(path);
  });

  it("that failed says why and when it is tried again, and is issued now", async () => {
    const { id } = await active({ start_date: "2027-04-01" });
    await world.done(`POST /customers/${series.customer.id}/deactivate`);
    at("2027-04-01");
    expect(await series.runOf(id)).toEqual(["failed 2027-04 CUSTOMER_INACTIVE"]);
    const path = `/retainers/${id}/2027-04`;
    const text = textOf(await admin.get(path));
    expect(text).toContain("This period could not be issued.");
    expect(text).toMatch(/inactive.*1 attempt so far\. It is tried again 1 Apr 2027/);
    expect(textOf(await admin.get(path, DANISH))).toMatch(/Kunden er inaktiv\. .*Der prøves igen/);
    expect(textOf(await admin.get(`${path}/issue`))).toContain("inactive");
    await world.done(`POST /customers/${series.customer.id}/activate`);
    const done = await confirmed(`${path}/issue`);
    expect(done.location).toBe(path);
    expect(await statusOf(id, "2027-04")).toBe("issued");
  });

  it("of a draft activates it, and the page says so", async () => {
    const { id } = await draft({ start_date: "2027-04-01" });
    const path = `/retainers/${id}/2027-04/issue`;
    const page = await admin.get(path);
    expect(textOf(page)).toContain("Activates the retainer, which is a draft.");
    expect((await admin.submit(page, path, {})).status).toBe(303);
    expect((await series.show(id)).status).toBe("active");
  });
});
