/** A retainer from its start to its activation as pages: customer, rhythm, lines, periods ahead, and periods that have passed. */
import { beforeAll, describe, expect, it } from "vitest";
import {
  type Browser,
  type PageReply,
  proofOf,
  textOf,
} from "../../../test/support/browser/browser.ts";
import { statementsOf } from "../../../test/support/browser/statements.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { UNKNOWN_ID, useSeries } from "../../../test/support/world/series.ts";

const series = useSeries({ knows_origin: true });
const { world, at, draft, hours, line } = series;
const DANISH = { "accept-language": "da" };
let admin: Browser;
let standard: Browser;
let own: string;

const NEW = "/retainers/new";

beforeAll(async () => {
  ({ admin, standard, own } = await openConsent(world).signedInBoth());
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
  "l0.product_id": series.product.id,
  "l0.recognition_method": "value",
  "l0.price": "8,000",
  ...more,
});
/** The fields of a line of the form, by its number. */
const lineOf = (number: number, more: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ product_id: series.product.id, recognition_method: "value", ...more }).map(
      ([name, value]) => [`l${number}.${name}`, value],
    ),
  );
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
    const id = idOf(await created({ [`l0.who_${own}`]: "on", [`l0.share_${own}`]: "100" }));
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
    expect(await statementsOf(() => admin.get(`/retainers/${id}`))).toBeLessThanOrEqual(13);
  });

  it("takes numbers as the reader types them, and partial periods by days", async () => {
    const page = await admin.get(`${NEW}?customer=${series.customer.id}`, DANISH);
    const sent = fields({
      "l0.price": "31.000,00",
      start_date: "2027-03-01",
      end_date: "2027-03-10",
    });
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
    ["a price that is no number", { "l0.price": "much" }, "l0.price"],
    ["hours in advance", { "l0.recognition_method": "hours" }, "issue_timing.mode"],
    [
      "a day too far from its period",
      { "issue_timing.offset_days": "99" },
      "issue_timing.offset_days",
    ],
  ])("is refused with %s, at its field and with what was typed", async (_case, wrong, field) => {
    const page = await created(wrong);
    expect([409, 422]).toContain(page.status);
    expect(page.html).toContain(`id="${field}-fault"`);
    expect(page.html).toContain(`value="${fields(wrong)["l0.price"]}"`);
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
    const done = await created({ [`l0.who_${own}`]: "on" }, standard);
    expect((await standard.get(done.location ?? "")).status).toBe(200);
  });
});

describe("the form of a new retainer", () => {
  const path = () => `${NEW}?customer=${series.customer.id}`;
  const two = () => ({ ...lineOf(0, { price: "8,000" }), ...lineOf(1, { price: "500" }) });

  it("adds and removes lines without a script, and keeps what is typed", async () => {
    const first = await admin.get(path());
    const more = await admin.submit(first, NEW, { ...fields(), do: "add" });
    expect(more.status).toBe(200);
    expect(more.html).toContain('name="l1.product_id"');
    expect(more.html).toContain('value="8,000"');
    const less = await admin.submit(more, NEW, { ...fields(), ...two(), do: "remove 0" });
    expect(less.html).not.toContain('name="l0.product_id"');
    expect(less.html).toContain('name="l1.price" type="text" value="500"');
  });

  it("shows the next periods without a script, and stores nothing", async () => {
    const page = await admin.get(path());
    const sent = { ...fields(), ...two(), start_date: "1.3.27", do: "periods" };
    const shown = await admin.submit(page, NEW, sent);
    expect(textOf(shown)).toMatch(/8,500\.00 a month/);
    expect(textOf(shown)).toMatch(/1 Feb 2028 – 29 Feb 2028/);
    const { data } = await world.done("GET /recurring-series?limit=100");
    const created_now = await admin.submit(page, NEW, { ...fields(), ...two() });
    const after = await world.done("GET /recurring-series?limit=100");
    expect(after.data).toHaveLength(data.length + 1);
    expect((await series.show(idOf(created_now))).lines).toMatchObject([
      { agreed_value: 8000 },
      { agreed_value: 500 },
    ]);
    const wrong = { ...fields(), ...lineOf(1, { price: "x" }), do: "periods" };
    const refused = await admin.submit(page, NEW, wrong);
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('id="l1.price-fault"');
  });

  it("finds products by a text, and makes a new one", async () => {
    const proof = await proofOf(standard);
    const name = "Søgemaskineoptimering";
    const made = await standard.act("/app/retainers/new-product", { name }, proof);
    expect(made.body).toMatchObject({ name, product_number: null, unit: "parts" });
    const found = await standard.act("/app/retainers/products", { q: "maskine" }, proof);
    expect(found.body.data).toEqual([made.body]);
    const none = await standard.act("/app/retainers/products", { q: "x".repeat(201) }, proof);
    expect(none.status).toBe(422);
    const page = await standard.get(path());
    const typed = { ...fields(), "l0.product_id": made.body.id, "l0.price": "x" };
    expect(textOf(await standard.submit(page, NEW, typed))).toContain(name);
  });

  it("gets its periods by an action while it is typed, within the view of the person", async () => {
    const asked = { id: null, customer_id: series.customer.id, language: "en" };
    const proof = await proofOf(admin);
    const ahead = (typed: Record<string, string>) =>
      admin.act("/app/retainers/ahead", { ...asked, fields: typed }, proof);
    const { shown } = (await ahead({ ...fields(), ...two() })).body;
    expect(shown).toMatchObject({ currency: "DKK", every: "monthly", each: "850000" });
    expect(shown.periods).toHaveLength(12);
    expect(shown.periods[0]).toEqual({
      key: "2027-03",
      from: "2027-03-01",
      to: "2027-03-31",
      day: "2027-03-01",
      net: "850000",
    });
    // What is not complete or not valid yet is no failed request: the answer says why.
    for (const [wrong, code, field] of [
      [{ "l0.product_id": "" }, "required", "lines[0].product_id"],
      [{ "l0.price": "x" }, "invalid_type", "lines[0].agreed_value"],
    ] as const) {
      const { status, body } = await ahead({ ...fields(), ...wrong });
      expect(status).toBe(200);
      expect(body.refused.field_errors).toMatchObject([{ code, field }]);
    }
    const early = { ...fields(), "l0.recognition_method": "hours", "l0.price": "900" };
    expect((await ahead(early)).body.refused.code).toBe("SERIES_TIMING_CONFLICT");
    expect((await ahead({ ...fields(), "l0.price": "1".repeat(2_001) })).status).toBe(422);
    const hidden = await world.done("POST /customers", { name: "Unseen A/S" });
    const foreign = { ...asked, customer_id: hidden.id, fields: fields() };
    const standard_proof = await proofOf(standard);
    expect((await standard.act("/app/retainers/ahead", foreign, standard_proof)).status).toBe(404);
  });
});

describe("a draft", () => {
  const saved = async (id: string, sent: Record<string, string>, by = admin) => {
    const path = `/retainers/${id}`;
    return by.submit(await by.get(path), path, sent);
  };

  it("is saved as a whole: header, changed, removed and new lines", async () => {
    const lines = [line({ agreed_value: 100 }), line({ agreed_value: 200 }), hours()];
    const { id } = await draft({
      start_date: "2027-03-01",
      issue_timing: { mode: "end-of-period" },
      lines,
    });
    const [first = "", second = ""] = await series.lineIds(id);
    const page = await admin.get(`/retainers/${id}`);
    expect(page.html).toContain(`value="${second}"`);
    const done = await saved(id, {
      ...fields({ "issue_timing.mode": "start-of-period" }),
      ...lineOf(0, { line_id: first, price: "100", discount: "0" }),
      ...lineOf(1, { line_id: second, price: "250" }),
      ...lineOf(7, { price: "9" }),
    });
    expect(done.location).toBe(`/retainers/${id}`);
    const stored = await series.show(id);
    expect(stored.issue_timing).toEqual({ mode: "start-of-period" });
    expect(stored.lines.map((one: { agreed_value: number }) => one.agreed_value)).toEqual([
      100, 250, 9,
    ]);
    const { data } = await world.done("GET /audit-events?limit=100");
    const actions = data
      .filter((event: { resource_id: string }) => event.resource_id === id)
      .map(({ action }: { action: string }) => action);
    // The first line is as it was: nothing is recorded of it.
    expect(actions.sort()).toEqual([
      "created",
      "line_added",
      "line_changed",
      "line_removed",
      "updated",
    ]);
  });

  it("keeps the order of its lines as the form has it, with new ones between", async () => {
    const lines = [line({ agreed_value: 100 }), line({ agreed_value: 200 }), line()];
    const { id } = await draft({ start_date: "2027-03-01", lines });
    const [first = "", second = "", third = ""] = await series.lineIds(id);
    const page = await admin.get(`/retainers/${id}`);
    const reordered = {
      ...fields(),
      ...lineOf(0, { line_id: third, price: "3,100" }),
      ...lineOf(1, { line_id: "", price: "2*450" }),
      ...lineOf(2, { line_id: first, price: "100" }),
      ...lineOf(3, { line_id: second, price: "200" }),
    };
    const moved = await admin.submit(page, `/retainers/${id}`, { ...reordered, do: "up 2" });
    expect(moved.html).toMatch(
      new RegExp(`name="l1.line_id" value="${first}".*name="l3.line_id" value="${second}"`, "s"),
    );
    await admin.submit(page, `/retainers/${id}`, reordered);
    expect(await series.lineIds(id)).toEqual([third, expect.any(String), first, second]);
    const stored = await series.show(id);
    expect(stored.lines.map((one: { agreed_value: number }) => one.agreed_value)).toEqual([
      3100, 900, 100, 200,
    ]);
    const shown = await admin.get(`/retainers/${id}`);
    expect(shown.html).toMatch(/value="3,100.00".*value="900.00".*value="100.00"/s);
    // Saved as it is shown, nothing of its lines is recorded again.
    const [, added = ""] = await series.lineIds(id);
    const same = [third, added, first, second].map((line_id, number) =>
      lineOf(number, { line_id, price: ["3100", "900", "100", "200"][number] ?? "" }),
    );
    await admin.submit(shown, `/retainers/${id}`, Object.assign(fields(), ...same));
    const { data } = await world.done("GET /audit-events?limit=100");
    const actions = data
      .filter((event: { resource_id: string }) => event.resource_id === id)
      .map(({ action }: { action: string }) => action);
    expect(actions.filter((action: string) => action.startsWith("line")).sort()).toEqual([
      "line_added",
      "lines_reordered",
    ]);
  });

  it("is not saved over another person's change, unless it is saved again", async () => {
    const { id } = await draft({ start_date: "2027-03-01" });
    const [line_id = ""] = await series.lineIds(id);
    const path = `/retainers/${id}`;
    const page = await admin.get(path);
    await series.change(id, { auto_send: true });
    const sent = { ...fields(), ...lineOf(0, { line_id, price: "77" }) };
    const refused = await admin.submit(page, path, sent);
    expect(refused.status).toBe(409);
    expect(textOf(refused)).toContain("Another user has changed this");
    expect(refused.html).toContain('value="77"');
    const done = await admin.submit(refused, path, sent);
    expect(done.status).toBe(303);
    expect((await series.show(id)).lines).toMatchObject([{ agreed_value: 77 }]);
  });

  it("shows the periods of what is typed, and saves nothing of it", async () => {
    const { id } = await draft({ start_date: "2027-03-01" });
    const [line_id = ""] = await series.lineIds(id);
    const typed = { ...fields(), ...lineOf(0, { line_id, price: "777" }) };
    const shown = await saved(id, { ...typed, do: "periods" });
    expect(textOf(shown)).toMatch(/777\.00 a month/);
    const asked = { id, customer_id: series.customer.id, language: "en", fields: typed };
    const { body } = await admin.act("/app/retainers/ahead", asked, await proofOf(admin));
    expect(body.shown.each).toBe("77700");
    expect((await series.show(id)).lines).toMatchObject([{ agreed_value: 3100 }]);
  });

  it("of other people is no draft for a standard user", async () => {
    const { id } = await draft({ start_date: "2027-03-01" });
    expect((await standard.get(`/retainers/${id}`)).status).toBe(404);
    const standard_proof = await proofOf(standard);
    const asked = { id, customer_id: series.customer.id, language: "en", fields: fields() };
    expect((await standard.act("/app/retainers/ahead", asked, standard_proof)).status).toBe(404);
  });

  it("gets another rhythm", async () => {
    const { id } = await draft({ start_date: "2027-03-01" });
    const path = `/retainers/${id}/edit`;
    const page = await admin.get(path);
    expect(page.html).toContain('value="01/03/2027"');
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
    expect(page.html).toContain('value="500.00"');
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
