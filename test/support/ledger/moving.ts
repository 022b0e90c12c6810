/** An account of its own whose books move, as an operator moves them: the simulation of Dinero, and what its books contain. */

import { besideBookings } from "../../../src/background.ts";
import type { OpenedAccount } from "../../../src/features/access/accounts/create.ts";
import { operatorContext } from "../../../src/features/access/accounts/create.ts";
import { ledgerWork } from "../../../src/features/ledger/booking/run-due.ts";
import { bookables } from "../../../src/features/revenue/accruals/list-bookables.ts";
import { type MoveRequest, moveLedger } from "../../../src/features/revenue/moving/move-ledger.ts";
import { noteSendError } from "../../../src/features/sales/credit-notes/bookable.ts";
import { openStudio } from "../world/studio.ts";
import type { Json, World } from "../world/world.ts";
import type { openDineroSimulation, SimulatedBooks } from "./dinero/simulation.ts";
import { simulatedAccess } from "./dinero/simulation.ts";

const role = { vat_code: "", ledger_vat_code: null } as const;

/** The rows that the simulation of Dinero needs for the usual chart. */
export const DINERO_ROWS: MoveRequest["pairs"] = [
  { ...role, account_number: 6240, ledger_account: "57000" },
  { ...role, account_number: 8070, ledger_account: "63000" },
  { account_number: 1010, vat_code: "DK25", ledger_account: "1000", ledger_vat_code: null },
];

function movingAccount(world: World, { account_id, keys }: OpenedAccount) {
  const move = async (request: Partial<MoveRequest> & { to: string }, is_dry = false) => {
    const asked = { given: {}, opening: undefined, pairs: [], ...request };
    const cx = await operatorContext(world.services, account_id);
    return JSON.parse(await moveLedger(cx, asked, is_dry)) as Json;
  };
  const done = (call: string, body?: unknown): Promise<Json> =>
    world.done(call, body, keys.read_write);
  return {
    account_id,
    move,
    done,
    rest: (call: string, body?: unknown) => world.rest(call, body, keys.read_write),
    /** Does all work at the ledger that is due now in the background. */
    async work(): Promise<void> {
      const left = ledgerWork(world.services, bookables, noteSendError, besideBookings);
      while (await left.run(() => false)) await left.ended();
    },
    /** The code of a refused move, with the codes of its blocks. */
    async refusedMove(request: Partial<MoveRequest> & { to: string }, is_dry = false) {
      try {
        await move(request, is_dry);
      } catch (error) {
        const { code, extras } = error as { code: string; extras: Json };
        const blocks: Json[] = extras.details?.blocks ?? [];
        return [code, ...blocks.map((one) => one.code)];
      }
      throw new Error("the move was not refused");
    },
  };
}

/** The balance of each account of the simulation, debit above 0, in minor units. */
export function balancesOf({ entries }: SimulatedBooks): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { AccountNumber, Amount } of entries) {
    sums[AccountNumber] = (sums[AccountNumber] ?? 0) + Math.round(Amount * 100);
  }
  return sums;
}

type Simulation = Awaited<ReturnType<typeof openDineroSimulation>>;

/** Opens an organisation of its own in the simulation; returns the settings and secrets that reach it. */
export async function organisationOf(
  simulation: Simulation,
  id: number,
  change: Json = {},
): Promise<Record<string, string>> {
  const api_key = `key-${id}`;
  await simulation.control("organisation", { Id: id, key: api_key, ...change });
  const { settings, secrets } = simulatedAccess(simulation.origin);
  const organization_id = String(id);
  return { ...settings, ...secrets, api_key, organization_id, requests_per_minute: "60000" };
}

/** An account with books of its own, roles for accruals and a studio's customer and product; today is the given day. */
export async function openMoving(world: World, today: string) {
  world.clock.set(`${today}T09:00:00.000Z`);
  const account = await world.openAnother();
  const studio = await openStudio(world, account);
  const roles = { contract_asset: 6240, contract_liability: 8070, exchange_difference: 3610 };
  await studio.done("PATCH /configuration", { account_roles: roles });
  return { ...movingAccount(world, account), studio };
}
