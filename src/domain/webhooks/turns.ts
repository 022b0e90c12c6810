/**
 * Whose turn it is to send: accounts in turn, then the endpoints of an account in turn. Slow endpoints share a quarter of all
 * places, so that they cannot take those of the others.
 */
import { groupedBy } from "../base/group.ts";

const OF_ENDPOINT = 5;
const OF_ACCOUNT = 20;
const OF_ALL = 100;
const SHARE_OF_SLOW = 4;

/** An endpoint with its attempts in progress. */
export interface Sending {
  readonly account_id: string;
  readonly is_slow: boolean;
  /** The number of attempts in progress. */
  readonly busy: number;
  /** Whether an event waits that may be sent now. */
  readonly has_due: boolean;
  /** The number of the turn that it had last; 0 before the first one. */
  readonly last_turn: number;
}

/** Returns the endpoint whose turn is next; undefined when none has one. `endpoints` are all with attempts or events that are due. */
export function nextTurn<Endpoint extends Sending>(
  endpoints: readonly Endpoint[],
): Endpoint | undefined {
  const slow = endpoints.filter(({ is_slow }) => is_slow);
  if (busyIn(endpoints) >= OF_ALL) return undefined;
  const is_slow_full = busyIn(slow) >= OF_ALL / SHARE_OF_SLOW;
  const accounts = [...groupedBy(endpoints, ({ account_id }) => account_id).values()];
  const candidates = accounts.flatMap((own) => {
    if (busyIn(own) >= OF_ACCOUNT) return [];
    const is_own_slow_full =
      busyIn(own.filter(({ is_slow }) => is_slow)) >= OF_ACCOUNT / SHARE_OF_SLOW;
    const last_turn = Math.max(...own.map((one) => one.last_turn));
    return own
      .filter(({ busy, has_due }) => has_due && busy < OF_ENDPOINT)
      .filter(({ is_slow }) => !is_slow || !(is_slow_full || is_own_slow_full))
      .map((endpoint) => ({ endpoint, last_turn }));
  });
  return candidates.sort(
    (a, b) => a.last_turn - b.last_turn || a.endpoint.last_turn - b.endpoint.last_turn,
  )[0]?.endpoint;
}

function busyIn(endpoints: readonly Sending[]): number {
  return endpoints.reduce((sum, { busy }) => sum + busy, 0);
}
