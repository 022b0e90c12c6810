/**
 * The transaction of a command. Reads are awaited. Writes are sent in their order, and a write that fails makes the transaction
 * fail. Audit events are sent last, because the head of their chain is the last lock that is taken.
 */

import type { EventAction, EventResource } from "../../domain/events/event-types.ts";
import {
  readTogether,
  rolledBack,
  type Transaction,
  transaction,
} from "../database/transaction.ts";
import { appendEvents, type Change, type RecordedEvent, recordedBy } from "./audit.ts";
import type { Context, Personal, Reader } from "./context.ts";

/** An open transaction in which the caller changes something; only commands have one. */
export interface Tx extends Reader, Transaction {
  /**
   * Records an event about the caller's change, to be appended at the end of the transaction: the kind of resource, its id, and
   * the action as a past participle (`created`, `issued`). The time is that of the real clock (spec 12.2).
   */
  audit<Resource extends EventResource>(
    resource_type: Resource,
    resource_id: string,
    action: EventAction<Resource>,
    change: Change,
  ): void;
}

/** The transaction of a command whose caller is a person. */
export type PersonTx = Tx & Personal;

/** Runs the work in one transaction. Throws what the work throws; the transaction is then rolled back. */
export function transact<Cx extends Context, Result>(
  cx: Cx,
  work: (tx: Tx & Pick<Cx, "caller">) => Promise<Result>,
): Promise<Result> {
  return transaction(cx.db, (opened) => work(txOf(cx, opened)));
}

/** Does the work as `transact` does and rolls it back: the result is what the work would do. */
export function dryRun<Cx extends Context, Result>(
  cx: Cx,
  work: (tx: Tx & Pick<Cx, "caller">) => Promise<Result>,
): Promise<Result> {
  return rolledBack(cx.db, (opened) => work(txOf(cx, opened)));
}

/** Combines the caller's context with a transaction that was opened before the caller was known. */
export function txOf<Cx extends Reader>(cx: Cx, opened: Transaction): Tx & Pick<Cx, "caller"> {
  const { caller, clock, ledger, ledgers, einvoice_setups, sealing } = cx;
  const { mail, limits, log, signal, leaves_if_long, pool } = cx;
  const events: RecordedEvent[] = [];
  const audit: Tx["audit"] = (resource_type, resource_id, action, change) => {
    if (events.length === 0) opened.last(() => appendEvents(opened, caller, events));
    events.push(recordedBy(caller, { resource_type, resource_id, action, ...change }));
  };
  const inherited = { caller, clock, ledger, ledgers, einvoice_setups, sealing, mail, log };
  const own = { ...inherited, signal, limits, leaves_if_long, pool };
  return { ...own, ...opened, audit };
}

/** Runs reads that must agree with each other on one snapshot. Inside a transaction, they see what the transaction sees. */
export function reading<Cx extends Reader, Result>(
  cx: Cx,
  work: (cx: Reader & Pick<Cx, "caller">) => Promise<Result>,
): Promise<Result> {
  if (!isOutside(cx)) return work(cx);
  const { db, ...outside } = cx;
  return readTogether(db, (reads) => work({ ...outside, ...reads }));
}

function isOutside<Cx extends Reader>(cx: Cx): cx is Cx & Context {
  return "db" in cx;
}
