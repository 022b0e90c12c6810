/**
 * A world whose account is connected to a simulation of Dinero, as an operator connects it, over a wire with faults that tests
 * choose. No part of Matchbook is replaced; numbers and totals are read from the books of the simulation.
 */
import { afterAll, beforeAll } from "vitest";
import { besideBookings } from "../../../../src/background.ts";
import { operatorContext } from "../../../../src/features/access/accounts/create.ts";
import { ledgerWork } from "../../../../src/features/ledger/booking/run-due.ts";
import { changeMapping } from "../../../../src/features/ledger/connections/change-mapping.ts";
import { connectAccount } from "../../../../src/features/ledger/connections/connect-account.ts";
import { bookables } from "../../../../src/features/revenue/accruals/list-bookables.ts";
import { noteSendError } from "../../../../src/features/sales/credit-notes/bookable.ts";
import type { ConnectionSettings } from "../../../../src/ledger/connector.ts";
import type { Connection, Timeouts } from "../../../../src/ledger/ledger.ts";
import { run } from "../../../../src/platform/commands/command.ts";
import { useWorld, type World, type WorldOptions } from "../../world/world.ts";
import { openFaultProxy } from "../fault-proxy.ts";
import { openDineroSimulation, simulatedAccess } from "./simulation.ts";

/** Connects an account as an operator does, and maps the roles of its accruals. */
export async function connectDinero(
  world: World,
  account_id: string,
  access: ConnectionSettings,
  requests_per_minute = 60_000,
): Promise<void> {
  const operator = () => operatorContext(world.services, account_id);
  await connectAccount(await operator(), "dinero", {
    ...access,
    requests_per_minute: String(requests_per_minute),
  });
  const role = { vat_code: "", ledger_vat_code: null } as const;
  await run(changeMapping, await operator(), {
    rows: [
      { ...role, account_number: 6240, ledger_account: "57000" },
      { ...role, account_number: 8070, ledger_account: "63000" },
    ],
  });
}

/** The simulation has the accounts that its header lists, and accounting years until that of `today`. */
export function useDineroWorld(
  options: WorldOptions = {},
  today = "2026-11-20",
  requests_per_minute = 60_000,
) {
  const world = useWorld({
    ...options,
    environment: { MATCHBOOK_LEDGER_HOSTS: "127.0.0.1", ...options.environment },
  });
  let simulation: Awaited<ReturnType<typeof openDineroSimulation>>;
  let wire: Awaited<ReturnType<typeof openFaultProxy>>;
  beforeAll(async () => {
    world.clock.set(`${today}T09:00:00.000Z`);
    simulation = await openDineroSimulation();
    const year = Number(today.slice(0, 4));
    const years = [year - 1, year].map((one) => ({
      Name: String(one),
      FromDate: `${one}-01-01`,
      ToDate: `${one}-12-31`,
    }));
    await simulation.control("organisation", { years });
    wire = await openFaultProxy(simulation.origin);
    const { settings, secrets } = simulatedAccess(wire.origin);
    const access = { ...settings, ...secrets };
    await connectDinero(world, world.account.account_id, access, requests_per_minute);
  });
  afterAll(async () => {
    await wire?.close();
    await simulation?.close();
  });
  return {
    world,
    /** The books of the simulation. */
    simulation: () => simulation,
    /** The wire to the books. */
    wire: () => wire,
    /** From now on, calls of the ledger have these timeouts. */
    meetWith(timeouts: Timeouts): void {
      const ledgers = world.services.ledgers as Map<string, Connection>;
      ledgers.set("dinero", { ...ledgers.get("dinero"), timeouts } as Connection);
    },
    /** Does all work at the ledger that is due now in the background. */
    async work(): Promise<void> {
      const left = ledgerWork(world.services, bookables, noteSendError, besideBookings);
      while (await left.run(() => false)) await left.ended();
    },
  };
}
