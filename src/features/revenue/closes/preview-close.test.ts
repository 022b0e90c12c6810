/** The preview of closing a month (spec 3.10). */
import { describe, expect, it } from "vitest";
import { camt, DANISH_IBAN } from "../../../../test/support/bank/camt.ts";
import { sendBankFile } from "../../../../test/support/bank/send-file.ts";
import { digestOf } from "../../../../test/support/mcp/mcp.ts";
import { type Studio, useStudios } from "../../../../test/support/world/studio.ts";
import type { Json } from "../../../../test/support/world/world.ts";
import { schedulerContext } from "../../../platform/runtime/services.ts";
import { previewClose } from "./preview-close.ts";

const { world, studio } = useStudios();

const preview = ({ done }: Studio, month = "2026-02"): Promise<Json> =>
  done(`GET /period-closes/${month}/preview`);
const codes = (entries: Json[]): string[] => entries.map(({ code }) => code);

describe("GET /period-closes/{month}/preview", () => {
  it("states what would be booked, as the close then books it, and writes nothing", async () => {
    const one = await studio();
    const { Anna } = await one.customersWith("2026-02", "Anna", "Bo", "Cesar");
    await one.issued([one.service(3000, "2026-01-01", "2026-03-31")], {
      customer_id: Anna,
      issue_date: "2026-02-10",
    });
    const silent = await one.newCustomer("Without a voucher");
    await one.issued([one.value(100)], { customer_id: silent, issue_date: "2026-02-10" });
    await one.booked("2026-01", Anna);
    const before = await digestOf(world);

    const shown = await preview(one);

    expect(await digestOf(world)).toBe(before);
    expect(shown).toMatchObject({
      object: "period_close_preview",
      month: "2026-02",
      status: "open",
      is_blocked: false,
      blockers: [],
      booked_with_voucher: 0,
      booked_without_voucher: 0,
      to_book_with_voucher: 3,
      to_book_without_voucher: 1,
      skipped: 1,
      failed: 0,
      errors: [],
      functional_currency: "DKK",
      period_lock_date: null,
    });
    expect(shown).not.toHaveProperty("remaining");
    const close = await one.closed("2026-02");
    expect(close).toMatchObject({ status: "completed", booked_with_voucher: 3, skipped: 1 });
    expect(shown.warnings).toEqual(close.warnings);
    const sums = await world.sql(
      `select account_number, (sum(amount) / 100)::float8 as amount from ledger_postings p
       join ledger_entries e on e.account_id = $1 and e.entry_no = p.entry_no
       where p.account_id = $1 and e.kind = 'voucher' and e.entry_date = '2026-02-28'
       group by 1 having sum(amount) <> 0 order by 1`,
      [one.account.account_id],
    );
    const by_account = shown.entries
      .map((entry: Json) => ({
        account_number: entry.account_number,
        amount: entry.debit - entry.credit,
      }))
      .sort((a: Json, b: Json) => a.account_number - b.account_number);
    expect(by_account).toEqual(sums);
    expect(shown.entries.map((entry: Json) => entry.account_role)).toEqual([
      "contract_asset",
      "contract_liability",
      "revenue",
    ]);
  });

  it("states all reasons that block the close, together with the figures", async () => {
    const one = await studio("2026-02-20");
    await one.customersWith("2026-01", "Anna");
    await one.customersWith("2026-02", "Bo");
    await one.done("PATCH /configuration", { account_roles: { contract_asset: null } });

    const shown = await preview(one);

    expect(shown).toMatchObject({ is_blocked: true, to_book_with_voucher: 1, failed: 0 });
    expect(shown.blockers).toEqual([
      expect.objectContaining({ code: "PERIOD_NOT_ENDED", details: { month: "2026-02" } }),
      expect.objectContaining({
        code: "EARLIER_PERIOD_OPEN",
        details: { month: "2026-01", customers: 1 },
      }),
      expect.objectContaining({
        code: "ACCOUNT_ROLE_MISSING",
        message: expect.any(String),
        details: { roles: ["contract_asset"] },
      }),
    ]);
    expect(shown.entries[0]).toMatchObject({
      account_role: "contract_asset",
      account_number: null,
    });
  });

  it("names the customers who would be refused, with the reasons", async () => {
    const one = await studio();
    const { Bo } = await one.customersWith("2026-02", "Anna", "Bo");
    const dollars = await one.draft(undefined, { customer_id: Bo, currency: "USD" });
    await one.work(dollars, "2026-02-04", 1);

    const shown = await preview(one);

    expect(shown).toMatchObject({ is_blocked: false, to_book_with_voucher: 1, failed: 1 });
    expect(shown.errors).toEqual([
      {
        customer_id: Bo,
        code: "EXCHANGE_RATE_MISSING",
        message: expect.any(String),
        details: { currency: "USD", month: "2026-02" },
      },
    ]);
    const { errors } = await one.closed("2026-02");
    expect(errors).toEqual(shown.errors);
    expect(await preview(one)).toMatchObject({
      status: "partial",
      booked_with_voucher: 1,
      to_book_with_voucher: 0,
      failed: 1,
    });
  });

  it("gives the same warnings as the close", async () => {
    const one = await studio("2026-02-01");
    const { id } = await one.done("POST /recurring-series", {
      customer_id: one.customer,
      frequency: "monthly",
      start_date: "2026-02-01",
      lines: [one.value(1000)],
    });
    await one.done(`POST /recurring-series/${id}/activate`);
    one.at("2026-03-10");

    const { warnings } = await preview(one);

    expect(warnings.map((one: Json) => [one.code, one.count])).toEqual([
      ["UNISSUED_OVERDUE", 1],
      ["UNASSIGNED_REVENUE", 1],
    ]);
    expect((await one.closed("2026-02")).warnings).toEqual(warnings);
  });

  it("warns of bank lines through the month that are open", async () => {
    const one = await studio();
    await one.customersWith("2026-02", "Anna");
    const [bank] = (await one.done("GET /bank-accounts")).data;
    await one.done(`PATCH /bank-accounts/${bank.id}`, { iban: DANISH_IBAN });
    const days = ["2026-02-27", "2026-02-28", "2026-03-01"];
    const entries = days.map((day) => ({ amount: "1.00", day, text: "x" }));
    const key = one.account.keys.read_write;
    expect((await sendBankFile(world, camt({ entries }), { key })).status).toBe(201);
    const { warnings } = await preview(one);
    expect(warnings).toContainEqual({
      code: "BANK_LINES_OPEN",
      count: 2,
      message: expect.any(String),
    });
    const { data } = await one.done("GET /bank-lines?to=2026-02-28");
    const lines = data.map(({ id }: Json) => ({ bank_line: id, ignore: "none of ours" }));
    await one.done("POST /bank-lines/book", { lines });
    expect((await preview(one)).warnings).not.toContainEqual(
      expect.objectContaining({ code: "BANK_LINES_OPEN" }),
    );
  });

  it("books nothing in a locked month, or in a future one", async () => {
    const one = await studio();
    await one.customersWith("2026-02", "Anna");
    await one.closed("2026-02");

    const closed = await preview(one);
    expect(closed).toMatchObject({ status: "completed", is_blocked: true, booked_with_voucher: 1 });
    expect(codes(closed.blockers)).toEqual(["PERIOD_LOCKED"]);
    expect(closed).toMatchObject({ to_book_with_voucher: 0, entries: [] });
    const ahead = await preview(one, "2026-05");
    expect(codes(ahead.blockers)).toEqual(["PERIOD_NOT_ENDED"]);
    expect(ahead).toMatchObject({ status: "open", to_book_with_voucher: 0, entries: [] });
  });

  it("stops when its time is over, and states how many customers are left", async () => {
    const one = await studio();
    await one.customersWith("2026-02", "Anna", "Bo");
    const cx = await schedulerContext(world.services, one.account.account_id);

    const shown = JSON.parse(await previewClose(cx, "2026-02" as never, -1));

    expect(shown).toMatchObject({ remaining: 3, skipped: 0, to_book_with_voucher: 0 });
  });

  it("refuses an invalid month", async () => {
    const { tried } = await studio();
    expect(await tried("GET /period-closes/2026-13/preview")).toBe("400 MALFORMED_REQUEST");
  });
});
