/** Passwords: argon2id with 19 MiB, two passes, one lane. Hashing takes tens of milliseconds by design. */
import { hash, verify } from "@node-rs/argon2";
import { codePoints, isStorable } from "../../domain/text.ts";

export const SHORTEST_PASSWORD = 8;
export const LONGEST_PASSWORD = 200;

const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export function hashPassword(password: string): Promise<string> {
  return hash(password, COST);
}

/** Whether it is the password. Without a hash the same work is done, for an answer that is no. */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  if (codePoints(password) > LONGEST_PASSWORD) return false;
  nobodys ??= await hashPassword("nobody has this password");
  const is_right = await verify(stored ?? nobodys, password);
  return is_right && stored !== null;
}

let nobodys: string | undefined;

/** What is wrong with a new password, in words; undefined when nothing is. */
export function faultOfPassword(password: string): string | undefined {
  const length = codePoints(password);
  if (length < SHORTEST_PASSWORD) return `At least ${SHORTEST_PASSWORD} characters are needed.`;
  if (length > LONGEST_PASSWORD) return `At most ${LONGEST_PASSWORD} characters.`;
  return isStorable(password) ? undefined : "The password holds characters that no text may hold.";
}
