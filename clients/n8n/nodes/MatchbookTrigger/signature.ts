/** Verifies webhooks by the rules of Standard Webhooks 1.0. */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** How far the time of a webhook may be from the clock, in seconds. */
const TOLERANCE_S = 300;

/** Whether a body, as it was received, has a signature of the secret (`whsec_…`) that is not older than five minutes. */
export function isSigned(body: Buffer, headers: IncomingHttpHeaders, secret: string): boolean {
  const at = String(headers["webhook-timestamp"]);
  if (!/^\d{1,12}$/.test(at) || Math.abs(Date.now() / 1000 - Number(at)) > TOLERANCE_S)
    return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signed = createHmac("sha256", key).update(`${headers["webhook-id"]}.${at}.`).update(body);
  const expected = signed.digest();
  return String(headers["webhook-signature"])
    .split(" ")
    .filter((part) => part.startsWith("v1,"))
    .map((part) => Buffer.from(part.slice(3), "base64"))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}
