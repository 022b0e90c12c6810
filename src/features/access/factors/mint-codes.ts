/** Recovery codes: ten at a time, each of 80 random bits, shown once and stored as hashes. A new set replaces the old one. */
import { randomBytes } from "node:crypto";
import { type DoorTx, defineDoorCommand } from "../../../platform/commands/entry-point.ts";
import { sql } from "../../../platform/database/sql.ts";
import { sha256 } from "../../../platform/runtime/json.ts";
import { hasFactor } from "../../../platform/security/sessions/pending-sign-in.ts";
import { base32 } from "../../../platform/security/totp.ts";
import { recordEverywhere } from "../sign-in/sign-in.ts";

const CODES = 10;
const BYTES_OF_CODE = 10;

/** Stores a new set in the transaction that adds the first factor; returns the codes as they are shown. */
export function storeCodes(tx: DoorTx, login_id: string): readonly string[] {
  const codes = Array.from({ length: CODES }, () => base32(randomBytes(BYTES_OF_CODE)));
  tx.write(sql`delete from recovery_codes where login_id = ${login_id}`);
  tx.write(sql`insert into recovery_codes (login_id, hash)
     select ${login_id}, unnest(${codes.map(hashOfCode)}::bytea[])`);
  return codes.map((code) => (code.match(/.{4}/g) ?? []).join("-"));
}

/** Returns the hash of a code, in whichever way it is typed; null for a text that is no code. */
export function hashOfTyped(typed: string): Buffer | null {
  const code = typed.replace(/[\s-]/g, "").toUpperCase();
  return /^[A-Z2-7]{16}$/.test(code) ? hashOfCode(code) : null;
}

function hashOfCode(code: string): Buffer {
  return sha256(`recovery code ${code}`);
}

/** Makes a new set for a login with a factor, and records it. Returns the codes; undefined for a login without a factor. */
export const mintCodes = defineDoorCommand({
  name: "mint_recovery_codes",
  async commit(tx, { login_id }: { login_id: string }) {
    tx.lock(sql`select 1 from logins where id = ${login_id} for no key update`);
    if (!(await hasFactor(tx, login_id))) return undefined;
    const codes = storeCodes(tx, login_id);
    await recordEverywhere(tx, login_id, "recovery_codes_made");
    return codes;
  },
});
