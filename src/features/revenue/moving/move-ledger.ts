/**
 * Moves the books of an account to another ledger (spec 9.11): one transaction decides and switches, and a voucher opens the
 * contract balances. In a ledger outside that voucher is an intent: until it is booked the account is moving, and books nothing.
 */
import * as z from "zod";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { invalidField, Problem, requireValid } from "../../../domain/base/problem.ts";
import { moveBegin, moveBlocks } from "../../../domain/revenue/ledger-move.ts";
import type { ConnectionSettings } from "../../../ledger/connector.ts";
import { defineCommand, run } from "../../../platform/commands/command.ts";
import { printsItself } from "../../../platform/commands/connected-ledger.ts";
import type { Context } from "../../../platform/commands/context.ts";
import { dryRun, type Tx } from "../../../platform/commands/tx.ts";
import { insert, sql } from "../../../platform/database/sql.ts";
import { timestampOf } from "../../../platform/runtime/clock.ts";
import { newId } from "../../../platform/runtime/id.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { findOpenOf, type Intent, openIntent, takeIntent } from "../../ledger/booking/intents.ts";
import { requireBooked } from "../../ledger/booking/refusals.ts";
import { resumeIntent } from "../../ledger/booking/resume-intent.ts";
import {
  connectionFrom,
  storedRow,
  tryConnection,
} from "../../ledger/connections/attempt-connection.ts";
import { mappingFaults } from "../../ledger/connections/change-mapping.ts";
import { OWN_BOOKS, requireMayConnect } from "../../ledger/connections/connect-account.ts";
import {
  findConnection,
  listFormer,
  type MappingRow,
  putMapping,
  replaceCurrent,
  returnTo,
} from "../../ledger/connections/queries.ts";
import { moveBookable, openLinks } from "../../ledger/moves/bookable.ts";
import {
  findMoving,
  functionalDigits,
  getMove,
  type MoveRow,
  presentMove,
} from "../../ledger/moves/queries.ts";
import { ownLedger } from "../../settings/configuration/accounts.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { type Opening, openingOf } from "./open-balances.ts";
import { mappingFor, readMoveFacts, type Target, targetFacts } from "./read-facts.ts";

/** What an operator asks for. */
export interface MoveRequest {
  /** `builtin`, or the kind of a ledger outside. */
  readonly to: string;
  /** The settings of the new connection; empty for the built-in ledger. */
  readonly given: ConnectionSettings;
  /** An account of the new books; null for none, undefined where it was not named. */
  readonly opening: string | null | undefined;
  /** Rows of the mapping of the new connection. */
  readonly pairs: readonly MappingRow[];
}

/**
 * Moves the books, or resumes a move to the same kind of ledger, and returns the move. With `is_dry` nothing
 * changes. Throws ROLE_FORBIDDEN, VALIDATION_FAILED, MOVE_BLOCKED with all blocks, LEDGER_MOVING for another move, and what a
 * booking in the new ledger throws: the books have then not moved, except after LEDGER_UNAVAILABLE and LEDGER_NOT_CONNECTED.
 */
export async function moveLedger(
  cx: Context,
  request: MoveRequest,
  is_dry: boolean,
): Promise<JsonText> {
  requireMayConnect(cx.caller);
  const moving = await findMoving(cx);
  if (moving !== undefined) return goOn(cx, moving, request, is_dry);
  if (request.to === OWN_BOOKS && Object.keys(request.given).length > 0) {
    throw invalidField("to", "not_allowed", "The built-in ledger has no settings.");
  }
  const target = request.to === OWN_BOOKS ? null : await targetOf(cx, request);
  const asked = { target, opening: request.opening };
  if (is_dry) {
    return dryRun(cx, async (tx) => (await commit(tx, await plan(tx, asked))).document);
  }
  return run(beginMove, cx, asked);
}

interface Asked {
  readonly target: Target | null;
  readonly opening: string | null | undefined;
}

/** Resumes a move whose voucher waits for its ledger. */
async function goOn(
  cx: Context,
  moving: MoveRow,
  { to }: MoveRequest,
  is_dry: boolean,
): Promise<JsonText> {
  const guid = moving.voucher_guid;
  if (is_dry || to !== moving.to_kind || guid === null) throw new Problem("LEDGER_MOVING");
  const inside = inLedger(cx, to);
  const open = await findOpenOf(inside, guid);
  // Another process has just ended it.
  if (open === undefined) {
    return presentMove(await getMove(inside, moving.id), await functionalDigits(inside));
  }
  const intent = await takeIntent(inside, inside.caller.account_id, open.id);
  // Another process is calling the ledger.
  if (intent === undefined) throw new Problem("LEDGER_MOVING");
  return (await resumeIntent(inside, intent, moveBookable)).document;
}

/** Tries the new connection; the same books as before have the same connection again. */
async function targetOf(cx: Context, { to, given, pairs }: MoveRequest): Promise<Target> {
  const wanted = connectionFrom(cx, to, given);
  const { organisationKey } = wanted.setup.connector;
  const key = organisationKey(wanted.fields.settings);
  const leadsTo = (settings: ConnectionSettings): boolean => organisationKey(settings) === key;
  const former = await listFormer(cx, to);
  const same = former.find(({ settings }) => leadsTo(JSON.parse(settings)));
  const tried = await tryConnection(cx, wanted, same?.id ?? newId<string>());
  return { tried, leadsTo, is_return: same !== undefined, pairs };
}

interface MovePlan extends Opening {
  readonly id: string;
  readonly begins_on: NonNullable<ReturnType<typeof moveBegin>>;
  readonly from_connection_id: string | null;
  readonly opening: string | null;
  readonly target: Target | null;
  readonly mapping: readonly MappingRow[];
  /** The decimals of the functional currency. */
  readonly digits: number;
}

async function plan(tx: Tx, { target, opening }: Asked): Promise<MovePlan> {
  requireMayConnect(tx.caller);
  // Every booking locks the configuration too: while it is locked, none is in progress.
  tx.lock(
    sql`select from configurations where account_id = ${tx.caller.account_id} for no key update`,
  );
  if ((await findMoving(tx)) !== undefined) throw new Problem("LEDGER_MOVING");
  const configuration = await getConfiguration(tx);
  await requireOther(tx, target);
  const checked = target?.tried.checked;
  if (target !== null && checked?.state === "ok") {
    requireValid(await mappingFaults(tx, target.pairs, checked));
  }
  const mapping = target === null ? [] : await mappingFor(tx, target, configuration);
  const found = target && (await targetFacts(tx, target, mapping, configuration));
  const facts = await readMoveFacts(tx, configuration, found);
  const [blocks, begins_on] = [moveBlocks(facts), moveBegin(facts)];
  if (blocks.length > 0 || begins_on === null) {
    throw new Problem("MOVE_BLOCKED", { details: { blocks } });
  }
  const move_id = newId<string>();
  const of_opening = { configuration, begins_on, move_id, opening, target, mapping };
  return {
    ...(await openingOf(tx, of_opening)),
    id: move_id,
    begins_on,
    from_connection_id: configuration.connection_id,
    opening: opening ?? null,
    target,
    mapping,
    digits: currencyDigits(configuration.functional_currency),
  };
}

/** Requires other books than the present ones. */
async function requireOther(tx: Tx, target: Target | null): Promise<void> {
  const message = "The account books there already.";
  if (target === null) {
    if (tx.ledger?.transactional) throw invalidField("to", "not_allowed", message);
    return;
  }
  const { account_id } = tx.caller;
  const current = await findConnection(tx, account_id, target.tried.kind);
  if (current !== undefined && target.leadsTo(JSON.parse(current.settings))) {
    throw invalidField("to", "not_allowed", message);
  }
}

interface BegunMove {
  readonly document: JsonText;
  /** The voucher in a ledger outside; null when the move has ended. */
  readonly intent: Intent | null;
  readonly kind: string;
}

async function commit(tx: Tx, decided: MovePlan): Promise<BegunMove> {
  const { account_id, actor } = tx.caller;
  const { id, target, booking, digits } = decided;
  const kind = target?.tried.kind ?? OWN_BOOKS;
  const is_moving = target !== null && booking !== null;
  const booked = target === null && booking !== null ? await bookInside(tx, booking) : null;
  switchTo(tx, decided);
  tx.write(
    insert("ledger_moves", {
      account_id,
      id,
      state: is_moving ? "moving" : "completed",
      from_kind: tx.caller.ledger_kind,
      from_connection_id: decided.from_connection_id,
      to_kind: kind,
      to_connection_id: target?.tried.id ?? null,
      begins_on: decided.begins_on,
      opening_account: decided.opening,
      ...decided.balances,
      voucher_guid: booking?.intent.guid ?? null,
      voucher_number: booked?.number ?? null,
      voucher_year: null,
      reason: null,
      requested_by: `${actor.kind}:${actor.id}`,
      ended_at: is_moving ? null : timestampOf(Date.now()),
    }),
  );
  const intent = is_moving ? await openIntent(tx, booking.intent, booking.payload) : null;
  if (target !== null && intent === null) await openLinks(tx);
  const document = presentMove(await getMove(tx, id), digits);
  tx.audit("ledger_move", id, intent === null ? "completed" : "begun", {
    before: null,
    after: document,
  });
  return { document, intent, kind };
}

async function bookInside(tx: Tx, { intent }: NonNullable<Opening["booking"]>) {
  const [outcome] = await ownLedger(tx).within(tx, tx.caller.account_id).ensureBooked([intent]);
  if (outcome === undefined) throw new Error("a booking has no outcome");
  return requireBooked(outcome);
}

/** Lets the account book in the new ledger. */
function switchTo(tx: Tx, { target, mapping }: MovePlan): void {
  const { account_id } = tx.caller;
  const checked = target?.tried.checked;
  if (target === null || checked?.state !== "ok") replaceCurrent(tx, null);
  else {
    const { tried, is_return } = target;
    // Its changes are read once the move has ended.
    const next_pull_at = timestampOf(Date.now() + LATER_MS);
    const row = { ...storedRow(tried, checked), next_pull_at };
    if (is_return) returnTo(tx, tried.id, row);
    else replaceCurrent(tx, { account_id, ...row });
    if (mapping.length > 0) putMapping(tx, tried.id, mapping);
  }
  const kind = target?.tried.kind ?? OWN_BOOKS;
  tx.write(sql`update accounts set ledger_kind = ${kind} where id = ${account_id}`);
  // What waits for its PDF is made on request by the ledger that booked it: the background makes those of the new ledger.
  if (printsItself(tx.ledger) || printsItself(tx.ledgers.get(kind) ?? null)) {
    tx.write(sql`delete from waiting_documents where account_id = ${account_id}`);
  }
}

const LATER_MS = 86_400_000;

const beginMove = defineCommand({
  name: "move_ledger",
  access: "issue",
  input: z.custom<Asked>(),
  plan,
  commit,
  async after(cx, { document, intent, kind }): Promise<JsonText> {
    if (intent === null) return document;
    return (await resumeIntent(inLedger(cx, kind), intent, moveBookable)).document;
  },
});

/** Returns the context in which the account books in its new ledger. */
function inLedger(cx: Context, kind: string): Context {
  const caller = { ...cx.caller, ledger_kind: kind };
  return { ...cx, caller, ledger: cx.ledgers.get(kind) ?? null };
}
