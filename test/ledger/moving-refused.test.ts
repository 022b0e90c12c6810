/** What blocks a move of the books, each with its cure, and what is refused while the books move. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ledgerWork } from "../../src/features/ledger/booking/run-due.ts";
import { bookables } from "../../src/features/revenue/accruals/list-bookables.ts";
import { moveLedger } from "../../src/features/revenue/moving/move-ledger.ts";
import { noteSendError } from "../../src/features/sales/credit-notes/bookable.ts";
import { schedulerContext } from "../../src/platform/runtime/services.ts";
import { refusal } from "../support/http/refusal.ts";
import { openDineroSimulation } from "../support/ledger/dinero/simulation.ts";
import { balancesOf, DINERO_ROWS, openMoving, organisationOf } from "../support/ledger/moving.ts";
import { letTimePass } from "../support/ledger/pass-time.ts";
import { type Json, useWorld } from "../support/world/world.ts";

const world = useWorld({ environment: { MATCHBOOK_LEDGER_HOSTS: "127.0.0.1" } });
let simulation: Awaited<ReturnType<typeof openDineroSimulation>>;
let orgs = 270_200;
beforeAll(async () => {
  simulation = await openDineroSimulation();
});
afterAll(() => simulation?.close());

/** An account that may move, with deferred revenue at the end of March, and organisations of its own in Dinero. */
async function ready(change: Json = {}) {
  const account = await openMoving(world, "2026-03-10");
  const { studio } = account;
  await studio.issued([studio.service(12_000, "2026-03-01", "2027-02-28")]);
  await studio.closed("2026-02");
  studio.at("2026-04-05");
  await studio.closed("2026-03");
  orgs += 1;
  const org = orgs;
  const given = await organisationOf(simulation, org, change);
  const asked = { to: "dinero", given, pairs: DINERO_ROWS, opening: "55000" };
  return { ...account, org, asked, books: () => simulation.books(org) };
}

async function refusalOf(moved: Promise<Json>): Promise<string> {
  const thrown: Json = await moved.catch((error: unknown) => error);
  const blocks: Json[] = thrown.extras?.details?.blocks ?? [];
  return [thrown.code ?? `${thrown}`, ...blocks.map(({ message }) => message)].join(" ");
}

describe("a move is blocked", () => {
  it("while no month is closed, by months without their lock, and by a later lock", async () => {
    const account = await openMoving(world, "2026-04-05");
    const { studio, refusedMove } = account;
    const given = await organisationOf(simulation, 270_199);
    const asked = { to: "dinero", given, pairs: DINERO_ROWS, opening: "none" };
    expect(await refusedMove(asked)).toEqual(["MOVE_BLOCKED", "month_not_closed"]);
    await studio.closed("2026-03", { lock: false });
    expect(await refusedMove(asked)).toEqual(["MOVE_BLOCKED", "month_not_closed"]);
    await studio.done("POST /period-closes/2026-03/reopen", { reason: "Without its lock" });
    await studio.closed("2026-03");
    await studio.lock("2026-04-02");
    expect(await refusedMove(asked, true)).toEqual(["MOVE_BLOCKED", "locked_later"]);
    expect(await account.done("GET /ledger/moves")).toMatchObject({ data: [] });
  });

  it("by what has not ended: a close, a booking, credit notes and links that wait", async () => {
    const { refusedMove, asked, account_id, studio, move } = await ready();
    studio.at("2026-05-06");
    await studio.closed("2026-04");
    await world.sql(
      "update period_closes set status = 'running' where account_id = $1 and month = '2026-04'",
      [account_id],
    );
    expect(await refusedMove(asked)).toContain("close_running");
    await world.sql(
      "update period_closes set status = 'completed' where account_id = $1 and month = '2026-04'",
      [account_id],
    );
    await move(asked);
    const draft = await studio.draft([studio.value(100)]);
    await simulation.control("faults", [{ match: "/invoices", action: "drop_before", times: 50 }]);
    expect((await studio.rest(`POST /invoices/${draft.id}/issue`)).status).toBe(500);
    await simulation.control("faults", []);
    await studio.newCustomer("Beta A/S");
    const back = await refusedMove({ to: "builtin", opening: "none" });
    expect(back).toEqual(expect.arrayContaining(["MOVE_BLOCKED", "intents_open", "links_queued"]));
  });

  it("by a ledger that does not work, or lacks an account", async () => {
    const { refusedMove, asked } = await ready();
    const wrong = { ...asked.given, api_key: "wrong" };
    const blocked = (given: Json, pairs = DINERO_ROWS) =>
      refusedMove({ ...asked, given, pairs }, true);
    expect(await blocked(wrong)).toEqual(["MOVE_BLOCKED", "connection_fails"]);
    const lacking = DINERO_ROWS.filter(({ account_number }) => account_number !== 8070);
    expect(await blocked(asked.given, lacking)).toEqual(["MOVE_BLOCKED", "pair_unmapped"]);
  });

  it("by credit notes of cancellations, until the scheduler has issued them", async () => {
    const { refusedMove, move, asked, studio, done } = await ready();
    const { id } = await done("POST /recurring-series", {
      ...{ external_id: "care", customer_id: studio.customer, start_date: "2026-04-01" },
      ...{ frequency: "monthly", lines: [studio.value(3000)] },
    });
    await done(`POST /recurring-series/${id}/activate`);
    await done(`POST /recurring-series/${id}/occurrences/2026-04/issue`);
    const { credit_notes } = await done(`POST /recurring-series/${id}/cancel`, {});
    expect(credit_notes).toMatchObject([{ status: "queued" }]);
    expect(await refusedMove(asked, true)).toEqual(["MOVE_BLOCKED", "credit_notes_queued"]);
    expect(await refusedMove(asked)).toEqual(["MOVE_BLOCKED", "credit_notes_queued"]);
    const run = await done("POST /scheduler-runs");
    expect(run.credit_notes_issued).toEqual([credit_notes[0].id]);
    expect(await move(asked)).toMatchObject({ state: "completed" });
  });

  it("by books in another currency, and tells both", async () => {
    const account = await openMoving(world, "2026-03-10");
    await account.done("PATCH /configuration", { functional_currency: "EUR" });
    await account.studio.closed("2026-02");
    const given = await organisationOf(simulation, 270_198);
    const asked = { to: "dinero", given, pairs: DINERO_ROWS, opening: "none" };
    expect(await account.refusedMove(asked)).toEqual(["MOVE_BLOCKED", "other_currency"]);
    const said = await refusalOf(account.move(asked, true));
    expect(said).toBe("MOVE_BLOCKED The new books are in DKK, and the account's in EUR.");
    expect(await account.done("GET /ledger/connection")).toMatchObject({ kind: "builtin" });
  });

  it("by books that are locked beyond the first day, until they are opened", async () => {
    const year = (first: string, last: string) => ({ Name: first, FromDate: first, ToDate: last });
    const later = [year("2027-01-01", "2027-12-31")];
    const { refusedMove, move, asked, org } = await ready({ years: later });
    expect(await refusedMove(asked)).toEqual(["MOVE_BLOCKED", "ledger_locked"]);
    expect(await refusalOf(move(asked, true))).toBe(
      "MOVE_BLOCKED The new books are locked through 2026-12-31, and begin on 2026-04-01.",
    );
    const years = [year("2026-01-01", "2026-12-31"), ...later];
    await simulation.control("organisation", { Id: org, years });
    expect(await move(asked)).toMatchObject({ state: "completed" });
  });

  it("by an unknown opening account, and for a caller who is no operator", async () => {
    const { asked, move, account_id } = await ready();
    const fieldsOf = async (request: Parameters<typeof move>[0]) => {
      const thrown: Json = await move(request).catch((error: unknown) => error);
      return [
        thrown.code,
        ...thrown.extras.field_errors.map(({ field, code }: Json) => [field, code]),
      ];
    };
    expect(await fieldsOf({ ...asked, opening: undefined })).toEqual([
      "VALIDATION_FAILED",
      ["opening", "required"],
    ]);
    expect(await fieldsOf({ ...asked, opening: "99999" })).toEqual([
      "VALIDATION_FAILED",
      ["opening", "unknown_account"],
    ]);
    expect(await fieldsOf({ to: "builtin" })).toEqual(["VALIDATION_FAILED", ["to", "not_allowed"]]);
    const cx = await schedulerContext(world.services, account_id);
    const key = { ...cx, caller: { ...cx.caller, actor: { kind: "api_key", id: "k" } as const } };
    const refused: Json = await moveLedger(key, asked, false).catch((error: unknown) => error);
    expect(refused.code).toBe("ROLE_FORBIDDEN");
  });
});

describe("while the books move", () => {
  it("nothing is booked; the same command resumes the move, and the voucher is booked once", async () => {
    const { asked, org, move, rest, studio, books, done } = await ready();
    const draft = await studio.draft([studio.value(100)]);
    await simulation.control("switches", { ledger_item_ms: 3_600_000 });
    const moved = await move(asked);
    expect(moved).toMatchObject({ state: "moving", voucher: { number: null }, ended_at: null });
    expect((await done("GET /ledger/moves")).data).toEqual([moved]);
    expect(refusal(await rest(`POST /invoices/${draft.id}/issue`))).toBe("409 LEDGER_MOVING");
    studio.at("2026-05-06");
    expect(refusal(await studio.close("2026-04"))).toBe("409 LEDGER_MOVING");
    const payment = {
      external_id: "paid",
      kind: "payment",
      date: "2026-05-06",
      amount: 100,
      customer: studio.customer,
      allocations: [{ invoice: draft.id }],
      remainder: "customer_credit",
    };
    expect(refusal(await rest("POST /payments", payment))).toMatch(/^409 /);
    const other: Json = await move({ to: "tryton" }).catch((error: unknown) => error);
    expect(other.code).toBe("LEDGER_MOVING");
    expect(await refusalOf(move({ ...asked }, true))).toBe("LEDGER_MOVING");

    await simulation.control("switches", { ledger_item_ms: 0 });
    const [item] = (await books()).ledger_items;
    const key = `ledger_item/${org}/${item?.Id}`;
    await simulation.control("edit", { key, change: { due_at: 0 } });
    await letTimePass(world);
    expect(await move(asked)).toMatchObject({
      state: "completed",
      voucher: { number: expect.any(Number) },
    });
    expect(balancesOf(await books())).toEqual({ 63000: -1_100_000, 55000: 1_100_000 });
    expect((await rest(`POST /invoices/${draft.id}/issue`)).status).toBe(200);
  });

  it("the background ends a move whose answer is lost, with one voucher", async () => {
    const { asked, move, books, done } = await ready();
    await simulation.control("faults", [
      { match: "/ledgeritems/book$", action: "drop_after", times: 1 },
      { match: "/ledgeritems/status$", action: "drop_before", times: 50 },
    ]);
    expect(await refusalOf(move(asked))).toBe("LEDGER_UNAVAILABLE");
    expect((await done("GET /ledger/moves")).data).toMatchObject([{ state: "moving" }]);
    await simulation.control("faults", []);
    const work = ledgerWork(world.services, bookables, noteSendError);
    for (let round = 0; round < 8; round += 1) {
      await letTimePass(world);
      await work.run(() => false);
      await work.ended();
    }
    expect((await done("GET /ledger/moves")).data).toMatchObject([{ state: "completed" }]);
    expect(balancesOf(await books())).toEqual({ 63000: -1_100_000, 55000: 1_100_000 });
  });

  it("two commands at once move them once", async () => {
    const { asked, move, books, done } = await ready();
    const ended = await Promise.allSettled([move(asked), move(asked), move(asked)]);
    const codes = ended.map((one) =>
      one.status === "fulfilled" ? "moved" : (one.reason.code ?? `${one.reason}`),
    );
    expect(codes.filter((code) => code === "moved").length).toBeGreaterThanOrEqual(1);
    for (const code of codes) {
      expect(["moved", "LEDGER_MOVING", "VALIDATION_FAILED", "RESOURCE_BUSY"]).toContain(code);
    }
    expect((await done("GET /ledger/moves")).data).toMatchObject([{ state: "completed" }]);
    expect(balancesOf(await books())).toEqual({ 63000: -1_100_000, 55000: 1_100_000 });
  });

  it("each invoice that is issued at the same time is in one of both books", async () => {
    const { asked, account_id, move, rest, studio, books, done } = await ready();
    const drafts: string[] = [];
    for (let n = 1; n <= 6; n += 1) drafts.push((await studio.draft([studio.value(100 * n)])).id);
    const issue = (id: string) => rest(`POST /invoices/${id}/issue`);
    const [moved, ...issued] = await Promise.all([move(asked), ...drafts.map(issue)]);
    expect(moved).toMatchObject({ state: "completed" });
    for (const reply of issued) {
      expect(refusal(reply)).toMatch(/^(200|409 LEDGER_MOVING|409 RESOURCE_BUSY)$/);
    }
    for (const [at, id] of drafts.entries()) {
      if (issued[at]?.status !== 200) expect((await issue(id)).status).toBe(200);
    }
    const own: Json[] = await world.sql(
      "select guid from ledger_entries where account_id = $1 and guid = any($2::uuid[])",
      [account_id, drafts],
    );
    const remote = (await books()).invoices.filter(({ Status }) => Status === "Booked");
    const guids = [...own.map(({ guid }) => guid), ...remote.map(({ Guid }) => Guid.toLowerCase())];
    expect(guids.sort()).toEqual([...drafts].sort());
    expect((await done("GET /ledger/verification?fresh=true")).ok).toBe(true);
  });

  it("a refused voucher leaves the books where they are", async () => {
    const { asked, move, studio, done } = await ready();
    const body = {
      code: 42,
      message: "The books refuse it",
      validationErrors: { Amount: "wrong" },
    };
    await simulation.control("faults", [
      { match: "/ledgeritems$", action: "status", status: 400, body },
    ]);
    expect(await refusalOf(move(asked))).toBe("LEDGER_REJECTED");
    expect((await done("GET /ledger/moves")).data).toMatchObject([
      { state: "refused", reason: expect.any(String) },
    ]);
    expect(await done("GET /ledger/connection")).toMatchObject({ kind: "builtin" });
    const invoice = await studio.issued([studio.value(100)]);
    expect(invoice.status).toBe("issued");
    expect(await move(asked)).toMatchObject({ state: "completed" });
  });
});
