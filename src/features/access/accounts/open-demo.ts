/** Opens the demo account of the very first start (spec 12.3), for trying the API. */
import { sql } from "../../../platform/database/sql.ts";
import type { Services } from "../../../platform/runtime/services.ts";
import { type OpenedAccount, openAccountIf } from "./create.ts";

export type DemoAccount = OpenedAccount;

/** Opens the demo account if there is no account, else returns undefined. Two parallel first starts open one. */
export function openDemo(services: Services): Promise<DemoAccount | undefined> {
  const fields = {
    name: "Demo",
    admin_email: "admin@demo.example",
    sandbox: false,
    currency: "DKK",
    is_first_start: true as const,
  };
  return openAccountIf(services, fields, async (tx) => {
    tx.lock(sql`lock table accounts in share row exclusive mode`);
    return (await tx.row(sql`select from accounts limit 1`)) === undefined;
  });
}
