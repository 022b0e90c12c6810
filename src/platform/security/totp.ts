/**
 * One-time codes of authenticator apps (RFC 6238, with SHA-1, 30 seconds and six digits, which all apps know). A code of the step
 * before and after the present one is accepted too, because clocks differ.
 */
import { createHmac, timingSafeEqual } from "node:crypto";

const STEP_MS = 30_000;
const DIGITS = 6;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Returns the number of the step of a moment in milliseconds. */
export function totpStep(at_ms: number): number {
  return Math.floor(at_ms / STEP_MS);
}

/** Returns the code of a step. `digits` is another number only in the vectors of the RFC. */
export function totpCode(secret: Uint8Array, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0x0f;
  const value = (mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits;
  return String(value).padStart(digits, "0");
}

/**
 * Returns the step whose code was given: the present one, or one next to it. Only a step after `last_step` counts, so that a code
 * works once. Null for a wrong or used code.
 */
export function matchingStep(
  secret: Uint8Array,
  code: string,
  at_ms: number,
  last_step: number | null,
): number | null {
  const present = totpStep(at_ms);
  const steps = [present, present - 1, present + 1].filter((step) => step > (last_step ?? -1));
  return steps.find((step) => isSame(totpCode(secret, step), code)) ?? null;
}

function isSame(right: string, given: string): boolean {
  const [one, other] = [Buffer.from(right), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Returns bytes in base 32 without padding, as authenticator apps take a secret that is typed (RFC 4648). */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => BASE32[Number.parseInt(five.padEnd(5, "0"), 2)])
    .join("");
}

/** Returns the address that an authenticator app reads from a QR code. `email` names the login in the app. */
export function otpauthUrl(secret: Uint8Array, email: string): string {
  const label = `Matchbook:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=Matchbook&algorithm=SHA1&digits=${DIGITS}&period=30`;
}
