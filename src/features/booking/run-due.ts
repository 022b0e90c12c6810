/**
 * Bookings in external ledgers that were left: one slot for each account in a process, so that a ledger that is slow or
 * away holds up nobody else, and each account that waits has its turn.
 */
import type { Services } from "../../platform/services.ts";
import type { DeliveryListener } from "../deliveries/attempt.ts";
import type { Bookables } from "./bookable.ts";
import { probeDown } from "./circuit.ts";
import { dueAccounts } from "./intents.ts";
import { resumeDueIntent } from "./resume-intent.ts";

const SLOTS = 20;
/** So many bookings, and the account waits for its next slot. */
const BOOKINGS_OF_A_SLOT = 50;
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

export interface Bookings {
  /** Begins slots for accounts that have something due, and asks whether ledgers are back; answers whether there were any. */
  run(isStopped: () => boolean): Promise<boolean>;
  /** Resolves when no slot is at work. */
  ended(): Promise<void>;
}

export function leftBookings(
  services: Services,
  bookables: Bookables,
  told: DeliveryListener,
): Bookings {
  const busy = new Map<string, Promise<void>>();
  let last = BEFORE_ALL;
  const slot = async (account_id: string, isStopped: () => boolean): Promise<void> => {
    try {
      for (let done = 0; done < BOOKINGS_OF_A_SLOT && !isStopped(); done += 1) {
        if (!(await resumeDueIntent(services, account_id, bookables, told))) return;
      }
    } catch (error) {
      services.log.error({ err: error, account_id }, "bookings in a ledger could not be resumed");
    } finally {
      busy.delete(account_id);
    }
  };
  return {
    async run(isStopped) {
      const is_back = await probeDown(services);
      const free = SLOTS - busy.size;
      if (free <= 0) return is_back;
      const except = [...busy.keys()];
      const next = await dueAccounts(services.db, except, last, free);
      const accounts =
        next.length > 0 ? next : await dueAccounts(services.db, except, BEFORE_ALL, free);
      last = accounts.at(-1) ?? BEFORE_ALL;
      for (const account_id of accounts) busy.set(account_id, slot(account_id, isStopped));
      return is_back || accounts.length > 0;
    },
    async ended() {
      while (busy.size > 0) await Promise.all(busy.values());
    },
  };
}
