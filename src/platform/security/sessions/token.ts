/** The random value of a browser's cookie. */
import { randomBytes } from "node:crypto";

/** Returns a new value of 256 bits, in 43 characters of base64url. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}
