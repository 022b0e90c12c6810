/**
 * Deficit round robin over accounts whose work waits in the database: a fair queue of which only the next turn and the debts are
 * in memory. A turn is worth a quantum. An account whose work cost more owes the rest, which later turns pay.
 */
import { groupedBy } from "../../domain/base/group.ts";

interface Waiting {
  readonly account_id: string;
  /** What the work costs; 0 by default, where the query limits the turn of an account. */
  readonly cost?: number;
}

const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

export class RoundRobin {
  readonly #quantum: number;
  readonly #debts = new Map<string, number>();
  /** The account after which the next turn begins. */
  #after = BEFORE_ALL;

  constructor(quantum = 1) {
    this.#quantum = quantum;
  }

  /**
   * Returns the work of the next turns: the first of each account, then the second of each, and so on; empty when none waits.
   * `find` looks for work of accounts after the given one, except those that owe a whole turn. Each round over the accounts pays
   * a quantum of every debt; when no other account waits, debts are cancelled.
   */
  async next<Work extends Waiting>(
    find: (after: string, owing: readonly string[]) => Promise<readonly Work[]>,
  ): Promise<Work[]> {
    for (const after of new Set([this.#after, BEFORE_ALL])) {
      const debtors = [...this.#debts.keys()];
      if (after === BEFORE_ALL) for (const account_id of debtors) this.charge(account_id, 0);
      const found = await find(
        after,
        debtors.filter((account_id) => this.left(account_id) <= 0),
      );
      this.#after =
        found
          .map(({ account_id }) => account_id)
          .sort()
          .at(-1) ?? BEFORE_ALL;
      if (found.length > 0) return this.#chargeAll(found);
    }
    if (this.#debts.size === 0) return [];
    this.#debts.clear();
    return this.next(find);
  }

  /** Returns the cost that an account may use in the next turn; 0 or less when it owes that turn. */
  left(account_id: string): number {
    return this.#quantum - (this.#debts.get(account_id) ?? 0);
  }

  /** Ends a turn of an account and charges the cost that it used. */
  charge(account_id: string, cost: number): void {
    const debt = cost - this.left(account_id);
    if (debt > 0) this.#debts.set(account_id, debt);
    else this.#debts.delete(account_id);
  }

  #chargeAll<Work extends Waiting>(found: readonly Work[]): Work[] {
    const turns = [...groupedBy(found, ({ account_id }) => account_id)];
    for (const [account_id, works] of turns) {
      this.charge(
        account_id,
        works.reduce((sum, { cost = 0 }) => sum + cost, 0),
      );
    }
    const placed = turns.flatMap(([, works]) => works.map((work, place) => ({ work, place })));
    return placed.sort((a, b) => a.place - b.place).map(({ work }) => work);
  }
}
