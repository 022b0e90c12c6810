/** POST /work-registrations on drafts: storing, pricing and repetitions (spec 2.2 and 6.1). */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useWork } from "../../../../test/support/world/work.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const {
  world,
  customer,
  line,
  hours,
  bo,
  eva,
  newUser,
  invoice,
  draftLine,
  work,
  register,
  registered,
  showWork,
  list,
} = useWork();

const totals = (id: string): Promise<Json> => world.done(`GET /invoices/${id}/totals`);

describe("POST /work-registrations", () => {
  it("returns the registration with the price of the line", async () => {
    const draft = await invoice([hours({ hourly_rate: 1200.5, discount: 12.5 })]);
    const line_id = draft.lines[0].id;
    const reply = await register(line_id, {
      hours: 1.25,
      date: "2026-03-09",
      note: "Workshop, day 1",
      external_id: "t-1",
    });

    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      object: "work_registration",
      id: expect.any(String),
      external_id: "t-1",
      line_id,
      invoice_id: draft.id,
      series_id: null,
      period: null,
      customer_id: customer.id,
      user_id: bo(),
      date: "2026-03-09",
      hours: 1.25,
      billable: true,
      note: "Workshop, day 1",
      status: "open",
      hourly_rate: 1200.5,
      amount: 1313.05,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
      updated_at: reply.body.created_at,
    });
    expect(await showWork(reply.body.id)).toEqual(reply.body);
    expect(await showWork("ext:t-1")).toEqual(reply.body);
  });

  it("is dated today in the account's time zone", async () => {
    world.clock.set("2026-03-09T23:30:00Z");
    expect((await registered(await draftLine())).date).toBe("2026-03-10");
    world.clock.set("2026-03-10T09:00:00Z");
  });

  it("shows the rate of an assignee, and the line's rate for any other user (105)", async () => {
    const line_id = await draftLine({ assignees: [{ user_id: eva(), hourly_rate_override: 800 }] });
    const amounts = [];
    for (const user_id of [eva(), bo()]) {
      const { hourly_rate, amount } = await registered(line_id, { user_id, hours: 0.01 });
      amounts.push([hourly_rate, amount]);
    }
    expect(amounts).toEqual([
      [800, 8],
      [1000, 10],
    ]);
  });

  it("is worth 0 when it is not billable, and has no rate on fixed lines", async () => {
    const unbilled = await registered(await draftLine(), { billable: false });
    expect(unbilled).toMatchObject({ billable: false, hourly_rate: 1000, amount: 0 });
    const { lines } = await invoice([line({ hourly_rate: 900 })]);
    const fixed = await registered(lines[0].id);
    expect(fixed).toMatchObject({ hourly_rate: null, amount: null });
  });

  it("follows the line when its price changes", async () => {
    const draft = await invoice([hours()]);
    const { id, amount } = await registered(draft.lines[0].id);
    await world.done(`PATCH /invoices/${draft.id}`, { lines: [hours({ hourly_rate: 1100 })] });

    expect([amount, (await showWork(id)).amount]).toEqual([2000, 2200]);
    expect((await totals(draft.id)).net).toBe(2200);
  });

  it("follows the invoice to another customer", async () => {
    const draft = await invoice([hours()]);
    const { id } = await registered(draft.lines[0].id);
    const other = await world.done("POST /customers", { name: "Beta ApS" });
    await world.done(`PATCH /invoices/${draft.id}`, { customer_id: other.id });

    expect((await showWork(id)).customer_id).toBe(other.id);
    expect(await list(`customer=${other.id}`)).toHaveLength(1);
  });

  it("is recorded in the audit trail", async () => {
    const shown = await registered(await draftLine());
    const { data } = await world.done(`GET /audit-events?resource_id=${shown.id}`);
    expect(data).toMatchObject([
      { action: "created", resource_type: "work_registration", before: null, after: shown },
    ]);
  });
});

describe("the amount of a line by hours", () => {
  it("groups the billable hours by rate on totals and document (21)", async () => {
    const third = await newUser();
    const draft = await invoice([
      hours({
        hourly_rate: 1200,
        discount: 5,
        assignees: [
          { user_id: eva(), hourly_rate_override: 1500 },
          { user_id: bo(), hourly_rate_override: 1200 },
        ],
      }),
    ]);
    const line_id = draft.lines[0].id;
    await registered(line_id, { hours: 3.5 });
    await registered(line_id, { hours: 4, user_id: third });
    await registered(line_id, { hours: 2.25, user_id: eva() });
    await registered(line_id, { hours: 9, user_id: eva(), billable: false });

    const before = await totals(draft.id);
    expect(before.lines[0].rows).toEqual([
      { quantity: 2.25, unit_price: 1500, discount: 5, net: 3206.25 },
      { quantity: 7.5, unit_price: 1200, discount: 5, net: 8550 },
    ]);
    expect(before).toMatchObject({ net: 11756.25, vat: 2939.06, gross: 14695.31 });

    await world.done(`POST /invoices/${draft.id}/issue`);
    const after = await totals(draft.id);
    expect({ ...after, warnings: [] }).toEqual({ ...before, warnings: [] });
  });

  it("is frozen with the invoice, whose work becomes invoiced", async () => {
    const draft = await invoice([hours(), line()]);
    const made = [];
    for (const { id } of draft.lines) made.push(await registered(id));
    await world.done(`POST /invoices/${draft.id}/issue`);

    for (const { id, updated_at } of made) {
      const shown = await showWork(id);
      expect(shown).toMatchObject({ status: "invoiced", invoice_id: draft.id });
      expect(shown.updated_at > updated_at).toBe(true);
    }
  });

  it("leaves a text line next to others, and nothing to invoice alone", async () => {
    const both = await invoice([hours(), line()]);
    await world.done(`POST /invoices/${both.id}/issue`);
    const { lines, net } = await totals(both.id);
    expect([net, lines[0].net, lines[0].rows]).toEqual([3100, 0, []]);

    const alone = await invoice([hours()]);
    await registered(alone.lines[0].id, { billable: false });
    const reply = await world.rest(`POST /invoices/${alone.id}/issue`);
    expect(refusal(reply)).toBe("409 INVOICE_EMPTY");
  });
});

describe("the same external id", () => {
  it("with the same content returns the existing registration, and stores one", async () => {
    const line_id = await draftLine();
    const body = { external_id: "once", date: "2026-03-02", note: null };
    const first = await register(line_id, body);
    const again = await register(line_id, { ...body, billable: true, note: undefined });

    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
    expect(await list(`line=${line_id}`)).toHaveLength(1);
  });

  it("is compared with the content that was sent first, not with later changes", async () => {
    const line_id = await draftLine();
    const { id } = await registered(line_id, { external_id: "changed" });
    await world.done(`PATCH /work-registrations/${id}`, { hours: 3 });

    expect((await register(line_id, { external_id: "changed" })).body).toMatchObject({
      id,
      hours: 3,
    });
    expect(refusal(await register(line_id, { external_id: "changed", hours: 3 }))).toBe(
      "409 EXTERNAL_ID_CONFLICT",
    );
  });

  it("is answered even when the line is no longer open", async () => {
    const draft = await invoice([hours()]);
    const line_id = draft.lines[0].id;
    await registered(line_id, { external_id: "issued since" });
    await world.done(`POST /invoices/${draft.id}/issue`);

    const again = await register(line_id, { external_id: "issued since" });
    expect([again.status, again.body.status]).toEqual([200, "invoiced"]);
  });

  it("in ten parallel requests makes one registration", async () => {
    const line_id = await draftLine();
    const body = work(line_id, { external_id: "ten" });
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => world.rest("POST /work-registrations", body)),
    );
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(9).fill(200), 201]);
    expect(await list(`line=${line_id}`)).toHaveLength(1);
  });
});
