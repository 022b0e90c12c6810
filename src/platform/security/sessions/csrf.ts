/** Checks that our page sent a form: by the origin, and by a value derived from the cookie and the form's address. */
import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { Problem } from "../../../domain/base/problem.ts";
import { sha256 } from "../../runtime/json.ts";

const BYTES = 32;

/**
 * Returns a value for a form that is posted to `url`, its path with its query. Each value has a random pad, so that pages may be
 * compressed: no secret appears in the same letters on two pages (decision 0071).
 */
export function csrfToken(session_token: string, url: string): string {
  const pad = randomBytes(BYTES);
  return Buffer.concat([pad, xor(pad, proofOf(session_token, url))]).toString("base64url");
}

function proofOf(session_token: string, url: string): Buffer {
  return sha256(`csrf.${session_token}.${url}`);
}

function xor(pad: Buffer, value: Buffer): Buffer {
  return Buffer.from(value.map((byte, at) => byte ^ (pad[at] ?? 0)));
}

/** Throws MALFORMED_REQUEST unless the value belongs to the session and the address. */
export function requireCsrf(session_token: string, url: string, given: string | undefined): void {
  const sent = Buffer.from(given ?? "", "base64url");
  const shown = xor(sent.subarray(0, BYTES), sent.subarray(BYTES));
  const right = proofOf(session_token, url);
  if (shown.length === right.length && timingSafeEqual(shown, right)) return;
  throw new Problem("MALFORMED_REQUEST", {
    message: "This form is no longer valid. Go back, load the page again, and send it again.",
  });
}

/**
 * Throws MALFORMED_REQUEST for a request that another site caused. Sec-Fetch-Site counts first, because browsers set it and pages
 * cannot. Without it, the Origin must be ours; a client that sends neither is not a browser.
 */
export function requireOwnOrigin(headers: IncomingHttpHeaders, base_url: string): void {
  const site = headers["sec-fetch-site"];
  const is_own =
    site === undefined
      ? headers.origin === undefined || headers.origin === base_url
      : site === "same-origin";
  if (is_own) return;
  throw new Problem("MALFORMED_REQUEST", { message: "This form was sent from another site." });
}
