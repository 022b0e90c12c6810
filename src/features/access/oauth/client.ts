/**
 * Registers clients without a table: a client id is the registration itself, signed (RFC 7591, appendix A.5.2). Nothing is
 * stored about unknown clients, and every id that was issued stays valid.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import { codePoints, isStorable } from "../../../domain/base/text.ts";
import type { Database } from "../../../platform/database/database.ts";
import { signed } from "../../../platform/security/secrets.ts";

export interface Client {
  readonly id: string;
  /** The name that the client claims, unverified. */
  readonly name: string;
  readonly redirect_uris: readonly string[];
}

export const LONGEST_CLIENT_ID = 4_000;
const LONGEST_CLIENT_NAME = 120;
const LONGEST_REDIRECT_URI = 1_000;
const MOST_REDIRECT_URIS = 20;
const LONGEST_SCHEME = 61;

const LOOPBACK_HOSTS = ["127.0.0.1", "[::1]", "localhost"];
/** Schemes that browsers or systems handle themselves, or that lead to no client. */
const REFUSED_SCHEMES = [
  ...["javascript", "data", "vbscript", "blob", "file", "about", "filesystem", "view-source"],
  ...["ws", "wss", "ftp", "mailto", "tel", "sms", "chrome", "edge", "resource", "intent", "jar"],
];

/**
 * Whether a text may be a redirect URI: https, http on loopback, or a private-use scheme of a program. Such a scheme has a
 * period, like reverse domain names (RFC 8252, 7.1), or is one of `schemes`: any program could claim another one.
 */
export function isRedirectUri(text: string, schemes: readonly string[]): boolean {
  // Printable ASCII without characters that HTML, headers or URL parsers interpret differently.
  if (text.length > LONGEST_REDIRECT_URI || !/^[\x21-\x7e]+$/.test(text)) return false;
  if (/[#\\"<>]/.test(text) || !URL.canParse(text)) return false;
  // Checked on the text, because the parsed URL does not show empty user information.
  if (/^[^:]+:\/*[^/?]*@/.test(text)) return false;
  const url = new URL(text);
  if (url.protocol === "https:") return /^https:\/\/[^/]/i.test(text);
  if (url.protocol === "http:") {
    return /^http:\/\/[^/]/i.test(text) && LOOPBACK_HOSTS.includes(url.hostname);
  }
  const scheme = url.protocol.slice(0, -1);
  if (scheme.length > LONGEST_SCHEME || REFUSED_SCHEMES.includes(scheme)) return false;
  return /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+$/.test(scheme) || schemes.includes(scheme);
}

/** Whether the client registered a redirect URI: an exact match, except for the port on loopback. */
export function isRegistered(
  client: Client,
  redirect_uri: string,
  schemes: readonly string[],
): boolean {
  if (!isRedirectUri(redirect_uri, schemes)) return false;
  return client.redirect_uris.some(
    (registered) =>
      registered === redirect_uri ||
      (isLoopback(registered) && withoutPort(registered) === withoutPort(redirect_uri)),
  );
}

/** Whether a redirect goes to a port of the person's own machine. */
function isLoopback(redirect_uri: string): boolean {
  const url = new URL(redirect_uri);
  return url.protocol === "http:" && LOOPBACK_HOSTS.includes(url.hostname);
}

/** Returns a URI without its port, the only part that may differ; the rest is compared as text. */
function withoutPort(uri: string): string {
  return uri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)):\d{1,5}(?=[/?]|$)/i, "$1");
}

/** The fields of a registration that are read; others are ignored, as RFC 7591 allows. */
export const Registration = z.object({
  redirect_uris: z.array(z.string()).min(1).max(MOST_REDIRECT_URIS),
  client_name: z.string().optional().catch(undefined),
  scope: z.string().optional().catch(undefined),
});

/** Creates a client id. The redirect URIs have been checked. */
export async function registerClient(
  db: Database,
  given_name: string | undefined,
  redirect_uris: readonly string[],
): Promise<Client> {
  const name = cleanName(given_name);
  const nonce = randomBytes(9).toString("base64url");
  const content = Buffer.from(JSON.stringify([name, redirect_uris, nonce])).toString("base64url");
  const signature = (await signed(db, "client", content)).toString("base64url");
  return { id: `${content}.${signature}`, name, redirect_uris };
}

/** Returns the client of an id with our signature; undefined for any other text. */
export async function findClient(
  db: Database,
  id: string | undefined,
): Promise<Client | undefined> {
  if (id === undefined || id.length > LONGEST_CLIENT_ID) return undefined;
  const [, content, signature] = /^([\w-]+)\.([\w-]{43})$/.exec(id) ?? [];
  if (content === undefined || signature === undefined) return undefined;
  const right = await signed(db, "client", content);
  const given = Buffer.from(signature, "base64url");
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
  // A different encoding of the same signature bytes is not accepted.
  if (given.toString("base64url") !== signature) return undefined;
  const [name, redirect_uris] = JSON.parse(Buffer.from(content, "base64url").toString()) as [
    string,
    string[],
  ];
  return { id, name, redirect_uris };
}

/** Returns the name as one line of visible text, without controls or characters that change the writing direction. */
function cleanName(given: string | undefined): string {
  const text = (given ?? "").isWellFormed() ? (given ?? "") : "";
  const line = text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  const short =
    codePoints(line) > LONGEST_CLIENT_NAME
      ? [...line].slice(0, LONGEST_CLIENT_NAME).join("")
      : line;
  return short !== "" && isStorable(short) ? short : "Unnamed assistant";
}
