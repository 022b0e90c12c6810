/** Seals every secret of the installation again, with the current sealing key. */

import { tokensPlace } from "../../../ledger/transport/tokens.ts";
import { sql, update } from "../../../platform/database/sql.ts";
import { type Transaction, transaction } from "../../../platform/database/transaction.ts";
import type { Services } from "../../../platform/runtime/services.ts";
import type { Sealing } from "../../../platform/security/sealing.ts";
import { rollAuthenticators } from "../../access/factors/roll-authenticators.ts";
import { rollEinvoiceSecrets } from "../../documents/einvoice-connections/roll-secrets.ts";
import { secretsPlace } from "./connection.ts";

interface SealedRow {
  readonly account_id: string;
  readonly id: string;
  readonly sealed_secrets: Buffer;
  readonly sealed_tokens: Buffer | null;
}

/**
 * Seals the secrets; returns the current key and the numbers of connections and authenticator apps sealed with it. After an interruption, the next run
 * completes the work. Throws a SealError when an old key is missing.
 */
export async function rollKeys(
  { sealing, db }: Pick<Services, "sealing" | "db">,
  /** Seal what later features hold; each returns its number. */
  others: readonly ((tx: Transaction, sealing: Sealing) => Promise<number>)[] = [],
): Promise<{
  readonly key_id: string;
  readonly sealed: number;
  readonly apps: number;
}> {
  const rolled = await transaction(db, async (tx) => {
    // All processes share one key file.
    await tx.row(sql`select pg_advisory_xact_lock(hashtextextended('sealing keys', 2))`);
    const key_id = sealing.rotate();
    const connections = await tx.rows<Pick<SealedRow, "account_id" | "id">>(
      sql`select account_id, id from ledger_connections order by account_id, id`,
    );
    for (const { account_id, id } of connections) {
      const row = await tx.row<SealedRow>(sql`select account_id, id, sealed_secrets, sealed_tokens
        from ledger_connections where account_id = ${account_id} and id = ${id} for no key update`);
      if (row === undefined) continue;
      const { sealed_secrets, sealed_tokens } = row;
      const [secrets, tokens] = [secretsPlace(account_id, id), tokensPlace(account_id, id)];
      const sealed = sealing.seal(sealing.open(sealed_secrets, secrets), secrets);
      const kept = sealed_tokens && sealing.seal(sealing.open(sealed_tokens, tokens), tokens);
      const fields = {
        key_id: sealed.key_id,
        sealed_secrets: sealed.content,
        sealed_tokens: kept?.content ?? null,
      };
      tx.write(sql`${update("ledger_connections", fields)}
        where account_id = ${account_id} and id = ${id}`);
    }
    let sealed = connections.length + (await rollEinvoiceSecrets(tx, sealing));
    for (const roll of others) sealed += await roll(tx, sealing);
    return { key_id, sealed, apps: await rollAuthenticators(tx, sealing) };
  });
  sealing.dropOld();
  return rolled;
}
