/** Seals the secrets of all e-invoice connections again, as a part of the rotation of the installation's sealing key. */
import { sql } from "../../../platform/database/sql.ts";
import type { Transaction } from "../../../platform/database/transaction.ts";
import type { Sealing } from "../../../platform/security/sealing.ts";
import { secretsPlace } from "./open-access-point.ts";

interface SealedConnection {
  readonly account_id: string;
  readonly id: string;
  readonly sealed_secrets: Buffer;
}

/** Seals the secrets with the current key; returns their number. Throws a SealError when an old key is missing. */
export async function rollEinvoiceSecrets(tx: Transaction, sealing: Sealing): Promise<number> {
  const connections = await tx.rows<Pick<SealedConnection, "account_id" | "id">>(
    sql`select account_id, id from einvoice_connections where is_current order by account_id, id`,
  );
  for (const { account_id, id } of connections) {
    const row = await tx.row<SealedConnection>(sql`select account_id, id, sealed_secrets
       from einvoice_connections where account_id = ${account_id} and id = ${id} and is_current for no key update`);
    if (row === undefined) continue;
    const place = secretsPlace(account_id, id);
    const { key_id, content } = sealing.seal(sealing.open(row.sealed_secrets, place), place);
    tx.write(sql`update einvoice_connections set key_id = ${key_id}, sealed_secrets = ${content}
       where account_id = ${account_id} and id = ${id}`);
  }
  return connections.length;
}
