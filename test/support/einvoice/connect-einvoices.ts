/** Connects the account of a world for its e-invoices, as its operator does. */
import { operatorContext } from "../../../src/features/access/accounts/create.ts";
import { connectAccount } from "../../../src/features/documents/einvoice-connections/connect-account.ts";
import type { ConnectionSettings } from "../../../src/ledger/connector.ts";
import type { World } from "../world/world.ts";

/** Connects through a folder unless another kind is given. The promise rejects with the Problem of a refusal. */
export async function connectEinvoices(
  { services, account }: Pick<World, "services" | "account">,
  settings: ConnectionSettings,
  kind = "folder",
  account_id = account.account_id,
): Promise<void> {
  await connectAccount(await operatorContext(services, account_id), kind, settings);
}
