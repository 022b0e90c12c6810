/** The secrets of webhook endpoints, by which receivers know our signatures, and where they and the values of headers are sealed. */
import { randomBytes } from "node:crypto";
import type { SealedPlace } from "../../../platform/security/sealing.ts";

const SECRET_BYTES = 32;

/** Returns a new secret in the form of Standard Webhooks, which is shown once. */
export function mintSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}

/** To what the secrets of an endpoint are bound, the current and the previous one. */
export function secretPlace(account_id: string, endpoint_id: string): SealedPlace {
  return ["webhook secret", account_id, endpoint_id];
}

/** To what the values of an endpoint's headers are bound: a JSON object by name. */
export function headersPlace(account_id: string, endpoint_id: string): SealedPlace {
  return ["webhook headers", account_id, endpoint_id];
}
