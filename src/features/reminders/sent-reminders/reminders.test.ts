/** Reminders over REST: lists, the PDF, sending again, and cancelling (spec 13.7). */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { textOfPdf } from "../../../../test/support/documents/pdf-text.ts";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { UNKNOWN_ID } from "../../../../test/support/http/target.ts";
import { lacks } from "../../../../test/support/run/needs.ts";
import { useReminders } from "../../../../test/support/world/reminders.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, someone, late, at, settings, preview, remind, postingsOf } = useReminders();

beforeAll(() => settings({ levels: [{ days_after_due: 3, fee: 100, compensation: true }] }));
beforeEach(() => at("2026-03-10"));

/** A reminder of an invoice of 1,250.00 that charges 410.00. */
async function charging(): Promise<{ customer: Json; invoice: Json; reminder: Json }> {
  const customer = await someone();
  const invoice = await late(customer, 1000);
  return { customer, invoice, reminder: await remind(customer) };
}

const cancel = (reminder: Json, fields: Json = {}) =>
  world.rest(`POST /reminders/${reminder.id}/cancel`, { reason: "A mistake", ...fields });

describe("GET /reminders", () => {
  it("lists by customer, invoice, state and date", async () => {
    const { customer, invoice, reminder } = await charging();
    const listed = async (query: string): Promise<string[]> =>
      (await world.done(`GET /reminders?${query}`)).data.map(({ id }: Json) => id);
    expect(await world.done(`GET /reminders?customer=${customer.id}`)).toMatchObject({
      data: [reminder],
      has_more: false,
    });
    expect(await listed(`invoice=${invoice.id}`)).toEqual([reminder.id]);
    expect(
      await listed(`customer=${customer.id}&status=issued&from=2026-03&to=2026-03-10`),
    ).toEqual([reminder.id]);
    expect(await listed(`customer=${customer.id}&status=cancelled`)).toEqual([]);
    expect(await listed(`customer=${customer.id}&to=2026-03-09`)).toEqual([]);
    expect(await listed("customer=ext:unknown")).toEqual([]);
  });

  it("is not found in another account", async () => {
    const { reminder } = await charging();
    const { keys } = await world.openAnother();
    for (const call of [
      `GET /reminders/${reminder.id}`,
      `GET /reminders/${reminder.id}/pdf`,
      `GET /reminders/${reminder.id}/deliveries`,
      `POST /reminders/${reminder.id}/send`,
    ]) {
      expect(refusal(await world.rest(call, undefined, keys.read_write))).toBe("404 NOT_FOUND");
    }
    const body = { reason: "Mine" };
    const path = `POST /reminders/${reminder.id}/cancel`;
    expect(refusal(await world.rest(path, body, keys.read_write))).toBe("404 NOT_FOUND");
    expect(refusal(await world.rest(`GET /reminders/${UNKNOWN_ID}`))).toBe("404 NOT_FOUND");
  });
});

describe("a reminder", () => {
  it.skipIf(lacks("pdftotext"))("has a PDF that never changes (needs pdftotext)", async () => {
    const { customer, invoice, reminder } = await charging();
    const pdf = () => world.rest(`GET /reminders/${reminder.id}/pdf`);
    const first = await pdf();
    expect(first.headers.get("content-disposition")).toBe(
      `inline; filename="reminder-${reminder.number}.pdf"`,
    );
    const words = textOfPdf(first.body);
    expect(words).toMatch(/Payment reminder/);
    expect(words).toContain(`Invoice ${invoice.ledger_invoice_number}`);
    expect(words).toMatch(/Reminder fee\s+100\.00/);
    expect(words).toMatch(/Compensation for recovery costs\s+310\.00/);
    expect(words).toMatch(/Total to pay DKK\s+1,660\.00/);
    await world.done(`PATCH /customers/${customer.id}`, { name: "Renamed Ltd" });
    expect((await pdf()).body.equals(first.body)).toBe(true);
  });

  it("is sent again, also to another address, until it is cancelled", async () => {
    const { customer, reminder } = await charging();
    const path = `POST /reminders/${reminder.id}/send`;
    expect(await world.done(path)).toMatchObject({ address: customer.email, send_error: null });
    expect(await world.done(path, { address: "boss@late.example" })).toMatchObject({
      document_id: reminder.id,
      address: "boss@late.example",
    });
    const { data } = await world.done(`GET /reminders/${reminder.id}/deliveries`);
    expect(data.map(({ address }: Json) => address)).toEqual([
      "boss@late.example",
      customer.email,
      customer.email,
    ]);
    await cancel(reminder);
    expect(refusal(await world.rest(path))).toBe("409 REMINDER_CANCELLED");
  });

  it("goes by e-mail where invoices do not, and says why it could not be sent", async () => {
    const customer = await someone({ send_method: "einvoice", ean_number: "5790000000005" });
    await late(customer, 1000);
    const { id } = await remind(customer);
    const { data } = await world.done(`GET /reminders/${id}/deliveries`);
    expect(data).toMatchObject([{ channel: "email", address: customer.email, send_error: null }]);
    const silent = await someone({ email: null });
    await late(silent, 1000);
    const { rows } = await preview(silent);
    const run = await world.done("POST /reminder-runs", {
      rows: rows.map(({ customer_id, currency, agreed }: Json) => ({
        customer: customer_id,
        currency,
        agreed,
      })),
    });
    expect(run.outcomes).toMatchObject([
      { outcome: "issued", send_error: "the customer has no e-mail address" },
    ]);
  });
});

describe("GET /invoices/{ref}/payment", () => {
  it("tells how often the invoice was reminded of through a day", async () => {
    const { reminder } = await charging();
    const [{ invoice_id }] = reminder.items;
    const shownOn = async (day: string): Promise<Json> =>
      (await world.done(`GET /invoices/${invoice_id}/payment?at=${day}`)).reminders;
    at("2026-03-12");
    await cancel(reminder, { date: "2026-03-11" });
    const none = { level: 0, last_on: null, hold_until: null };
    expect(await Promise.all(["2026-03-09", "2026-03-10", "2026-03-11"].map(shownOn))).toEqual([
      none,
      { level: 1, last_on: "2026-03-10", hold_until: null },
      none,
    ]);
  });
});

describe("POST /reminders/{id}/cancel", () => {
  it("takes back what it charged, and is due again", async () => {
    const { customer, reminder } = await charging();
    at("2026-03-12");
    const { status, body } = await cancel(reminder, { date: "2026-03-11" });
    expect([status, body]).toEqual([
      200,
      {
        ...reminder,
        status: "cancelled",
        cancelled_on: "2026-03-11",
        cancel_reason: "A mistake",
      },
    ]);
    const [entry] = await world.sql(
      "select guid, kind, entry_date::text as date from ledger_entries where reverses_guid = $1",
      [reminder.id],
    );
    expect(entry).toMatchObject({ kind: "reminder", date: "2026-03-11" });
    expect(await postingsOf(entry?.guid)).toEqual([
      [6190, -410],
      [1550, 410],
    ]);
    const open = await world.done(`GET /open-items?customer=${customer.id}&kind=reminder`);
    expect(open.data).toEqual([]);
    expect((await preview(customer)).rows).toMatchObject([{ level: 1, fee: 100 }]);
    expect(refusal(await cancel(reminder))).toBe("409 REMINDER_CANCELLED");
    const events = await world.done(`GET /audit-events?resource_id=${reminder.id}`);
    expect(events.data.map(({ action }: Json) => action)).toEqual(["cancelled", "issued"]);
    expect(await world.done("GET /ledger/verification?fresh=true")).toMatchObject({ ok: true });
  });

  it("is only marked where nothing was charged", async () => {
    await settings({ levels: [{ days_after_due: 3 }] });
    const { customer, reminder } = await charging();
    await world.done("PATCH /configuration", { period_lock_date: "2026-03-10" });
    expect((await cancel(reminder)).body).toMatchObject({ status: "cancelled", entry_no: null });
    await world.done("PATCH /configuration", { period_lock_date: null });
    expect((await preview(customer)).rows).toMatchObject([{ level: 1 }]);
    await settings({ levels: [{ days_after_due: 3, fee: 100, compensation: true }] });
  });

  it.each<[string, Json, string]>([
    ["before its day", { date: "2026-03-09" }, "422 VALIDATION_FAILED date too_small"],
    ["in the future", { date: "2026-03-11" }, "409 PAYMENT_DATE_IN_FUTURE"],
    ["without a reason", { reason: "" }, "422 VALIDATION_FAILED reason too_short"],
  ])("is refused %s", async (_, fields, expected) => {
    const { reminder } = await charging();
    expect(refusal(await cancel(reminder, fields))).toBe(expected);
  });

  it("is refused in a locked period", async () => {
    const { reminder } = await charging();
    await world.done("PATCH /configuration", { period_lock_date: "2026-03-10" });
    expect(refusal(await cancel(reminder))).toBe("409 PERIOD_LOCKED");
    await world.done("PATCH /configuration", { period_lock_date: null });
  });

  it("happens once when it is asked for at once", async () => {
    const { reminder } = await charging();
    const replies = await Promise.all([1, 2, 3].map(() => cancel(reminder)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await world.done("GET /ledger/verification?fresh=true")).toMatchObject({ ok: true });
  });
});
