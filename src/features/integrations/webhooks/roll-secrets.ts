/** Seals the secrets and headers of all webhook endpoints again, as a part of the rotation of the installation's sealing key. */
import { sql, update } from "../../../platform/database/sql.ts";
import type { Transaction } from "../../../platform/database/transaction.ts";
import type { SealedPlace, Sealing } from "../../../platform/security/sealing.ts";
import { headersPlace, secretPlace } from "./mint-secret.ts";
import type { EndpointRow } from "./queries.ts";

type SealedEndpoint = Pick<
  EndpointRow,
  "account_id" | "id" | "secret_sealed" | "previous_secret_sealed" | "headers_sealed"
>;

/** Seals them with the current key; returns the number of endpoints. Throws a SealError when an old key is missing. */
export async function rollWebhookSecrets(tx: Transaction, sealing: Sealing): Promise<number> {
  const endpoints = await tx.rows<Pick<SealedEndpoint, "account_id" | "id">>(
    sql`select account_id, id from webhook_endpoints order by account_id, id`,
  );
  for (const { account_id, id } of endpoints) {
    const row =
      await tx.row<SealedEndpoint>(sql`select account_id, id, secret_sealed, previous_secret_sealed, headers_sealed
        from webhook_endpoints where account_id = ${account_id} and id = ${id} for no key update`);
    if (row === undefined) continue;
    const again = (content: Buffer, place: SealedPlace) =>
      sealing.seal(sealing.open(content, place), place).content;
    const secrets = secretPlace(account_id, id);
    const fields = {
      secret_sealed: again(row.secret_sealed, secrets),
      previous_secret_sealed:
        row.previous_secret_sealed && again(row.previous_secret_sealed, secrets),
      headers_sealed: row.headers_sealed && again(row.headers_sealed, headersPlace(account_id, id)),
    };
    tx.write(sql`${update("webhook_endpoints", fields)}
      where account_id = ${account_id} and id = ${id}`);
  }
  return endpoints.length;
}
