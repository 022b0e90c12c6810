/**
 * Mints the link of a mail to its document. A stored message has a placeholder; the token is drawn for each attempt, is put into
 * the bytes that leave, and is stored only as a digest, before they leave (decision 0090).
 */
import { randomBytes } from "node:crypto";
import type { Timestamp } from "../../../domain/base/brand.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { timestampOf } from "../../../platform/runtime/clock.ts";
import { sha256 } from "../../../platform/runtime/json.ts";
import { printingLedger } from "../issued/read-pdf.ts";

/** 256 bits, in 43 characters. */
const TOKEN_BYTES = 32;
const LINK_DAYS = 180;
const DAY_MS = 86_400_000;

/** Whether mails of the account have links, and whether its links open. `document_links` is that of its configuration. */
export function offersLinks(cx: Reader, document_links: boolean): boolean {
  const is_reachable = cx.caller.sandbox || cx.mail.base_url.startsWith("https://");
  return document_links && is_reachable && printingLedger(cx) === null;
}

/** Returns the address of a document as it stands in the stored message of a delivery: with a placeholder for the token. */
export function linkIn({ base_url }: { readonly base_url: string }, delivery_id: string): string {
  return `${base_url}/d/${placeholderOf(delivery_id)}`;
}

interface MintedLink {
  /** The bytes to send. */
  readonly raw: Buffer;
  /** Both null for a message without a link. */
  readonly hash: Buffer | null;
  readonly ends_at: Timestamp | null;
}

/** Puts a new token into a stored message. `now` is the time of the sending, from which the link lives 180 days. */
export function mintLink(message: Buffer, delivery_id: string, now: Timestamp): MintedLink {
  const placeholder = placeholderOf(delivery_id);
  const at = message.indexOf(placeholder);
  if (at === -1) return { raw: message, hash: null, ends_at: null };
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const raw = Buffer.concat([
    message.subarray(0, at),
    Buffer.from(token),
    message.subarray(at + placeholder.length),
  ]);
  const ends_at = timestampOf(Date.parse(now) + LINK_DAYS * DAY_MS);
  return { raw, hash: sha256(token), ends_at };
}

/** No text of the document can contain it, because the id is drawn after the document is frozen. */
function placeholderOf(delivery_id: string): string {
  return `~${delivery_id}~`;
}
