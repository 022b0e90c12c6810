/** Signs webhooks as Standard Webhooks 1.0 says: a receiver that knows the secret verifies who sent the body, and when. */
import { createHmac } from "node:crypto";

/** What is signed. `id` names the event on each of its attempts. */
interface SignedMessage {
  readonly id: string;
  /** The second of the attempt. */
  readonly timestamp: number;
  readonly body: string;
}

const PREFIX = "whsec_";

/** Returns the headers that sign a message with each of the secrets; while a secret is replaced, there are two. */
export function signatureHeaders(
  { id, timestamp, body }: SignedMessage,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(
      secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret,
      "base64",
    );
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" "),
  };
}
