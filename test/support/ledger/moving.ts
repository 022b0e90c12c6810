/** An account of its own whose books move, as an operator moves them: the simulation of Dinero, and what its books contain. */

import type { OpenedAccount } from "../../../src/features/access/accounts/create.ts";
import { operatorContext } from "../../../src/features/access/accounts/create.ts";
import { type MoveRequest, moveLedger } from "../../../src/features/revenue/moving/move-ledger.ts";
import type { Json, World } from "../world/world.ts";
import type { SimulatedBooks } from "./dinero/simulation.ts";

const role = { vat_code: "", ledger_vat_code: null } as const;

/** The rows that the simulation of Dinero needs for the usual chart. */
export const DINERO_ROWS: MoveRequest["pairs"] = [
  { ...role, account_number: 6240, ledger_account: "57000" },
  { ...role, account_number: 8070, ledger_account: "63000" },
  { account_number: 1010, vat_code: "DK25", ledger_account: "1000", ledger_vat_code: null },
];

export function movingAccount(world: World, { account_id, keys }: OpenedAccount) {
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
export function balancesThere({ entries }: SimulatedBooks): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { AccountNumber, Amount } of entries) {
    sums[AccountNumber] = (sums[AccountNumber] ?? 0) + Math.round(Amount * 100);
  }
  return sums;
}
