/** Issuing an occurrence manually: one invoice for each period, its date and its lines (spec 4.4 to 4.6). */
import { beforeEach, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useSeries } from "../../../../test/support/world/series.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const {
  world,
  customer,
  line,
  hours,
  at,
  draft,
  active,
  show,
  issue,
  issued,
  skip,
  occurrence,
  statuses,
  linesOf,
  invoicesOf,
  refused,
} = useSeries();

beforeEach(() => at("2026-03-10"));

describe("POST /recurring-series/{ref}/occurrences/{period}/issue", () => {
  it("answers with the period's issued invoice, with exactly the fields of the interface", async () => {
    const { id } = await active({ currency: "EUR", start_date: "2026-03-10" });
    await world.done("PUT /exchange-rates/EUR/2026-03-03", { rate: 7.46 });

    const { status, body: invoice } = await issue(id, "2026-03");

    const [{ id: line_id }] = (await linesOf(id, "2026-03")) as [Json];
    expect(status).toBe(200);
    expect(invoice).toEqual({
      object: "invoice",
      id: expect.any(String),
      external_id: null,
      customer_id: customer.id,
      currency: "EUR",
      issue_date: "2026-03-10",
      title: null,
      auto_send: false,
      status: "issued",
      ledger_invoice_guid: invoice.id,
      ledger_invoice_number: expect.any(Number),
      issued_at: "2026-03-10T08:00:00.000Z",
      lines: [
        {
          id: line_id,
          product_id: expect.any(String),
          recognition_method: "value",
          agreed_value: 3100,
          hourly_rate: null,
          discount: 0,
          description_override: null,
          position: 1,
          assignees: [],
          service_from: "2026-03-10",
          service_to: "2026-04-09",
        },
      ],
      warnings: [
        expect.objectContaining({ code: "SELLER_INCOMPLETE" }),
        expect.objectContaining({ code: "NOBODY_ASSIGNED", field: "lines[0].assignees" }),
      ],
    });
    const { warnings: _, ...stored } = invoice;
    expect(await world.done(`GET /invoices/${invoice.id}`)).toEqual(stored);
  });

  it("is not in the list of one-time invoices, with any filter", async () => {
    const { id } = await active();
    const invoice = await issued(id, "2027-01");
    const one = await world.done("POST /invoices", { customer_id: customer.id });

    for (const query of [
      "",
      "?status=issued",
      `?customer=${customer.id}`,
      "?updated_since=2020-01-01T00:00:00Z",
    ]) {
      const { data } = await world.done(`GET /invoices${query}`);
      expect(data.map(({ id: listed }: Json) => listed)).not.toContain(invoice.id);
    }
    expect((await world.done("GET /invoices")).data).toEqual([one]);
  });

  it("creates an invoice that cannot be issued or changed like a one-time invoice", async () => {
    const { id } = await active();
    const invoice = await issued(id, "2027-01");
    const call = (method: string, path = "") =>
      refused(world.rest(`${method} /invoices/${invoice.id}${path}`, path ? undefined : {}));

    expect(await call("POST", "/issue")).toBe("409 INVOICE_ALREADY_ISSUED");
    expect(await call("PATCH")).toBe("409 INVOICE_ALREADY_ISSUED");
  });

  it("activates a draft series from today on, and keeps past periods", async () => {
    const { id } = await draft({ start_date: "2026-01-01" });

    await issued(id, "2026-02");

    expect(await show(id)).toMatchObject({ status: "active" });
    expect(await statuses(id, "to=2026-04-01")).toEqual([
      "2026-01 scheduled",
      "2026-02 issued",
      "2026-03 scheduled",
      "2026-04 scheduled",
    ]);
    const { data } = await world.done(`GET /audit-events?resource_id=${id}`);
    expect(data.map(({ action }: Json) => action).sort()).toEqual(["activated", "created"]);
    const activate = world.rest(`POST /recurring-series/${id}/activate`);
    expect(await refused(activate)).toBe("409 SERIES_ALREADY_ACTIVE");
  });

  it("issues a period once, even after it was skipped", async () => {
    const { id } = await active();
    await skip(id, "2027-02");

    await issued(id, "2027-02");

    expect(await statuses(id, "status=issued&to=2027-12-31")).toEqual(["2027-02 issued"]);
    for (const name of ["2027-02", "2027-02-01"]) {
      expect(refusal(await issue(id, name))).toBe("409 INVOICE_ALREADY_ISSUED");
    }
  });

  // The maximum for an account: 16 calls in progress and 32 waiting.
  it("gives the invoice to one of 48 parallel calls, and 409 to the others", async () => {
    const { id } = await active();

    const replies = await Promise.all(Array.from({ length: 48 }, () => issue(id, "2027-03")));

    const seen = replies.map(refusal).sort();
    expect(seen).toEqual(["200", ...Array(47).fill("409 INVOICE_ALREADY_ISSUED")]);
    expect(await invoicesOf(id)).toEqual([["2027-03", "2026-03-10"]]);
  });

  it("issues several periods in parallel, in any order and ahead of time, with one invoice each", async () => {
    const { id } = await draft();
    const periods = ["2027-05", "2027-01", "2028-02", "2027-03", "2027-12", "2027-02"];

    const replies = await Promise.all(periods.map((period) => issue(id, period)));

    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect((await invoicesOf(id)).map(([period]) => period)).toEqual([...periods].sort());
  });
});

describe("the invoice is dated", () => {
  const dateOn = async (fields: Json, day: string): Promise<string> => {
    const { id } = await active({ start_date: "2026-04-01", ...fields });
    at(day);
    return (await issued(id, "2026-04")).issue_date;
  };
  const start = { mode: "start-of-period" };
  const end = { mode: "end-of-period" };

  it.each<[string, Json, string, string]>([
    ["by its period, when issued on its due date", start, "2026-04-01", "2026-04-01"],
    ["today, when issued before that", start, "2026-03-31", "2026-03-31"],
    ["today, when issued after that", start, "2026-04-02", "2026-04-02"],
    ["by its offset", { ...start, offset_days: 5 }, "2026-04-06", "2026-04-06"],
    ["by its offset, before the period", { ...start, offset_days: -5 }, "2026-03-27", "2026-03-27"],
    ["on the last day, when issued the day after", end, "2026-05-01", "2026-04-30"],
    ["today, when issued on the last day", end, "2026-04-30", "2026-04-30"],
    ["today, when issued two days after", end, "2026-05-02", "2026-05-02"],
    ["by an offset of a day", { ...end, offset_days: 1 }, "2026-05-01", "2026-05-01"],
    ["by a longer offset", { ...end, offset_days: 9 }, "2026-05-09", "2026-05-09"],
    ["today, in manual timing", { mode: "manual" }, "2026-04-30", "2026-04-30"],
    ["today, when issued a year ahead", start, "2025-04-01", "2025-04-01"],
  ])("%s", async (_what, issue_timing, day, expected) => {
    expect(await dateOn({ issue_timing }, day)).toBe(expected);
  });

  it("today when the period's date is locked, and refused when today is locked", async () => {
    const lock = (period_lock_date: string | null) =>
      world.done("PATCH /configuration", { period_lock_date });
    try {
      await lock("2026-04-30");
      expect(await dateOn({ issue_timing: end }, "2026-05-01")).toBe("2026-05-01");
      const { id } = await active({ start_date: "2026-04-01", issue_timing: end });
      await lock("2026-05-01");
      const reply = await issue(id, "2026-04");
      expect(refusal(reply)).toBe("409 PERIOD_LOCKED");
      expect(reply.body.error.details).toEqual({
        date: "2026-05-01",
        period_lock_date: "2026-05-01",
      });
      expect(await occurrence(id, "2026-04")).toMatchObject({ status: "scheduled" });
    } finally {
      await lock(null);
    }
  });

  it("by the account's time zone around midnight", async () => {
    // 22:30 UTC on 31 March is 1 April in Copenhagen.
    expect(await dateOn({}, "2026-03-31T22:30:00Z")).toBe("2026-04-01");
    expect(await dateOn({}, "2026-03-31T21:30:00Z")).toBe("2026-03-31");
  });
});

describe("a partial period", () => {
  it("bills fixed lines by days on the totals, the PDF and the lines, and hours in full", async () => {
    const progress = { recognition_method: "progress", budget_hours: 10 };
    const { id } = await active({
      start_date: "2027-01-31",
      end_date: "2027-05-15",
      issue_timing: { mode: "manual" },
      lines: [line(), line({ discount: 50 }), line(progress), hours()],
    });

    const invoice = await issued(id, "2027-04");

    // 16 of 31 days: 3100 × 16/31, half of that, the same again.
    const totals = await world.done(`GET /invoices/${invoice.id}/totals`);
    expect(totals).toMatchObject({ net: 4000, vat: 1000, gross: 5000 });
    expect(totals.lines.map(({ net }: Json) => net)).toEqual([1600, 800, 1600, 0]);
    const lines = await linesOf(id, "2027-04");
    expect(lines.map(({ amount }) => amount)).toEqual([1600, 800, 1600, 0]);
    expect(lines[2].budget_hours).toBe(5.16);
    expect(invoice.lines.map((one: Json) => [one.agreed_value, one.service_to])).toEqual([
      [3100, "2027-05-15"],
      [3100, "2027-05-15"],
      [3100, undefined],
      [null, undefined],
    ]);
    const pdf = await world.rest(`GET /invoices/${invoice.id}/pdf`);
    expect(pdf.body.subarray(0, 5).toString()).toBe("%PDF-");
  });

  it("earns by progress against the exact share of the budget, which is shown with two decimals", async () => {
    const progress = { recognition_method: "progress", agreed_value: 31_000, budget_hours: 10 };
    const { id } = await active({
      start_date: "2026-03-01",
      end_date: "2026-03-11",
      issue_timing: { mode: "manual" },
      lines: [line(progress)],
    });
    const [{ id: line_id, budget_hours }] = (await linesOf(id, "2026-03")) as [Json];
    expect(budget_hours).toBe(3.55);
    const bo = await world.done("POST /users", { name: "Bo", email: "bo@studio.example" });
    const work = { line_id, user_id: bo.id, date: "2026-03-05", hours: 1 };
    await world.done("POST /work-registrations", work);
    const earned = async () => {
      const query = `from=2026-03&to=2026-03&customer=${customer.id}&group_by=line`;
      const { data } = await world.done(`GET /recognition?${query}`);
      return data.find((row: Json) => row.line_id === line_id)?.earned;
    };

    // 11,000 for 11 of 31 days, of which 1 of 3.548… hours; with the 3.55 hours that are shown it would be 3,098.59.
    expect(await earned()).toBe(3100);

    await issued(id, "2026-03");
    expect(await earned()).toBe(11_000);
  });
});

describe("auto_send", () => {
  it.each([
    [null, false, 0],
    [null, true, 1],
    [true, false, 1],
    [false, true, 0],
  ])("of the series %s with %s in the configuration sends %d", async (own, general, mails) => {
    const { id } = await active({ auto_send: own });
    await world.done("PATCH /configuration", { default_auto_send: general });

    const invoice = await issued(id, "2027-01");
    await world.done("PATCH /configuration", { default_auto_send: false });

    expect(invoice.auto_send).toBe(mails === 1);
    const { data } = await world.done(`GET /invoices/${invoice.id}/deliveries`);
    expect(data.map(({ state }: Json) => state)).toEqual(mails ? ["written_to_outbox"] : []);
  });

  it("leaves the invoice issued after a failed sending, and answers with send_error", async () => {
    const { id: mute } = await world.done("POST /customers", { name: "Mute" });
    const { id } = await active({ customer_id: mute, auto_send: true });

    const { status, body: invoice } = await issue(id, "2027-01");

    expect([status, invoice.status]).toEqual([200, "issued"]);
    expect(invoice.send_error).toBe("the customer has no e-mail address");
    expect(await world.done(`GET /invoices/${invoice.id}`)).not.toHaveProperty("send_error");
  });
});
