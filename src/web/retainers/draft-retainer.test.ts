/** A retainer from its start to its activation as pages: customer, rhythm, lines, periods ahead, and periods that have passed. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, type PageReply, textOf } from "../../../test/support/browser/browser.ts";
import { statementsOf } from "../../../test/support/browser/statements.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { UNKNOWN_ID, useSeries } from "../../../test/support/world/series.ts";

const series = useSeries({ knows_origin: true });
const { world, at, draft, line } = series;
const DANISH = { "accept-language": "da" };
let admin: Browser;
let standard: Browser;
let own: string;

const NEW = "/retainers/new";

beforeAll(async () => {
  const oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  const person = await oauth.person();
  standard = person.browser;
  own = person.user_id;
  at("2027-03-10");
});

/** The fields of a monthly retainer from 1 March 2027 with one line of 8,000. */
const fields = (more: Record<string, string> = {}): Record<string, string> => ({
  frequency: "monthly",
  alignment: "anniversary",
  start_date: "2027-03-01",
  end_date: "",
  "issue_timing.mode": "start-of-period",
  "issue_timing.offset_days": "0",
  auto_send: "",
  product_id: series.product.id,
  recognition_method: "value",
  price: "8,000",
  ...more,
});
const created = async (more: Record<string, string> = {}, by = admin): Promise<PageReply> => {
  const page = await by.get(`${NEW}?customer=${series.customer.id}`);
  return by.submit(page, NEW, fields(more));
};
const idOf = ({ location }: PageReply): string => location?.split("/").at(-1) ?? "";

describe("a new retainer", () => {
  it("begins with its customer", async () => {
    const page = await admin.get(NEW);
    expect(page.html).toContain(`${NEW}?customer=${series.customer.id}`);
    const form = await admin.get(`${NEW}?customer=${series.customer.id}`);
    expect(textOf(form)).toContain("New retainer for Acme A/S");
    expect(textOf(await admin.get(`${NEW}?customer=${series.customer.id}`, DANISH))).toContain(
      "Ny fast aftale med Acme A/S",
    );
    expect((await admin.get(`${NEW}?customer=${UNKNOWN_ID}`)).status).toBe(404);
  });

  it("is a draft with a line, and shows its next twelve periods", async () => {
    const id = idOf(await created({ [`who_${own}`]: "on", [`share_${own}`]: "100" }));
    const stored = await series.show(id);
    expect(stored).toMatchObject({
      status: "draft",
      start_date: "2027-03-01",
      lines: [{ agreed_value: 8000, assignees: [{ user_id: own, distribution_percentage: 100 }] }],
    });
    const text = textOf(await admin.get(`/retainers/${id}`));
    expect(text).toMatch(/March 2027 .*1 Mar 2027 – 31 Mar 2027 .*1 Mar 2027 .*8,000\.00/);
    expect(text).toContain("February 2028");
    expect(text).not.toContain("March 2028");
    expect(await statementsOf(() => admin.get(`/retainers/${id}`))).toBeLessThanOrEqual(12);
  });

  it("takes numbers as the reader types them, and partial periods by days", async () => {
    const page = await admin.get(`${NEW}?customer=${series.customer.id}`, DANISH);
    const sent = fields({ price: "31.000,00", start_date: "2027-03-01", end_date: "2027-03-10" });
    const csrf = /name="csrf" value="([^"]+)"[^>]*><input type="hidden" name="customer_id"/.exec(
      page.html,
    )?.[1];
    const done = await admin.post(
      NEW,
      { ...sent, csrf: csrf ?? "", customer_id: series.customer.id },
      DANISH,
    );
    expect(done.status).toBe(303);
    const text = textOf(await admin.get(`/retainers/${idOf(done)}`, DANISH));
    expect(text).toContain("10.000,00");
  });

  it.each([
    ["no first day", { start_date: "" }, "start_date"],
    ["an end before its start", { end_date: "2027-02-01" }, "end_date"],
    ["a price that is no number", { price: "much" }, "price"],
    ["hours in advance", { recognition_method: "hours" }, "issue_timing.mode"],
    [
      "a day too far from its period",
      { "issue_timing.offset_days": "99" },
      "issue_timing.offset_days",
    ],
  ])("is refused with %s, at its field and with what was typed", async (_case, wrong, field) => {
    const page = await created(wrong);
    expect([409, 422]).toContain(page.status);
    expect(page.html).toContain(`id="${field}-fault"`);
    expect(page.html).toContain('value="8,000"'.replace("8,000", fields(wrong).price ?? ""));
  });

  it("of a standard user has a line of their own, for a customer in their view", async () => {
    await draft({ lines: [line({ assignees: [{ user_id: own }] })] });
    const other = await world.done("POST /customers", { name: "Hidden A/S" });
    expect((await standard.get(`${NEW}?customer=${other.id}`)).status).toBe(404);
    expect((await standard.get(NEW)).html).not.toContain("Hidden A/S");
    await world.done("POST /invoices", {
      customer_id: series.customer.id,
      lines: [line({ assignees: [{ user_id: own }] })],
    });
    const refused = await created({}, standard);
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('class="fault"');
    const done = await created({ [`who_${own}`]: "on" }, standard);
    expect((await standard.get(done.location ?? "")).status).toBe(200);
  });
});

describe("a draft", () => {
  it("gets another rhythm", async () => {
    const { id } = await draft({ start_date: "2027-03-01" });
    const path = `/retainers/${id}/edit`;
    const page = await admin.get(path);
    expect(page.html).toContain('value="2027-03-01"');
    const done = await admin.submit(page, path, {
      ...fields({ frequency: "quarterly", "issue_timing.mode": "end-of-period" }),
    });
    expect(done.location).toBe(`/retainers/${id}`);
    expect(await series.show(id)).toMatchObject({
      frequency: "quarterly",
      issue_timing: { mode: "end-of-period" },
    });
  });

  it("gets lines, which are changed and removed at once", async () => {
    const { id } = await draft({ start_date: "2027-03-01", lines: [] });
    const add = `/retainers/${id}/lines/new`;
    const typed = { product_id: series.product.id, recognition_method: "value", price: "500" };
    expect((await admin.submit(await admin.get(add), add, typed)).location).toBe(
      `/retainers/${id}`,
    );
    const [line_id] = await series.lineIds(id);
    const change = `/retainers/${id}/lines/${line_id}`;
    const page = await admin.get(change);
    expect(page.html).toContain('value="500"');
    await admin.submit(page, change, { ...typed, price: "600", description_override: "Support" });
    expect((await series.show(id)).lines).toMatchObject([
      { agreed_value: 600, description_override: "Support" },
    ]);
    const remove = `${change}/remove`;
    await admin.submit(await admin.get(remove), remove, {});
    expect((await series.show(id)).lines).toEqual([]);
    const refused = await admin.submit(await admin.get(add), add, { ...typed, price: "x" });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('id="price-fault"');
  });

  it("without a line is not activated", async () => {
    const { id } = await draft({ lines: [] });
    expect(textOf(await admin.get(`/retainers/${id}/activate`))).toContain("at least one line");
  });
});

describe("the activation", () => {
  it("says what goes out today and what is next", async () => {
    const { id } = await draft({ start_date: "2027-03-10" });
    const path = `/retainers/${id}/activate`;
    const page = await admin.get(path);
    const text = textOf(page);
    expect(text).toContain("March 2027: DKK 3,100.00 net, within the hour.");
    expect(text).toContain("April 2027 on 10 Apr 2027: DKK 3,100.00 net.");
    expect(page.html).not.toContain("past_periods");
    const done = await admin.submit(page, path, {});
    expect(done.location).toBe(`/retainers/${id}`);
    expect(await series.runOf(id)).toEqual(["issued 2027-03"]);
    expect((await admin.get(path)).location).toBe(`/retainers/${id}`);
  });

  it.each([
    ["keep", ["2027-01 scheduled", "2027-02 scheduled", "2027-03 scheduled"]],
    ["skip", ["2027-01 skipped", "2027-02 skipped", "2027-03 scheduled"]],
  ])("asks for periods that have passed: %s", async (past_periods, states) => {
    const { id } = await draft({ start_date: "2027-01-01" });
    const path = `/retainers/${id}/activate`;
    const page = await admin.get(path);
    expect(textOf(page)).toContain("2 periods have ended before today.");
    expect(textOf(page)).toMatch(/Wait for you January 2027, February 2027, March 2027/);
    expect(textOf(await admin.get(path, DANISH))).toContain("Lad dem være op til mig");
    await admin.submit(page, path, { past_periods });
    expect((await series.statuses(id)).slice(0, 3)).toEqual(states);
    expect(await series.runOf(id)).toEqual([]);
  });

  it("is refused when the retainer has changed since it was shown", async () => {
    const { id } = await draft({ start_date: "2027-03-10" });
    const path = `/retainers/${id}/activate`;
    const page = await admin.get(path);
    await series.change(id, { start_date: "2027-04-10" });
    const stale = await admin.submit(page, path, {});
    expect(stale.status).toBe(409);
    expect(textOf(stale)).toContain("it was not activated");
    expect((await series.show(id)).status).toBe("draft");
  });

  it("by a standard user is limited to their view", async () => {
    const hidden = await draft({ start_date: "2027-03-10" });
    const path = `/retainers/${hidden.id}/activate`;
    expect((await standard.get(path)).status).toBe(404);
    const mine = await draft({
      start_date: "2027-03-10",
      lines: [line({ assignees: [{ user_id: own }] })],
    });
    const own_path = `/retainers/${mine.id}/activate`;
    expect((await standard.submit(await standard.get(own_path), own_path, {})).status).toBe(303);
    expect((await series.show(mine.id)).status).toBe("active");
  });
});
