/** The connected accounting system for commands: its functions other than booking, and the limits for calls. */
import type { ConnectedLedger } from "../../ledger/connected.ts";
import type { Connection } from "../../ledger/ledger.ts";
import type { CallOptions } from "../../ledger/outcome.ts";
import { timeLimit } from "../runtime/time-limit.ts";
import type { Reader } from "./context.ts";

/** Returns the connected accounting system; null if Matchbook keeps the books or the connected ledger only books. */
export function connectedLedger({ ledger, caller }: Reader): ConnectedLedger | null {
  if (ledger === null || ledger.transactional) return null;
  return ledger.connect(caller.account_id).more ?? null;
}

/** Returns the name of an account's accounting system for use in a sentence. */
export function ledgerTitle(ledger: Connection | null): string {
  const title = ledger === null || ledger.transactional ? undefined : ledger.title;
  return title ?? "the accounting system";
}

/** Whether the ledger, and not Matchbook, prints and sends documents. */
export function printsItself(ledger: Connection | null): boolean {
  if (ledger === null || ledger.transactional) return false;
  return ledger.capabilities?.documents === "ledger";
}

/** The kinds of ledgers that print and send documents themselves. */
export function printingKinds(ledgers: ReadonlyMap<string, Connection>): string[] {
  return [...ledgers.values()].filter(printsItself).map(({ kind }) => kind);
}

/** The kinds of ledgers that report what is paid. */
export function reportingKinds(ledgers: ReadonlyMap<string, Connection>): string[] {
  return [...ledgers.values()].flatMap((ledger) =>
    !ledger.transactional && ledger.capabilities?.tells_payments ? [ledger.kind] : [],
  );
}

/** Returns the options for a ledger call that ends by time or when no request waits. Background work comes last. */
export function callWithin({ signal, pool }: Reader, milliseconds: number): CallOptions {
  return {
    signal: timeLimit(milliseconds, signal).signal,
    urgency: pool === "background" ? "bulk" : "interactive",
  };
}
