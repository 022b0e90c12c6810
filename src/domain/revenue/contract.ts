/**
 * Contracts, within which the positions of lines are netted (IFRS 15.105): revenue earned but not invoiced is an asset, revenue
 * invoiced but not earned is a liability, and a contract never has both.
 */
import type { Money } from "../base/money.ts";

/** A one-time invoice, a series with all its occurrences, or an opening contract; positions are netted within it. */
export interface Contract {
  readonly invoice_id: string | null;
  readonly series_id: string | null;
  readonly opening_contract_id: string | null;
}

export interface Position {
  readonly asset: Money;
  readonly liability: Money;
}

/** Returns the net position of each contract: an asset or a liability, never both (IFRS 15.105). */
export function positionsOf(
  balances: Iterable<readonly [Contract, Money]>,
): Map<string, Contract & { readonly balance: Money }> {
  const contracts = new Map<string, Contract & { readonly balance: Money }>();
  for (const [contract, balance] of balances) {
    const { invoice_id, series_id, opening_contract_id } = contract;
    const key = contractKey(contract);
    const sum = (contracts.get(key)?.balance ?? 0n) + balance;
    contracts.set(key, { invoice_id, series_id, opening_contract_id, balance: sum });
  }
  return contracts;
}

/** Returns the contract of a line: its series, else its invoice or opening contract. */
export function contractOf({ invoice_id, series_id, opening_contract_id }: Contract): Contract {
  return { invoice_id: series_id === null ? invoice_id : null, series_id, opening_contract_id };
}

export function contractKey({ invoice_id, series_id, opening_contract_id }: Contract): string {
  return series_id ?? invoice_id ?? opening_contract_id ?? "";
}

export function positionOf(balance: Money): Position {
  return balance < 0n ? { asset: 0n, liability: -balance } : { asset: balance, liability: 0n };
}
