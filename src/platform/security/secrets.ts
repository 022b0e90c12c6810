/** Secrets of the installation: created at their first use, stored in the database, the same for all processes. */
import { createHmac, randomBytes } from "node:crypto";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";

/** `client` signs client ids; `refresh` derives the next refresh token; `log` digests values not to be logged. */
type SecretName = "client" | "refresh" | "log";

const known = new WeakMap<Database["pool"], Map<SecretName, Promise<Buffer>>>();

/** Returns the HMAC-SHA-256 of a text under a secret. */
export async function signed(db: Database, name: SecretName, text: string): Promise<Buffer> {
  return createHmac("sha256", await secretOf(db, name))
    .update(text)
    .digest();
}

function secretOf(db: Database, name: SecretName): Promise<Buffer> {
  const secrets = known.get(db.pool) ?? new Map<SecretName, Promise<Buffer>>();
  known.set(db.pool, secrets);
  const found = secrets.get(name) ?? load(db, name);
  secrets.set(name, found);
  // A failure is not cached: the next call tries again.
  found.catch(() => secrets.delete(name));
  return found;
}

async function load(db: Database, name: SecretName): Promise<Buffer> {
  await db.rows(
    sql`insert into oauth_secrets (name, secret) values (${name}, ${randomBytes(32)}) on conflict do nothing`,
  );
  const row = await db.row<{ secret: Buffer }>(
    sql`select secret from oauth_secrets where name = ${name}`,
  );
  if (row === undefined) throw new Error("a secret of the installation is missing");
  return row.secret;
}
