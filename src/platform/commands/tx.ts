/**
 * Where something changes. Reads are awaited; writes are sent in their order, and what fails fails the transaction;
 * audit events are sent last, because the head of their chain is the last lock that is taken.
 */

import {
  readTogether,
  rolledBack,
  type Transaction,
  transaction,
} from "../database/transaction.ts";
import { appendEvents, type Change, type RecordedEvent, recordedBy } from "./audit.ts";
import type { Context, Personal, Reader } from "./context.ts";

/** An open transaction in which the caller changes something: only a command has one. */
export interface Tx extends Reader, Transaction {
  /**
   * Keeps an event about the caller's change, to be appended at the end: of what kind of thing, which one, and what has
   * happened to it, as a past participle (`created`, `issued`). The time is the real clock's (spec 12.2).
   */
  audit(resource_type: string, resource_id: string, action: string, change: Change): void;
}

/** The transaction of a person's change. */
export type PersonTx = Tx & Personal;

/** Runs the work in one transaction. Throws what it throws, and then nothing has happened. */
export function transact<Cx extends Context, Result>(
  cx: Cx,
  work: (tx: Tx & Pick<Cx, "caller">) => Promise<Result>,
): Promise<Result> {
  return transaction(cx.db, (opened) => work(txOf(cx, opened)));
}

/** Does the same and takes all of it back: what it answers is what it would do. */
export function dryRun<Cx extends Context, Result>(
  cx: Cx,
  work: (tx: Tx & Pick<Cx, "caller">) => Promise<Result>,
): Promise<Result> {
  return rolledBack(cx.db, (opened) => work(txOf(cx, opened)));
}

/** What a caller may use in a transaction that was opened before they were known. */
export function txOf<Cx extends Reader>(cx: Cx, opened: Transaction): Tx & Pick<Cx, "caller"> {
  const { caller, clock, ledger, mail, log, signal, leaves_if_long, pool } = cx;
  const events: RecordedEvent[] = [];
  const audit: Tx["audit"] = (resource_type, resource_id, action, change) => {
    if (events.length === 0) opened.last(() => appendEvents(opened, caller, events));
    events.push(recordedBy(caller, { resource_type, resource_id, action, ...change }));
  };
  const own = { caller, clock, ledger, mail, log, signal, leaves_if_long, pool };
  return { ...own, ...opened, audit };
}

/** Runs reads that must agree with each other on one snapshot; inside of a transaction they see what that sees. */
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
