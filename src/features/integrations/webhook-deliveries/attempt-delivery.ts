/** One attempt of a delivery: signs its body for the endpoint as it is now, sends it, and tells what is kept of it. */
import type { Timestamp } from "../../../domain/base/brand.ts";
import type { Sealing } from "../../../platform/security/sealing.ts";
import { headersPlace, secretPlace } from "../webhooks/mint-secret.ts";
import type { EndpointRow } from "../webhooks/queries.ts";
import { lowerCased, sendWebhook, type WebhookNetwork } from "./send-request.ts";
import { signatureHeaders } from "./sign-request.ts";

/** Where an endpoint gets its events, with its secrets. */
export interface WebhookTarget {
  readonly url: string;
  readonly secret: string;
  readonly previous_secret: string | null;
  /** Until when the previous secret signs, too; in milliseconds. */
  readonly previous_until: number;
  readonly own_headers: Readonly<Record<string, string>>;
}

/** An attempt as it is kept in the delivery. */
export interface Attempt {
  readonly at: Timestamp;
  readonly duration_ms: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly response_headers: Readonly<Record<string, string>>;
  readonly response_body: string | null;
}

export interface Attempted {
  readonly attempt: Attempt;
  /** The headers that were sent; of the endpoint's own ones the names alone. */
  readonly request_headers: Readonly<Record<string, string | null>>;
  readonly is_delivered: boolean;
  /** How long the receiver asks to wait, in milliseconds; null where it does not. */
  readonly asked_ms: number | null;
}

/** Opens the secrets of an endpoint. Throws a SealError when the key is missing. */
export function openTarget(sealing: Sealing, row: EndpointRow): WebhookTarget {
  const { account_id, id, headers_sealed, previous_secret_sealed } = row;
  const secrets = secretPlace(account_id, id);
  return {
    url: row.url,
    secret: sealing.open(row.secret_sealed, secrets),
    previous_secret:
      previous_secret_sealed === null ? null : sealing.open(previous_secret_sealed, secrets),
    previous_until: row.secret_expires_at === null ? 0 : Date.parse(row.secret_expires_at),
    own_headers:
      headers_sealed === null
        ? {}
        : JSON.parse(sealing.open(headers_sealed, headersPlace(account_id, id))),
  };
}

/** Sends the body once. Never throws for what the receiver does. */
export async function attemptDelivery(
  target: WebhookTarget,
  { id, body, at }: { readonly id: string; readonly body: string; readonly at: Timestamp },
  network: WebhookNetwork,
  signal?: AbortSignal,
): Promise<Attempted> {
  const { url, secret, previous_secret, own_headers } = target;
  const now = Date.parse(at);
  const signs_previous = previous_secret !== null && now < target.previous_until;
  const headers = signatureHeaders(
    { id, timestamp: Math.floor(now / 1000), body },
    signs_previous ? [secret, previous_secret] : [secret],
  );
  const answer = await sendWebhook({ url, headers, body, own_headers }, network, signal);
  const { status, error, duration_ms, response_headers, response_body } = answer;
  const own = Object.keys(lowerCased(own_headers)).map((name) => [name, null]);
  return {
    attempt: { at, duration_ms, status, error, response_headers, response_body },
    request_headers: {
      "content-type": "application/json",
      "user-agent": "Matchbook",
      ...headers,
      ...Object.fromEntries(own),
    },
    is_delivered: status !== null && status >= 200 && status < 300,
    asked_ms: askedWait(response_headers["retry-after"], now + duration_ms),
  };
}

/** Returns the wait that `Retry-After` asks for, as seconds or as a date; null for anything else. */
function askedWait(header: string | undefined, now: number): number | null {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null;
  const until = Date.parse(text);
  return Number.isNaN(until) || until <= now ? null : until - now;
}
