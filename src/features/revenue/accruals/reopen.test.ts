/** Reopening bookings (spec 3.8), and their history. */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { ROLES, useStudios } from "../../../../test/support/world/studio.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { studio } = useStudios();
const ASSET = ROLES.contract_asset;

describe("POST /accruals/{id}/reopen", () => {
  it("books the voucher with opposite signs, under the same date", async () => {
    const { draft, work, booked, reopen, vouchers, accrual, at } = await studio();
    await work(await draft(), "2026-02-03", 2);
    const { id, ledger_voucher_guid } = await booked("2026-02");
    const before = await accrual("2026-02");
    at("2026-03-12");

    const { status, body } = await reopen(id, "Wrong month");

    const draft_again = {
      ...before,
      status: "draft",
      ledger_voucher_guid: null,
      ledger_voucher_number: null,
      booked_at: null,
    };
    expect([status, body]).toEqual([200, draft_again]);
    expect(await accrual("2026-02")).toEqual(draft_again);
    const [voucher, reversal] = await vouchers();
    expect(reversal).toMatchObject({
      number: 2,
      date: "2026-02-28",
      text: "Reversal of Accrual 2026-02 Acme A/S",
      reverses_guid: ledger_voucher_guid,
      postings: [
        [ASSET, -2000, null],
        [1010, 2000, null],
      ],
    });
    expect(voucher.guid).toBe(ledger_voucher_guid);
  });

  it("allows a new booking of the present facts, under the next revision", async () => {
    const { draft, work, booked, reopen, detail, entries, vouchers, history, events, at } =
      await studio();
    const invoice = await draft();
    await work(invoice, "2026-02-03", 2);
    const first = await booked("2026-02");
    at("2026-03-11");
    await reopen(first.id, "Hours are missing");
    await work(invoice, "2026-02-04", 3);
    expect(await detail("2026-02")).toMatchObject({ status: "draft", revision: 1 });

    at("2026-03-12");
    const second = await booked("2026-02");

    expect(second).toMatchObject({ id: first.id, status: "booked", ledger_voucher_number: 3 });
    expect(second.original_accrual_month).toBeNull();
    expect(await detail("2026-02")).toMatchObject({ status: "booked", revision: 2 });
    expect(await entries("2026-02")).toEqual([
      ["contract_asset", 5000],
      ["revenue", -5000],
    ]);
    const guids = (await vouchers()).map(({ guid }) => guid);
    expect(new Set(guids).size).toBe(3);
    expect(await events(first.id)).toEqual(["booked", "reopened", "booked"]);
    const actor = { kind: "api_key", id: expect.any(String) };
    const voucher = { guid: first.ledger_voucher_guid, number: 1 };
    const none = { reversal_voucher: null, reason: null, actor };
    expect(await history(first.id)).toEqual([
      { ...none, at: "2026-03-10T09:00:00.000Z", action: "booked", revision: 1, voucher },
      {
        at: "2026-03-11T09:00:00.000Z",
        actor,
        action: "reopened",
        revision: 1,
        voucher,
        reversal_voucher: { guid: guids[1], number: 2 },
        reason: "Hours are missing",
      },
      {
        ...none,
        at: "2026-03-12T09:00:00.000Z",
        action: "booked",
        revision: 2,
        voucher: { guid: second.ledger_voucher_guid, number: 3 },
      },
    ]);
  });

  it("can be repeated, and the books have the latest state", async () => {
    const { draft, work, booked, reopen, done, detail } = await studio();
    await work(await draft(), "2026-02-03", 2);
    for (let round = 1; round <= 3; round += 1) {
      const { id } = await booked("2026-02");
      expect((await detail("2026-02")).revision).toBe(round);
      expect(refusal(await reopen(id))).toBe("200");
      const { roles } = await done("GET /accruals/reconciliation?month=2026-02");
      expect(roles[0]).toMatchObject({ sub_ledger: 0, ledger: 0, difference: 0 });
    }
    await booked("2026-02");
    const { roles } = await done("GET /accruals/reconciliation?month=2026-02");
    expect(roles[0]).toMatchObject({ sub_ledger: 2000, ledger: 2000, difference: 0 });
  });

  it("books nothing where there was no voucher", async () => {
    const { issued, value, booked, reopen, vouchers, history } = await studio();
    await issued([value(1000)], { issue_date: "2026-02-10" });
    const { id } = await booked("2026-02");

    expect(refusal(await reopen(id))).toBe("200");
    expect(await vouchers()).toEqual([]);
    expect(await history(id)).toMatchObject([
      { action: "booked", voucher: null },
      { action: "reopened", voucher: null, reversal_voucher: null },
    ]);
    expect(await booked("2026-02")).toMatchObject({ id, status: "booked" });
  });

  it("reverses carried rows as well, so that they are carried again", async () => {
    const { draft, work, booked, reopen, rows, accrual, entries } = await studio("2026-04-10");
    const invoice = await draft();
    await work(invoice, "2026-02-03", 2);
    await booked("2026-02");
    await work(invoice, "2026-02-04", 3);
    await work(invoice, "2026-03-04", 5);
    const march = await booked("2026-03");
    const before = [await rows("2026-03"), await entries("2026-03")];

    await reopen(march.id);

    expect(await accrual("2026-03")).toMatchObject({ original_accrual_month: "2026-02" });
    expect([await rows("2026-03"), await entries("2026-03")]).toEqual(before);
    expect(before[0]).toEqual([
      ["2026-02", 3000, 0, "carried"],
      ["2026-03", 5000, 0],
    ]);
  });

  it("opens one month after the other from the last, and each becomes a separate draft", async () => {
    const { draft, work, booked, reopen, rows } = await studio("2026-04-10");
    const invoice = await draft();
    const ids: string[] = [];
    for (const month of ["2026-01", "2026-02", "2026-03"]) {
      await work(invoice, `${month}-03`, 2);
      ids.push((await booked(month)).id);
    }

    for (const id of ids.reverse()) expect(refusal(await reopen(id))).toBe("200");

    for (const month of ["2026-01", "2026-02", "2026-03"]) {
      expect(await rows(month)).toEqual([[month, 2000, 0]]);
    }
  });

  it("reopens once for parallel calls", async () => {
    const { draft, work, booked, reopen, vouchers, events } = await studio();
    await work(await draft(), "2026-02-03", 2);
    const { id } = await booked("2026-02");

    const replies = await Promise.all([reopen(id), reopen(id), reopen(id)]);

    const no = "409 ACCRUAL_NOT_BOOKED";
    expect(replies.map(refusal).sort()).toEqual(["200", no, no]);
    expect(await vouchers()).toHaveLength(2);
    expect(await events(id)).toEqual(["booked", "reopened"]);
  });

  it.each<[string, string, Json]>([
    ["no reason", "reason required", {}],
    ["an empty reason", "reason too_short", { reason: "" }],
    ["a long reason", "reason too_long", { reason: "x".repeat(501) }],
    ["a reason that is not a text", "reason invalid_type", { reason: 1 }],
  ])("refuses %s", async (_what, fault, body) => {
    const { draft, work, booked, tried } = await studio();
    await work(await draft(), "2026-02-03", 2);
    const { id } = await booked("2026-02");

    expect(await tried(`POST /accruals/${id}/reopen`, body)).toBe(`422 VALIDATION_FAILED ${fault}`);
  });

  it.each<[string, string, string, ("reopened" | "later" | "locked")[]]>([
    ["a draft", "ACCRUAL_NOT_BOOKED", "2026-02", ["reopened", "locked"]],
    ["a month before the last booked one", "LATER_ACCRUAL_BOOKED", "2026-02", ["later", "locked"]],
    ["a locked month", "PERIOD_LOCKED", "2026-02", ["locked"]],
  ])("refuses %s first: %s", async (_what, code, month, states) => {
    const { draft, work, booked, reopen, lock, vouchers } = await studio("2026-04-10");
    const invoice = await draft();
    await work(invoice, "2026-02-03", 2);
    await work(invoice, "2026-03-03", 2);
    const { id } = await booked(month);
    if (states.includes("reopened")) await reopen(id);
    if (states.includes("later")) await booked("2026-03");
    if (states.includes("locked")) await lock("2026-03-31");
    const before = (await vouchers()).length;

    expect(refusal(await reopen(id))).toBe(`409 ${code}`);
    expect(await vouchers()).toHaveLength(before);
  });

  it("records the state before and after in the audit trail, with the reason", async () => {
    const { draft, work, booked, reopen, done } = await studio();
    await work(await draft(), "2026-02-03", 2);
    const before = await booked("2026-02");
    const after = (await reopen(before.id, "Wrong rate")).body;

    const { data } = await done(`GET /audit-events?resource_id=${before.id}`);
    expect(data[0]).toMatchObject({
      action: "reopened",
      resource_type: "accrual",
      before,
      after,
      reason: "Wrong rate",
    });
  });
});
