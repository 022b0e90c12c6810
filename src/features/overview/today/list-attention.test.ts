/** The attention list: each kind appears when it should, describes its subject, and disappears when it is done. */
import { beforeAll, describe, expect, it } from "vitest";
import { camt, DANISH_IBAN } from "../../../../test/support/bank/camt.ts";
import { sendBankFile } from "../../../../test/support/bank/send-file.ts";
import { connectEinvoices } from "../../../../test/support/einvoice/connect-einvoices.ts";
import { agentOf } from "../../../../test/support/mcp/mcp.ts";
import { UNKNOWN_ID, useSeries } from "../../../../test/support/world/series.ts";
import type { Json } from "../../../../test/support/world/world.ts";
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { schedulerContext } from "../../../platform/runtime/services.ts";
import { todayOf } from "../../recurring/series/activate.ts";
import { listAttention } from "./list-attention.ts";
import { priceComing } from "./price-coming.ts";
import { readActivitySummary } from "./read-activity-summary.ts";

const { world, customer, product, line, hours, at, draft, active, cancel } = useSeries({
  knows_origin: true,
});

let sofie: string;

beforeAll(async () => {
  at("2026-11-19");
  const user = { name: "Sofie", email: "sofie@studio.example" };
  sofie = (await world.done("POST /users", user)).id;
});

const contextOf = (account_id: string = world.account.account_id) =>
  schedulerContext(world.services, account_id);

/** `kind title/party amount since`, one for each entry. */
async function shownItems(user_id: string | null = null): Promise<string[]> {
  const cx = await contextOf();
  const today = await todayOf(cx);
  const needs = await listAttention(cx, today, user_id);
  const priced = await priceComing(cx, today, [], needs, "daily");
  return priced.needs.map(
    ({ kind, title, party, amount, currency, since }) =>
      `${kind} ${title ?? party ?? "-"} ${amount === null ? "-" : `${currency} ${Number(amount) / 100}`} ${since}`,
  );
}

const invoice = (fields: Json = {}): Promise<Json> =>
  world.done("POST /invoices", { customer_id: customer.id, lines: [line()], ...fields });
const issued = async (fields: Json = {}): Promise<Json> => {
  const made = await invoice(fields);
  await world.done(`POST /invoices/${made.id}/issue`);
  return made;
};
const work = (line_id: string, date: string, of_hours: number): Promise<Json> =>
  world.done("POST /work-registrations", { line_id, user_id: sofie, date, hours: of_hours });

describe("an account in which nothing has happened", () => {
  it("needs no attention", async () => {
    expect(await shownItems()).toEqual([]);
    expect(await shownItems(sofie)).toEqual([]);
  });
});

describe("a retainer", () => {
  it("that begins soon and is a draft waits for its activation, with the amount of a period", async () => {
    const { id } = await draft({ start_date: "2026-12-01", lines: [line({ agreed_value: 7500 })] });
    await draft({ start_date: "2027-03-01" });

    expect(await shownItems()).toEqual(["retainer_draft Acme A/S DKK 7500 2026-12-01"]);
    await world.done(`POST /recurring-series/${id}/activate`);
    expect(await shownItems()).toEqual([]);
  });

  it("that ends within a month needs a successor, and a cancelled one does not", async () => {
    const { id } = await active({ start_date: "2026-12-01", end_date: "2026-12-10" });
    const cancelled = await active({ start_date: "2026-12-01" });
    await cancel(cancelled.id, { end_date: "2026-12-12" });

    const [only, ...others] = await shownItems();
    expect([only, others]).toEqual(["retainer_ends Acme A/S DKK 1000 2026-12-10", []]);
    await world.done(`PATCH /recurring-series/${id}`, { end_date: null });
    expect(await shownItems()).toEqual([]);
  });

  it("whose period could not be issued waits until it is", async () => {
    const { id } = await active({ start_date: "2026-12-05", lines: [line({ agreed_value: 700 })] });
    await world.sql(
      `insert into occurrences (account_id, series_id, period_index, state, failure_code, attempts)
       select account_id, id, 0, 'failed', 'PERIOD_LOCKED', 1 from recurring_series where id = $1`,
      [id],
    );

    expect(await shownItems()).toEqual([
      expect.stringMatching(/^occurrence_failed Acme A\/S DKK 700 /),
    ]);
    await world.done(`POST /recurring-series/${id}/occurrences/2026-12/skip`);
    expect(await shownItems()).toEqual([]);
  });
});

describe("work", () => {
  it("on a draft for more than a month waits for its invoice, with the earned amount", async () => {
    const { id, lines } = await invoice({ title: "Driver app", lines: [hours()] });
    await work(lines[0].id, "2026-10-25", 4);
    expect(await shownItems(), "25 days old").toEqual([]);
    await work(lines[0].id, "2026-08-06", 2.5);

    const [expected] = ["work_waits Driver app DKK 6500 2026-08-06"];
    expect(await shownItems()).toEqual([expected]);
    expect(await shownItems(sofie)).toContain(expected);
    expect((await shownItems(UNKNOWN_ID)).join()).not.toContain("Driver app");
    await world.done(`POST /invoices/${id}/issue`);
    expect((await shownItems()).join()).not.toContain("Driver app");
  });

  it("waits with what is earned, not with the whole draft", async () => {
    const open = line({ recognition_method: "milestone", agreed_value: 5_000 });
    const { id, lines } = await invoice({ title: "Mixed app", lines: [hours(), open] });
    await work(lines[0].id, "2026-08-07", 1);
    expect(await shownItems()).toContain("work_waits Mixed app DKK 1000 2026-08-07");
    await world.done(`POST /invoices/${id}/issue`);
  });

  it("that has used four fifths of a budget is reported before the budget is exceeded", async () => {
    const assignees = [{ user_id: sofie, distribution_percentage: 100 }];
    const budgeted = { recognition_method: "progress", budget_hours: 10, assignees };
    const { id, lines } = await invoice({ title: "Shop", lines: [line(budgeted)] });
    await work(lines[0].id, "2026-11-18", 7.75);
    expect((await shownItems()).join()).not.toContain("Shop");
    await work(lines[0].id, "2026-11-19", 0.25);

    const expected = expect.stringMatching(/^budget Shop DKK [\d.]+ 2026-11-19$/);
    expect(await shownItems()).toContainEqual(expected);
    expect(await shownItems(sofie)).toContainEqual(expected);
    expect((await shownItems(UNKNOWN_ID)).join()).not.toContain("Shop");
    await world.done(`POST /invoices/${id}/issue`);
    expect((await shownItems()).join()).not.toContain("Shop");
  });

  it("is reported missing for the last working day of a user who registers hours", async () => {
    at("2026-11-23");
    expect(await shownItems(sofie)).toContain("hours_missing - - 2026-11-20");
    expect((await shownItems()).join()).not.toContain("hours_missing");
    const { lines } = await invoice({ lines: [hours()] });
    await work(lines[0].id, "2026-11-20", 1);
    expect((await shownItems(sofie)).join()).not.toContain("hours_missing");
    at("2026-11-19");
  });
});

describe("a milestone", () => {
  it("that was invoiced two weeks ago and is not reached waits, with the amount less credits", async () => {
    at("2026-11-04");
    const agreed = { recognition_method: "milestone", agreed_value: 1850 };
    const made = await issued({
      lines: [line({ ...agreed, description_override: "Exhibition app" })],
    });
    at("2026-11-17");
    expect((await shownItems()).join()).not.toContain("milestone");
    at("2026-11-19");

    expect(await shownItems()).toContain("milestone_open Exhibition app DKK 1850 2026-11-04");
    await world.done("POST /credit-notes", {
      external_id: "milestone",
      invoice: made.id,
      kind: "partial",
      credit_date: "2026-11-19",
      lines: [{ invoice_line_id: made.lines[0].id, amount: 350 }],
    });
    expect(await shownItems()).toContain("milestone_open Exhibition app DKK 1500 2026-11-04");
    const path = `/invoices/${made.id}/lines/${made.lines[0].id}/complete`;
    await world.done(`POST ${path}`, { completed_on: "2026-11-19" });
    expect((await shownItems()).join()).not.toContain("milestone");
  });
});

describe("a document", () => {
  it("that was not sent waits until it is, whatever its kind", async () => {
    const einvoiced = await world.done("POST /customers", {
      name: "Kystkommunen",
      send_method: "einvoice",
      ean_number: "5790000435968",
    });
    const made = await issued({ customer_id: einvoiced.id, auto_send: true });

    expect(await shownItems()).toContainEqual(
      expect.stringMatching(/^delivery_failed \d+ DKK 3875 2026-11-19$/),
    );
    await world.done(`POST /invoices/${made.id}/send`, { address: "ap@kyst.example" });
    expect((await shownItems()).join()).not.toContain("delivery");
  });

  it("that may have arrived waits for a person who knows", async () => {
    const made = await issued({ auto_send: true });
    await world.sql("update deliveries set state = 'unknown' where document_id = $1", [made.id]);

    expect((await shownItems()).join()).toContain("delivery_unknown");
    await world.sql("update deliveries set state = 'accepted' where document_id = $1", [made.id]);
    expect((await shownItems()).join()).not.toContain("delivery_unknown");
  });

  it("that an access point has not confirmed waits after three days, until it is credited", async () => {
    const seller = { name: "Nordlys ApS", street: "Vestergade 12", vat_number: "25313763" };
    await world.done("PATCH /configuration", { seller });
    await connectEinvoices(world, { envelope: "sbd" });
    const { id: customer_id } = await world.done("POST /customers", {
      ...{ name: "Kystkommunen", country_key: "DK", att_person: "Ida" },
      ...{ send_method: "einvoice", ean_number: "5790000435968" },
    });
    const made = await issued({ customer_id, auto_send: true });
    const [{ at }] = await world.sql(
      "update deliveries set state = 'accepted' where document_id = $1 returning at",
      [made.id],
    );
    const acceptedBefore = (days: number) =>
      world.sql(
        "update deliveries set at = $2::timestamptz - make_interval(days => $3) where document_id = $1",
        [made.id, at, days],
      );

    await acceptedBefore(2);
    expect((await shownItems()).join()).not.toContain("delivery_unconfirmed");
    await acceptedBefore(3);
    expect((await shownItems()).join()).toMatch(/delivery_unconfirmed \d+ DKK 3875 2026-11-16/);
    await world.sql("update einvoice_connections set reports = false");
    expect((await shownItems()).join()).not.toContain("delivery_unconfirmed");
    await world.sql("update einvoice_connections set reports = true");
    await world.done("POST /credit-notes", {
      external_id: "unconfirmed",
      invoice: made.id,
      kind: "full",
      credit_date: "2026-11-19",
    });
    expect((await shownItems()).join()).not.toMatch(/delivery_unconfirmed \d+ DKK 3875 2026-11-16/);
  });

  it("whose booking in an external ledger is in doubt comes first", async () => {
    const made = await invoice();
    await world.sql(
      `insert into intents (account_id, id, document_id, kind, payload, payload_hash, actor_kind, actor_id, attempts, lease_until,
         next_attempt_at, created_at)
       select account_id, gen_random_uuid(), id, 'invoice', '{}', '\\x', 'user', 'x', 2, now() + interval '1 hour', now() + interval '1 hour',
         now() - interval '2 hours' from invoices where id = $1`,
      [made.id],
    );

    expect((await shownItems())[0]).toMatch(/^booking_in_doubt Acme A\/S - /);
    await world.sql("delete from intents where document_id = $1", [made.id]);
  });
});

describe("a month", () => {
  it("that has ended waits for its close, the older one first", async () => {
    at("2026-12-02");
    expect(await shownItems()).toContain("month_ready - - 2026-11-30");
    at("2027-01-02");
    expect(await shownItems(), "the older one first").toContain("month_ready - - 2026-11-30");
    await world.done("PATCH /configuration", { period_lock_date: "2026-11-30" });
    expect(await shownItems()).toContain("month_ready - - 2026-12-31");
    await world.done("PATCH /configuration", { period_lock_date: "2027-01-01" });
    expect(await shownItems(), "locked to the middle of January").not.toContain(
      "month_ready - - 2026-11-30",
    );
    at("2026-11-19");
    expect((await shownItems()).join(), "the month that runs").not.toContain("month_ready");
    await world.done("PATCH /configuration", { period_lock_date: null });
  });

  it("lacks the rates of the currencies in use", async () => {
    await world.done("PUT /exchange-rates/EUR/2026-10-01", { rate: 7.46 });
    await world.done("PUT /exchange-rates/USD/2026-10-01", { rate: 6.9 });
    await issued({ currency: "EUR" });
    at("2026-12-02");

    expect((await shownItems()).filter((one) => one.startsWith("rate_missing"))).toEqual([
      "rate_missing EUR - 2026-11-30",
    ]);
    await world.done("PUT /exchange-rates/EUR/2026-11-27", { rate: 7.45 });
    expect((await shownItems()).join()).not.toContain("rate_missing");
    at("2026-11-19");
  });
});

describe("receivables", () => {
  const ofMoney = async (user_id: string | null = null): Promise<string[]> =>
    (await shownItems(user_id)).filter((one) => /^(payments|receivables|credit)_/.test(one));

  it("that are late are one entry, with their sum and the earliest due date", async () => {
    expect(await ofMoney()).toEqual(["payments_overdue 1 DKK 1875 2026-11-18"]);
    expect(await ofMoney(sofie)).toEqual([]);
    const cx = await contextOf();
    const { owed, owed_late } = await readActivitySummary(cx, await todayOf(cx));
    const { functional } = await world.done("GET /receivables/summary");
    expect([owed, owed_late]).toEqual([BigInt(Math.round(functional.total * 100)), 187_500n]);
  });

  it("no longer wait when they are paid, but what was paid too much does", async () => {
    const { data } = await world.done("GET /open-items?kind=invoice");
    const late = data.find(({ due_date }: Json) => due_date === "2026-11-18");
    await world.done("POST /payments", {
      ...{ external_id: "late", date: "2026-11-19", amount: 1900, remainder: "customer_credit" },
      allocations: [{ invoice: late.document_id }],
    });
    expect(await ofMoney()).toEqual(["credit_waits 1 DKK 25 2026-11-19"]);
  });

  it("that are not begun wait, and nothing is called late before", async () => {
    await world.sql("create table begun as select * from receivables_begins");
    await world.sql("delete from receivables_begins");
    at("2026-12-31");
    expect(await ofMoney()).toEqual(["receivables_not_begun - - 2026-12-03"]);
    const cx = await contextOf();
    const { owed, owed_late } = await readActivitySummary(cx, await todayOf(cx));
    expect([owed, owed_late]).toEqual([null, null]);
    await world.sql("insert into receivables_begins select * from begun");
    await world.sql("drop table begun");
    expect(await ofMoney()).toEqual([
      expect.stringMatching(/^payments_overdue \d DKK [\d.]+ 2026-12-03$/),
      "credit_waits 1 DKK 25 2026-11-19",
    ]);
    at("2026-11-19");
  });
});

describe("lines of the bank", () => {
  it("wait together, the earliest first, until each is booked or left out", async () => {
    const [bank] = (await world.done("GET /bank-accounts")).data;
    await world.done(`PATCH /bank-accounts/${bank.id}`, { iban: DANISH_IBAN });
    const entries = ["2026-11-02", "2026-11-01"].map((day) => ({ amount: "1.00", day, text: "x" }));
    await sendBankFile(world, camt({ entries }));
    const [expected] = ["bank_lines_wait 2 - 2026-11-01"];
    expect(await shownItems()).toContain(expected);
    expect((await shownItems(sofie)).join()).not.toContain("bank_lines_wait");
    const { data } = await world.done("GET /bank-lines");
    const lines = data.map(({ id }: Json) => ({ bank_line: id, ignore: "none of ours" }));
    await world.done("POST /bank-lines/book", { lines });
    expect((await shownItems()).join()).not.toContain("bank_lines_wait");
  });
});

describe("a webhook", () => {
  it("that fails or is disabled is an item of admins, with its host and the day since when", async () => {
    const { id } = await world.done("POST /webhook-endpoints", {
      url: "https://hooks.example:8443/a-path?x=1",
      event_types: ["*"],
    });
    const found = async () => (await shownItems()).filter((one) => one.startsWith("webhook"));
    const become = (fields: string) => world.sql(`update webhook_endpoints set ${fields}`);
    expect(await found()).toEqual([]);
    await become("status = 'failing', failing_since = '2026-11-17T10:00:00Z'");
    expect(await found()).toEqual(["webhook_failing hooks.example:8443 - 2026-11-17"]);
    expect((await shownItems(sofie)).join()).not.toContain("webhook");
    await become("status = 'disabled', disabled_reason = 'gone'");
    expect(await found()).toEqual(["webhook_disabled hooks.example:8443 - 2026-11-17"]);
    await world.done(`POST /webhook-endpoints/${id}/enable`);
    expect(await found()).toEqual([]);
    await world.done(`DELETE /webhook-endpoints/${id}`);
  });
});

describe("a plan", () => {
  it("of an assistant waits for its person for a quarter of an hour", async () => {
    const { user_id } = world.account.admin;
    const agent = await agentOf(world, { user_id, client_name: "Claude" });
    await agent.done("plan_save_customer", { name: "Planned ApS" });

    const [plan] = (await shownItems()).filter((one) => one.startsWith("plan_waits"));
    expect(plan).toContain("Planned ApS");
    expect((await shownItems(user_id)).join()).toContain("Planned ApS");
    expect((await shownItems(sofie)).join()).not.toContain("Planned ApS");
    await world.sql("update plans set expires_at = now() - interval '1 second'");
    expect((await shownItems()).join()).not.toContain("plan_waits");
  });
});

describe("another account", () => {
  it("has no items", async () => {
    const { account_id } = await world.openAnother();
    const cx = await contextOf(account_id);
    const today = "2026-12-02" as CalendarDate;

    expect(await listAttention(cx, today)).toEqual([]);
    const {
      due,
      hours: of_week,
      first,
      has_invoice,
      drafts,
    } = await readActivitySummary(cx, today);
    expect({ due, of_week, first, has_invoice, drafts }).toMatchObject({
      due: [],
      of_week: [],
      first: { customer: false, put_away: [] },
      has_invoice: false,
      drafts: 0,
    });
  });
});

describe("upcoming documents", () => {
  it("are listed by day for a month, with their current amounts", async () => {
    const cx = await contextOf();
    const today = "2026-11-19" as CalendarDate;
    await active({
      start_date: "2026-11-20",
      frequency: "weekly",
      lines: [line({ agreed_value: 90 })],
    });
    const { due } = await readActivitySummary(cx, today);
    const { going_out } = await priceComing(cx, today, due, [], "daily");

    expect(going_out.map(({ due_on, net }) => `${due_on} ${net}`)).toEqual([
      ...["2026-11-20 9000", "2026-11-27 9000", "2026-12-01 750000", "2026-12-01 310000"],
      ...["2026-12-01 120000", "2026-12-04 9000"],
    ]);
    expect(product.name).toBe(going_out[0]?.title);
  });
});
