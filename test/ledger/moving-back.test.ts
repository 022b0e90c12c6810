/**
 * Books that move to Dinero, back, and on to Tryton: after each move both books are compared with the accruals to the minor unit, and a document
 * stays with the ledger that booked it.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openDineroSimulation } from "../support/ledger/dinero/simulation.ts";
import { balancesOf, DINERO_ROWS, openMoving, organisationOf } from "../support/ledger/moving.ts";
import { openTryton, type TrytonBooks } from "../support/ledger/tryton/open-tryton.ts";
import { requireTryton, whyNoTryton } from "../support/ledger/tryton/program.ts";
import { type Json, useWorld } from "../support/world/world.ts";

const world = useWorld({ environment: { MATCHBOOK_LEDGER_HOSTS: "127.0.0.1" } });
let simulation: Awaited<ReturnType<typeof openDineroSimulation>>;
beforeAll(async () => {
  simulation = await openDineroSimulation();
});
afterAll(() => simulation?.close());

type Moving = Awaited<ReturnType<typeof openMoving>>;

/** What the accruals of a month have on the contract accounts: debit above 0, in minor units. */
async function accrued({ done }: Moving, month: string): Promise<Readonly<Record<string, number>>> {
  const { roles } = await done(`GET /accruals/reconciliation?month=${month}`);
  const sums = roles.map(({ account_role, sub_ledger }: Json) => {
    const minor = Math.round(sub_ledger * 100);
    return [account_role, account_role === "contract_asset" ? minor : -minor];
  });
  return Object.fromEntries(sums);
}

/** The comparisons of a month that differ. */
async function differing({ done }: Moving, month: string): Promise<Json[]> {
  const compared = await done(`GET /accruals/reconciliation?month=${month}`);
  const all: Json[] = [compared.roles, compared.documents, compared.earnings].flat();
  return all.filter(({ difference }) => difference !== 0);
}

const failing = async ({ done }: Moving): Promise<Json[]> =>
  (await done("GET /ledger/verification?fresh=true")).checks.filter(({ ok }: Json) => !ok);

describe("books that move to Dinero and back", () => {
  const org = 270_100;
  let account: Moving;
  let early: Json;
  let late: Json;

  beforeAll(async () => {
    account = await openMoving(world, "2026-03-10");
    const { studio } = account;
    early = await studio.issued([
      studio.service(12_000, "2026-03-01", "2027-02-28"),
      studio.value(1_000),
    ]);
    const work = await studio.draft([studio.hours()]);
    await studio.work(work, "2026-03-09", 3);
    await studio.closed("2026-02");
    studio.at("2026-04-05");
    await studio.closed("2026-03");
  });

  it("are opened in Dinero with what the accruals have", async () => {
    const before = await accrued(account, "2026-03");
    expect(before).toMatchObject({ contract_asset: 300_000, contract_liability: -1_100_000 });
    expect(await differing(account, "2026-03")).toEqual([]);
    const given = await organisationOf(simulation, org);
    const asked = { to: "dinero", given, pairs: DINERO_ROWS, opening: "55000" };
    const moved = await account.move(asked);
    expect(moved).toMatchObject({ state: "completed", begins_on: "2026-04-01" });
    expect(balancesOf(await simulation.books(org))).toEqual({
      57000: 300_000,
      63000: -1_100_000,
      55000: 800_000,
    });
    // The former books are compared as before, and are whole.
    expect(await differing(account, "2026-03")).toEqual([]);
    expect(await failing(account)).toEqual([]);
  });

  it("credit an old invoice in Dinero, which names it; the old invoice is printed here", async () => {
    const { studio, done } = account;
    const number = early.ledger_invoice_number;
    const credit = await done("POST /credit-notes", {
      invoice: early.id,
      external_id: "less-was-agreed",
      kind: "partial",
      credit_date: "2026-04-05",
      lines: [{ invoice_line_id: early.lines[1].id, amount: 400 }],
    });
    const { credit_notes } = await simulation.books(org);
    expect(credit_notes).toHaveLength(1);
    expect(credit_notes[0]).toMatchObject({ Number: credit.ledger_credit_note_number });
    expect(credit_notes[0]?.CreditNoteFor ?? null).toBeNull();
    expect(JSON.stringify(credit_notes[0])).toContain(`faktura ${number} af ${early.issue_date}`);
    const pdf = await world.rest(`GET /invoices/${early.id}/pdf`, undefined, studio.key);
    expect(pdf.headers.get("content-type")).toBe("application/pdf");
    late = await studio.issued([studio.service(2_400, "2026-04-01", "2026-09-30")]);
    expect((await simulation.books(org)).invoices).toHaveLength(1);
  });

  it("record payments of an old invoice as before, and no other payments", async () => {
    const { studio, done } = account;
    const payment = (fields: Json): Json => ({
      kind: "payment",
      date: "2026-04-05",
      amount: 500,
      customer: studio.customer,
      ...fields,
    });
    const allocations = [{ invoice: early.id }];
    const paid = await done("POST /payments", payment({ external_id: "old", allocations }));
    expect(paid).toMatchObject({ status: "booked", unallocated: 0 });
    const ahead = payment({ external_id: "ahead", remainder: "customer_credit" });
    expect(await studio.tried("POST /payments", ahead)).toBe("409 PAYMENTS_IN_LEDGER");
    const wrong = payment({ external_id: "new", allocations: [{ invoice: late.id }] });
    expect(await studio.tried("POST /payments", wrong)).toBe("409 PAYMENTS_IN_LEDGER");
    const second = await done("POST /payments", payment({ external_id: "twice", allocations }));
    const reason = "Paid twice";
    const reversed = await done(`POST /payments/${second.id}/reverse`, { reason });
    expect(reversed).toMatchObject({ status: "reversed" });
    expect(await done(`GET /invoices/${early.id}/payment`)).toMatchObject({
      source: "books",
      state: "partly_paid",
      paid: 500,
    });
    expect(await done(`GET /invoices/${late.id}/payment`)).toMatchObject({ source: "ledger" });
    expect(await failing(account)).toEqual([]);
  });

  it("are back in the built-in ledger with what the accruals have at that time", async () => {
    const { studio, move } = account;
    studio.at("2026-05-06");
    await studio.closed("2026-04");
    const remote = balancesOf(await simulation.books(org));
    const before = await accrued(account, "2026-04");
    expect([remote[57000], remote[63000]]).toEqual([
      before.contract_asset,
      before.contract_liability,
    ]);
    await account.work();
    const moved = await move({ to: "builtin", opening: "6950" });
    expect(moved).toMatchObject({
      state: "completed",
      begins_on: "2026-05-01",
      from: { kind: "dinero", organisation: "Simuleret ApS" },
      voucher: { number: expect.any(Number), year: null },
    });
    expect(await accrued(account, "2026-05")).toEqual(before);
    expect(await differing(account, "2026-05")).toEqual([]);
    expect(await failing(account)).toEqual([]);
    // The invoice of Dinero is still printed by Dinero, and is credited here by its number and year.
    const credit = await account.done("POST /credit-notes", {
      invoice: late.id,
      external_id: "cancelled",
      kind: "full",
      credit_date: "2026-05-06",
    });
    const [{ text }] = await world.sql(
      "select text from ledger_entries where account_id = $1 and guid = $2",
      [account.account_id, credit.id],
    );
    expect(text).toContain(`credits invoice ${late.ledger_invoice_number} (2026)`);
    const calls = (await simulation.calls()).length;
    const pdf = await world.rest(`GET /invoices/${late.id}/pdf`, undefined, studio.key);
    expect(pdf.status).toBe(200);
    expect((await simulation.calls()).length).toBeGreaterThan(calls);
    // What is paid of it is still read there.
    await simulation.control("pay", { org, guid: late.id, amount: 1_000, date: "2026-05-05" });
    await world.sql("update ledger_items set read_at = read_at - interval '1 hour'");
    await world.sql(
      "update ledger_connections set payments_read_at = payments_read_at - interval '1 hour'",
    );
    expect(await account.done(`GET /invoices/${late.id}/payment`)).toMatchObject({
      source: "ledger",
      state: "partly_paid",
      paid: 1_000,
    });
    expect(await failing(account)).toEqual([]);
  });

  describe("and Tryton", () => {
    let tryton: TrytonBooks | undefined;
    beforeAll(async () => {
      if (whyNoTryton() === undefined) tryton = await openTryton();
    });
    beforeEach(requireTryton);
    afterAll(() => tryton?.close());

    it("are opened in Tryton by the voucher of the same balances", async () => {
      if (tryton === undefined) throw new Error("Tryton did not start");
      const { studio, move } = account;
      studio.at("2026-06-05");
      await studio.closed("2026-05");
      expect(await differing(account, "2026-05")).toEqual([]);
      const before = await accrued(account, "2026-05");
      const row = { account_number: 1010, vat_code: "DK25", ledger_account: "1010" };
      const moved = await move({
        to: "tryton",
        given: { ...tryton.settings, ...tryton.secrets },
        pairs: [{ ...row, ledger_vat_code: "U25" }],
        opening: "1150",
      });
      expect(moved).toMatchObject({ state: "completed", begins_on: "2026-06-01" });
      const rows = await tryton.sql<{ code: string; sum: string }>(
        `select a.code, sum(l.debit - l.credit)::text as sum from account_move_line l
       join account_account a on a.id = l.account group by a.code having sum(l.debit - l.credit) <> 0`,
      );
      const remote = Object.fromEntries(
        rows.map(({ code, sum }) => [code, Math.round(Number(sum) * 100)]),
      );
      expect(remote).toEqual({
        6240: before.contract_asset,
        8070: before.contract_liability,
        1150: -(before.contract_asset ?? 0) - (before.contract_liability ?? 0),
      });
      const { data } = await account.done("GET /ledger/moves");
      expect(data.map(({ to }: Json) => to.kind)).toEqual(["tryton", "builtin", "dinero"]);
    });
  });
});
