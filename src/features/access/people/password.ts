/**
 * Hashes passwords: argon2id with 19 MiB, two passes, one lane. Hashing deliberately takes tens of milliseconds, on threads that
 * verifying tokens and reading files need too. Therefore only a few hashes run in parallel.
 */
import { hash, verify } from "@node-rs/argon2";
import { Problem } from "../../../domain/base/problem.ts";
import { codePoints, isStorable } from "../../../domain/base/text.ts";

const SHORTEST_PASSWORD = 8;
const LONGEST_PASSWORD = 200;

const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The number of hashes in parallel; Node has four such threads. */
const AT_ONCE = 2;
/** The number of hashes that may wait, some seconds of work; further callers are refused. */
const MOST_WAITING = 60;

/** Hashes a password. Throws RATE_LIMITED when too many hashes are waiting. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, COST));
}

/** Whether the password is right. A missing hash causes the same work. Throws RATE_LIMITED if too many hashes wait. */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  if (codePoints(password) > LONGEST_PASSWORD) return false;
  nobodys ??= await hashPassword("no login has this password");
  const compared = stored ?? nobodys;
  const is_right = await inTurn(() => verify(compared, password));
  return is_right && stored !== null;
}

let nobodys: string | undefined;

let at_work = 0;
const waiting: (() => void)[] = [];

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (at_work < AT_ONCE) {
    at_work += 1;
  } else if (waiting.length < MOST_WAITING) {
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    throw new Problem("RATE_LIMITED", {
      message: "Too many people are signing in at this moment. Try again in a few seconds.",
      retry_after_seconds: 5,
    });
  }
  try {
    return await work();
  } finally {
    // The slot goes to the caller that has waited longest; without a waiting caller the slot is free.
    const next = waiting.shift();
    if (next === undefined) at_work -= 1;
    else next();
  }
}

interface PasswordFault {
  readonly code: "too_short" | "too_long" | "invalid_value";
  readonly message: string;
}

/** The fault of a new password; undefined when there is none. */
export function faultOfPassword(password: string): PasswordFault | undefined {
  const length = codePoints(password);
  if (length < SHORTEST_PASSWORD) {
    return { code: "too_short", message: `At least ${SHORTEST_PASSWORD} characters are required.` };
  }
  if (length > LONGEST_PASSWORD) {
    return { code: "too_long", message: `At most ${LONGEST_PASSWORD} characters.` };
  }
  if (isStorable(password)) return undefined;
  const message = "The password contains characters that are not allowed.";
  return { code: "invalid_value", message };
}
