/** Stores the signed-in person of a request, for the page about a failure of the request. */
import type { Signed } from "./shell.tsx";

const known = new WeakMap<object, Signed>();

/** Stores what the shell shows of the person; nothing for a visitor. */
export function keepSigned(request: object, signed: Signed | null): void {
  if (signed !== null) known.set(request, signed);
}

/** Returns what the shell shows of the person; null for a visitor, and before the session is read. */
export function signedOf(request: object): Signed | null {
  return known.get(request) ?? null;
}
