/** Moves of the books: from the built-in ledger to the simulation of Dinero and back, both books to the minor unit. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDineroSimulation } from "../support/ledger/dinero/simulation.ts";
import { balancesOf, DINERO_ROWS, openMoving, organisationOf } from "../support/ledger/moving.ts";
import { type Json, useWorld } from "../support/world/world.ts";

const world = useWorld({ environment: { MATCHBOOK_LEDGER_HOSTS: "127.0.0.1" } });
const ORG = 270_001;
let simulation: Awaited<ReturnType<typeof openDineroSimulation>>;
beforeAll(async () => {
  simulation = await openDineroSimulation();
});
afterAll(() => simulation?.close());

describe("a move from the built-in ledger to Dinero", () => {
  it("opens the contract balances by one voucher, and books in Dinero from then on", async () => {
    const { studio, move, done } = await openMoving(world, "2026-03-10");
    const early = await studio.issued([studio.service(12_000, "2026-03-01", "2027-02-28")]);
    await studio.done("POST /period-closes", { month: "2026-02" });
    studio.at("2026-04-05");
    await studio.done("POST /period-closes", { month: "2026-03" });
    const before = await done("GET /accruals/reconciliation?month=2026-03");
    const asked = {
      to: "dinero",
      given: await organisationOf(simulation, ORG),
      pairs: DINERO_ROWS,
      opening: "55000",
    };

    const dry = await move(asked, true);
    expect(dry).toMatchObject({ state: "moving", begins_on: "2026-04-01" });
    expect((await done("GET /ledger/moves")).data).toEqual([]);
    expect(await done("GET /ledger/connection")).toMatchObject({ kind: "builtin" });
    expect((await simulation.books(ORG)).ledger_items).toEqual([]);

    const moved = await move(asked);
    expect(moved).toMatchObject({
      state: "completed",
      from: { kind: "builtin", connection_id: null },
      to: { kind: "dinero", organisation: "Simuleret ApS" },
      begins_on: "2026-04-01",
      voucher: { number: expect.any(Number), year: 2026 },
    });
    expect((await done("GET /ledger/moves")).data).toEqual([moved]);
    const liability = before.roles.find(
      ({ account_role }: Json) => account_role === "contract_liability",
    ).sub_ledger;
    expect(balancesOf(await simulation.books(ORG))).toEqual({
      63000: -Math.round(liability * 100),
      55000: Math.round(liability * 100),
    });
    const late = await studio.issued([studio.value(1000)]);
    expect(late.ledger_invoice_number).not.toBe(early.ledger_invoice_number + 1);
    expect(balancesOf(await simulation.books(ORG))).toMatchObject({ 1000: -100_000 });
  });
});
