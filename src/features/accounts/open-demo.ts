/** The demo account of the very first start (spec 12.3): something to try the API with. */
import { query } from "../../platform/database/database.ts";
import { transaction } from "../../platform/database/transaction.ts";
import type { Services } from "../../platform/services.ts";
import { type OpenedAccount, openAccount } from "./create.ts";

export type DemoAccount = OpenedAccount;

/** Opens the demo account when there is no account at all; null otherwise. Two first starts make one. */
export async function openDemo(services: Services): Promise<DemoAccount | null> {
  return transaction(services.db, async (db) => {
    await query(db, "lock table accounts in share row exclusive mode");
    const accounts = await query(db, "select id from accounts limit 1");
    if (accounts.length > 0) return null;
    return openAccount(
      { ...services, db },
      { name: "Demo", admin_email: "admin@demo.example", sandbox: false, currency: "DKK" },
    );
  });
}
