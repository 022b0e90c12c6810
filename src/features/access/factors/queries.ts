/** Reads the second factors of a login. The secret of an authenticator app is opened only here. */
import type { Reads } from "../../../platform/database/database.ts";
import { sql } from "../../../platform/database/sql.ts";
import type { SealedPlace, Sealing } from "../../../platform/security/sealing.ts";

/** A passkey as its owner sees it. */
export interface ShownPasskey {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  /** The last answer with it. A passkey without one does not count yet, and is not shown. */
  readonly last_used_at: string | null;
}

export interface Factors {
  /** Since when the authenticator app counts; null without one. */
  readonly app_since: string | null;
  readonly passkeys: readonly ShownPasskey[];
  /** The recovery codes that are left. */
  readonly codes: number;
}

/** Returns the factors of a login that count. */
export async function factorsOf(db: Reads, login_id: string): Promise<Factors> {
  const passkeys = await db.rows<ShownPasskey>(sql`select id, name, created_at, last_used_at
     from passkeys where login_id = ${login_id} and last_used_at is not null order by created_at, id`);
  const row = await db.row<{ app_since: string | null; codes: number }>(sql`select
       (select created_at from authenticators where login_id = ${login_id} and state = 'active') as app_since,
       (select count(*)::int from recovery_codes where login_id = ${login_id}) as codes`);
  return { app_since: row?.app_since ?? null, passkeys, codes: row?.codes ?? 0 };
}

/** An authenticator app with its opened secret. */
interface Authenticator {
  readonly secret: Buffer;
  readonly sealed_secret: Buffer;
  /** The step of the last accepted code; null before the first. */
  readonly last_step: bigint | null;
}

/** Returns the app of a login that counts, or the new one that waits for its first code. Throws a SealError. */
export async function findAuthenticator(
  { gate, sealing }: { readonly gate: Reads; readonly sealing: Sealing },
  login_id: string,
  state: "new" | "active",
): Promise<Authenticator | undefined> {
  const row = await gate.row<Pick<Authenticator, "sealed_secret" | "last_step">>(
    sql`select sealed_secret, last_step from authenticators where login_id = ${login_id} and state = ${state}`,
  );
  if (row === undefined) return undefined;
  const secret = sealing.open(row.sealed_secret, authenticatorPlace(login_id));
  return { ...row, secret: Buffer.from(secret, "base64") };
}

/** The owner to whom the secret of an authenticator app is sealed. */
export function authenticatorPlace(login_id: string): SealedPlace {
  return ["authenticator", login_id];
}
