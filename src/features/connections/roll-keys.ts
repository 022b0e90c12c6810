/** Sealing every secret of the installation anew, with the key that seals from now on. */
import { sql, update } from "../../platform/database/sql.ts";
import { transaction } from "../../platform/database/transaction.ts";
import type { Services } from "../../platform/services.ts";
import { secretsPlace } from "./connection.ts";
import { tokensPlace } from "./tokens.ts";

interface SealedRow {
  readonly account_id: string;
  readonly id: string;
  readonly sealed_secrets: Buffer;
  readonly sealed_tokens: Buffer | null;
}

/** Answers the key and how many connections were sealed with it. Throws a SealError where an old key is missing. */
export async function rollKeys({ sealing, db }: Pick<Services, "sealing" | "db">): Promise<{
  readonly key_id: string;
  readonly sealed: number;
}> {
  const key_id = sealing.rotate();
  const known = await db.rows<Pick<SealedRow, "account_id" | "id">>(
    sql`select account_id, id from ledger_connections order by account_id, id`,
  );
  for (const { account_id, id } of known) {
    await transaction(db, async (tx) => {
      const row = await tx.row<SealedRow>(sql`select account_id, id, sealed_secrets, sealed_tokens
        from ledger_connections where account_id = ${account_id} and id = ${id} for no key update`);
      if (row === undefined) return;
      const [secrets, tokens] = [secretsPlace(account_id, id), tokensPlace(account_id, id)];
      const sealed = sealing.seal(sealing.open(row.sealed_secrets, secrets), secrets);
      const kept = row.sealed_tokens && sealing.open(row.sealed_tokens, tokens);
      const sealed_tokens = kept === null ? null : sealing.seal(kept, tokens).content;
      const fields = { key_id: sealed.key_id, sealed_secrets: sealed.content, sealed_tokens };
      tx.write(sql`${update("ledger_connections", fields)}
        where account_id = ${account_id} and id = ${id}`);
    });
  }
  return { key_id, sealed: known.length };
}
