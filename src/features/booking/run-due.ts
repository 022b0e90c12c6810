/** Bookings in external ledgers that were left: a turn of each account that has one that is due. */
import type { Services } from "../../platform/services.ts";
import type { DeliveryListener } from "../deliveries/attempt.ts";
import type { Bookables } from "./bookable.ts";
import { dueAccounts } from "./intents.ts";
import { resumeDueIntent } from "./resume-intent.ts";

const ACCOUNTS_AT_ONCE = 50;

/** Resumes a booking of each account that has one that is due; answers whether there was one. */
export async function resumeDueIntents(
  services: Services,
  bookables: Bookables,
  told: DeliveryListener,
): Promise<boolean> {
  const accounts = await dueAccounts(services.db, [], ACCOUNTS_AT_ONCE);
  const found = await Promise.all(
    accounts.map((account_id) => resumeDueIntent(services, account_id, bookables, told)),
  );
  return found.includes(true);
}
