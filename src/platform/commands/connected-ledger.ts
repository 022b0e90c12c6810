/** The accounting system that an account is connected to: what it does beside booking, and how it is asked. */
import type { ConnectedLedger } from "../../ledger/connected.ts";
import type { Connection } from "../../ledger/ledger.ts";
import type { CallOptions } from "../../ledger/outcome.ts";
import type { Reader } from "./context.ts";

/** Null where the account's books are kept here, or where its ledger only books. */
export function connectedLedger({ ledger, caller }: Reader): ConnectedLedger | null {
  if (ledger === null || ledger.transactional) return null;
  return ledger.connect(caller.account_id).more ?? null;
}

/** What the accounting system of an account is called in a sentence. */
export function ledgerTitle(ledger: Connection | null): string {
  const title = ledger === null || ledger.transactional ? undefined : ledger.title;
  return title ?? "the accounting system";
}

/** Whether documents are printed and sent by the ledger, and not here. */
export function printsItself(ledger: Connection | null): boolean {
  if (ledger === null || ledger.transactional) return false;
  return ledger.capabilities?.documents === "ledger";
}

/** The kinds of ledgers of which that holds. */
export function printingKinds(ledgers: ReadonlyMap<string, Connection>): string[] {
  return [...ledgers.values()].filter(printsItself).map(({ kind }) => kind);
}

/** One call that may take so many milliseconds, or until nobody waits any more; what is background work goes last. */
export function callWithin({ signal, pool }: Reader, milliseconds: number): CallOptions {
  return {
    signal: AbortSignal.any([signal, AbortSignal.timeout(milliseconds)]),
    urgency: pool === "background" ? "bulk" : "interactive",
  };
}
