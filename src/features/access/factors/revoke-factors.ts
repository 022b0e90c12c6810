/** Removes the factors of a login: one by its owner, or all by the operator of the installation as the last way back. */
import type { Actor } from "../../../platform/commands/context.ts";
import { type DoorTx, defineDoorCommand } from "../../../platform/commands/entry-point.ts";
import { sql } from "../../../platform/database/sql.ts";
import type { Services } from "../../../platform/runtime/services.ts";
import { hasFactor } from "../../../platform/security/sessions/pending-sign-in.ts";
import type { FactorKind, FactorNews } from "../people/factor-texts.ts";
import { notifyOwner, ownerOfLogin } from "../people/owner-mail.ts";
import { findLogin, type Login, recordEverywhere } from "../sign-in/sign-in.ts";
import { forgetAnswers } from "./check-answer.ts";

interface Removal {
  readonly login: Login;
  /** The id of a passkey; null for the authenticator app. */
  readonly passkey_id: string | null;
}

/**
 * Removes one factor. With the last one the recovery codes end, too. Returns the kind of the factor; undefined where the login has
 * no such factor. The owner is notified.
 */
export const revokeFactor = defineDoorCommand({
  name: "revoke_factor",
  async commit(tx, { login, passkey_id }: Removal) {
    tx.lock(sql`select 1 from logins where id = ${login.id} for no key update`);
    const removed = await tx.row(
      passkey_id === null
        ? sql`delete from authenticators where login_id = ${login.id} and state = 'active' returning 1`
        : sql`delete from passkeys
           where login_id = ${login.id} and id = ${passkey_id} and last_used_at is not null returning 1`,
    );
    if (removed === undefined) return undefined;
    if (!(await hasFactor(tx, login.id))) endCodes(tx, login.id);
    await recordEverywhere(tx, login.id, "factor_removed");
    const factor: FactorKind = passkey_id === null ? "app" : "passkey";
    return { login, news: { kind: "factor_removed" as const, factor } };
  },
  after: notifyOf,
});

/**
 * Removes all factors of an address for the installation's operator, and ends its sessions; grants stay, and counted answers are
 * forgotten. Each account of the login records it, and the owner is notified. Returns undefined where the address has no login.
 */
export const resetFactors = defineDoorCommand({
  name: "reset_factors",
  async before({ gate }, { operator, email }: { operator: Actor; email: string }) {
    const login = await findLogin(gate, email);
    return login && { operator, login: { id: login.id, email: login.email } };
  },

  async commit(tx, found) {
    if (found === undefined) return undefined;
    const { login, operator } = found;
    tx.lock(sql`select 1 from logins where id = ${login.id} for no key update`);
    tx.write(sql`delete from authenticators where login_id = ${login.id}`);
    tx.write(sql`delete from passkeys where login_id = ${login.id}`);
    endCodes(tx, login.id);
    tx.write(sql`delete from pending_sign_ins where login_id = ${login.id}`);
    tx.write(sql`delete from sessions where login_id = ${login.id}`);
    await forgetAnswers(tx, login.id);
    await recordEverywhere(tx, login.id, "factors_reset", operator);
    return { login, news: { kind: "factors_reset" as const } };
  },
  after: notifyOf,
});

function endCodes(tx: DoorTx, login_id: string): void {
  tx.write(sql`delete from recovery_codes where login_id = ${login_id}`);
}

async function notifyOf<Done extends { readonly login: Login; readonly news: FactorNews }>(
  services: Services,
  done: Done | undefined,
): Promise<Done | undefined> {
  if (done === undefined) return undefined;
  await notifyOwner(services, await ownerOfLogin(services, done.login), done.news);
  return done;
}
