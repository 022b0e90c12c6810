/** Seals the secrets of all authenticator apps again, as a part of the rotation of the installation's sealing key. */
import { sql } from "../../../platform/database/sql.ts";
import type { Transaction } from "../../../platform/database/transaction.ts";
import type { Sealing } from "../../../platform/security/sealing.ts";
import { authenticatorPlace } from "./queries.ts";

interface SealedApp {
  readonly login_id: string;
  readonly state: "new" | "active";
  readonly sealed_secret: Buffer;
}

/** Seals the secrets with the current key; returns their number. Throws a SealError when an old key is missing. */
export async function rollAuthenticators(tx: Transaction, sealing: Sealing): Promise<number> {
  const apps = await tx.rows<SealedApp>(sql`select login_id, state, sealed_secret
     from authenticators order by login_id, state for no key update`);
  for (const { login_id, state, sealed_secret } of apps) {
    const place = authenticatorPlace(login_id);
    const { key_id, content } = sealing.seal(sealing.open(sealed_secret, place), place);
    tx.write(sql`update authenticators set key_id = ${key_id}, sealed_secret = ${content}
       where login_id = ${login_id} and state = ${state}`);
  }
  return apps.length;
}
