/**
 * The voucher that opens the contract balances in a ledger outside, as a kind of document: when it is booked the move has ended,
 * and when the ledger refuses it the account books in its former ledger again.
 */
import { Problem } from "../../../domain/base/problem.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { sql, update } from "../../../platform/database/sql.ts";
import { timestampOf } from "../../../platform/runtime/clock.ts";
import { queueUnlinked } from "../../catalogue/links/queries.ts";
import { lockConfiguration } from "../../settings/configuration/save.ts";
import type { Bookable, BookingFacts, Decision } from "../booking/bookable.ts";
import { findMoveOf, functionalDigits, getMove, type MoveRow, presentMove } from "./queries.ts";

interface MoveVoucher extends BookingFacts {
  readonly move: MoveRow;
}

export const moveBookable: Bookable<MoveVoucher, Decision<MoveVoucher>> = {
  in_progress: "LEDGER_MOVING",
  done: "LEDGER_MOVING",
  number_constraint: "",

  async read(tx, guids) {
    await lockConfiguration(tx);
    const digits = await functionalDigits(tx);
    const found: MoveVoucher[] = [];
    for (const guid of guids) {
      const move = await findMoveOf(tx, guid);
      if (move === undefined) throw new Error(`no move has the voucher ${guid}`);
      const state = move.state === "moving" ? "booking" : "booked";
      found.push({ state, guid, document: presentMove(move, digits), move });
    }
    return found;
  },

  decide() {
    throw new Error("the move decides its voucher");
  },

  async booked(tx, outcomes) {
    const digits = await functionalDigits(tx);
    const issued = [];
    for (const { facts, booked } of outcomes) {
      const { id } = facts.move;
      const ended = {
        state: "completed",
        voucher_number: booked?.number ?? null,
        voucher_year: booked?.year ?? null,
        ended_at: timestampOf(Date.now()),
      } as const;
      tx.write(sql`${update("ledger_moves", ended)}
        where account_id = ${tx.caller.account_id} and id = ${id}`);
      await openLinks(tx);
      const document = presentMove(await getMove(tx, id), digits);
      tx.audit("ledger_move", id, "completed", { before: facts.document, after: document });
      issued.push({ document, delivery_id: null });
    }
    return issued;
  },

  async accepted(cx, guid) {
    const move = await findMoveOf(cx, guid);
    if (move === undefined) throw new Problem("LEDGER_UNAVAILABLE", { retry_after_seconds: 5 });
    return presentMove(move, await functionalDigits(cx));
  },

  async refused(tx, { move, document }, reason) {
    const { account_id } = tx.caller;
    const { id, from_kind, from_connection_id } = move;
    // Read before the account has its former ledger again, which is not the caller's.
    const digits = await functionalDigits(tx);
    const ended = { state: "refused", reason, ended_at: timestampOf(Date.now()) } as const;
    tx.write(sql`${update("ledger_moves", ended)} where account_id = ${account_id} and id = ${id}`);
    tx.write(sql`update ledger_connections set is_current = false, updated_at = (select clock_timestamp())
      where account_id = ${account_id} and is_current`);
    tx.write(sql`update ledger_connections set is_current = true, updated_at = (select clock_timestamp())
      where account_id = ${account_id} and id = ${from_connection_id}::uuid`);
    tx.write(sql`update accounts set ledger_kind = ${from_kind} where id = ${account_id}`);
    const after = presentMove(await getMove(tx, id), digits);
    tx.audit("ledger_move", id, "refused", { before: document, after, reason });
  },
};

/** Sends all customers and products to the new ledger, and reads its changes, from now on. One that had them gets all again. */
export async function openLinks(tx: Tx): Promise<void> {
  tx.write(sql`update ledger_links l set state = 'queued', version = l.version + 1, next_attempt_at = (select clock_timestamp()),
      is_answered = true, updated_at = (select clock_timestamp())
    from ledger_connections c
    where l.account_id = ${tx.caller.account_id} and c.account_id = ${tx.caller.account_id}
      and c.id = l.connection_id and c.is_current`);
  await queueUnlinked(tx, "customer");
  await queueUnlinked(tx, "product");
  tx.write(sql`update ledger_connections set next_pull_at = (select clock_timestamp())
    where account_id = ${tx.caller.account_id} and is_current`);
}
