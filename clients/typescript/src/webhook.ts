/** Verifies webhooks by the rules of Standard Webhooks 1.0. */

/** A webhook that can not be trusted: do not handle it, and answer 400. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
}

/** The headers of a request: an object, as Node has it, or `Headers`. */
export type WebhookHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** How far the time of a webhook may be from the clock, in seconds. */
const TOLERANCE_S = 300;

/**
 * Returns the parsed body of a webhook. Takes the body as it was received, byte for byte, and the secrets of the endpoint
 * (`whsec_…`), several while they are rotated. Throws a WebhookVerificationError.
 */
export async function verifyWebhook<Body = unknown>(
  raw_body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  now: Date = new Date(),
): Promise<Body> {
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const signatures = headerOf(headers, "webhook-signature");
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (!(Math.abs(now.getTime() / 1000 - seconds) <= TOLERANCE_S)) {
    throw new WebhookVerificationError("The timestamp of the webhook is too old or too new.");
  }
  const body = typeof raw_body === "string" ? new TextEncoder().encode(raw_body) : raw_body;
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  for (const secret of typeof secrets === "string" ? [secrets] : secrets) {
    if (await isSigned(signed, signatures, secret)) {
      return JSON.parse(new TextDecoder().decode(body)) as Body;
    }
  }
  throw new WebhookVerificationError("No signature of the webhook fits.");
}

async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: string,
  secret: string,
): Promise<boolean> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key_bytes = decoded(secret.replace(/^whsec_/, ""));
  if (key_bytes === null || key_bytes.length === 0)
    throw new TypeError("A secret is not in base64.");
  const key = await crypto.subtle.importKey("raw", key_bytes, algorithm, false, ["verify"]);
  for (const part of signatures.split(" ")) {
    const [version, text = ""] = part.split(",");
    const signature = version === "v1" ? decoded(text) : null;
    if (signature !== null && (await crypto.subtle.verify("HMAC", key, signature, signed)))
      return true;
  }
  return false;
}

function decoded(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}

function joined(start: Uint8Array, end: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(start.length + end.length);
  bytes.set(start);
  bytes.set(end, start.length);
  return bytes;
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value === "string" && value !== "") return value;
  throw new WebhookVerificationError(`The header ${name} is missing.`);
}
