/** Adds an authenticator app to a login, in two steps: a new secret is shown, and the first right code makes it count. */
import { randomBytes } from "node:crypto";
import { type DoorTx, defineDoorCommand } from "../../../platform/commands/entry-point.ts";
import { sql } from "../../../platform/database/sql.ts";
import { sha256 } from "../../../platform/runtime/json.ts";
import type { Services } from "../../../platform/runtime/services.ts";
import { matchingStep } from "../../../platform/security/totp.ts";
import type { FactorKind } from "../people/factor-texts.ts";
import { notifyOwner, ownerOfLogin } from "../people/owner-mail.ts";
import { type Login, recordEverywhere } from "../sign-in/sign-in.ts";
import { storeCodes } from "./mint-codes.ts";
import { authenticatorPlace, findAuthenticator } from "./queries.ts";

const BYTES_OF_SECRET = 20;

/** Stores a new secret, which does not count yet. It replaces another one that does not count. Throws a SealError. */
export const beginAuthenticator = defineDoorCommand({
  name: "begin_authenticator",
  async before({ sealing }, { login_id }: { login_id: string }) {
    const secret = randomBytes(BYTES_OF_SECRET).toString("base64");
    return { login_id, ...sealing.seal(secret, authenticatorPlace(login_id)) };
  },

  commit(tx, { login_id, key_id, content }) {
    tx.write(sql`insert into authenticators (login_id, state, key_id, sealed_secret)
       values (${login_id}, 'new', ${key_id}, ${content})
       on conflict (login_id, state) do update set key_id = excluded.key_id,
         sealed_secret = excluded.sealed_secret, created_at = excluded.created_at`);
  },
});

/** A factor that counts from now on, with what its owner has to be shown and mailed. */
export interface AddedFactor {
  readonly login: Login;
  readonly kind: FactorKind;
  /** The recovery codes; null where the login has a set already. */
  readonly codes: readonly string[] | null;
}

interface FirstCode {
  readonly login: Login;
  readonly session_token: string;
  readonly code: string;
}

/**
 * Makes the new app count, in place of an earlier one. Returns undefined for a wrong code, and where no app waits for one. The
 * other sessions of the login end, and its owner is notified.
 */
export const confirmAuthenticator = defineDoorCommand({
  name: "confirm_authenticator",
  async before(services, { login, session_token, code }: FirstCode) {
    const app = await findAuthenticator(services, login.id, "new");
    const step = app && matchingStep(app.secret, code.replace(/\s/g, ""), Date.now(), null);
    if (app === undefined || step == null) return undefined;
    return { login, session_token, step, sealed_secret: app.sealed_secret };
  },

  async commit(tx, found): Promise<AddedFactor | undefined> {
    if (found === undefined) return undefined;
    const { login, session_token, step, sealed_secret } = found;
    tx.lock(sql`select 1 from logins where id = ${login.id} for no key update`);
    const waits = await tx.row(sql`select 1 from authenticators
       where login_id = ${login.id} and state = 'new' and sealed_secret = ${sealed_secret} for update`);
    if (waits === undefined) return undefined;
    tx.write(sql`delete from authenticators where login_id = ${login.id} and state = 'active'`);
    tx.write(sql`update authenticators
       set state = 'active', last_step = ${step}, created_at = (select clock_timestamp())
       where login_id = ${login.id} and state = 'new'`);
    return addFactor(tx, login, session_token, "app");
  },

  after: notifyOfFactor,
});

/** Gives a login with a new factor its recovery codes, if it has none, ends its other sessions, and records the factor. */
export async function addFactor(
  tx: DoorTx,
  login: Login,
  session_token: string,
  kind: FactorKind,
): Promise<AddedFactor> {
  const has_codes = await tx.row(
    sql`select 1 from recovery_codes where login_id = ${login.id} limit 1`,
  );
  const codes = has_codes === undefined ? storeCodes(tx, login.id) : null;
  tx.write(sql`delete from pending_sign_ins where login_id = ${login.id}`);
  tx.write(sql`delete from sessions
     where login_id = ${login.id} and hash <> ${sha256(session_token)}`);
  await recordEverywhere(tx, login.id, "factor_added");
  return { login, kind, codes };
}

/** Notifies the owner of a login with a new factor, and returns it. */
export async function notifyOfFactor(
  services: Services,
  added: AddedFactor | undefined,
): Promise<AddedFactor | undefined> {
  if (added === undefined) return undefined;
  const owner = await ownerOfLogin(services, added.login);
  await notifyOwner(services, owner, { kind: "factor_added", factor: added.kind });
  return added;
}
