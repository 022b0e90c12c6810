/**
 * Signs and verifies access tokens: only for the MCP endpoint, valid for ten minutes. A token contains the id of its grant and
 * only identifies this grant: the holder's rights are read from the grant at every call.
 */
import { randomUUID } from "node:crypto";
import { errors, jwtVerify, SignJWT } from "jose";
import { type McpScope, mcpScopes } from "../../../platform/commands/context.ts";
import { sha256 } from "../../../platform/runtime/json.ts";
import type { Services } from "../../../platform/runtime/services.ts";
import { keyRing, SIGNING_ALGORITHM } from "./keys.ts";

export const ACCESS_TOKEN_SECONDS = 600;
const TYPE = "at+jwt";
/** Tokens of this service contain the client's id, of up to 4,000 characters, in base64; longer texts are ignored. */
const LONGEST_TOKEN = 8_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The address of the MCP endpoint, and the audience of every access token. */
export function mcpUrl(base_url: string): string {
  return `${base_url}/api/mcp`;
}

interface TokenSubject {
  readonly grant_id: string;
  readonly user_id: string;
  readonly client_id: string;
  readonly scopes: Iterable<McpScope>;
}

/** Signs an access token. `at` is its time of issue in seconds, by default now. */
export async function issueAccessToken(
  services: Services,
  subject: TokenSubject,
  at: number = Math.floor(Date.now() / 1000),
): Promise<string> {
  const { kid, private_key } = await keyRing(services).signing();
  const { base_url } = services.config;
  return new SignJWT({
    client_id: subject.client_id,
    scope: [...subject.scopes].join(" "),
    gid: subject.grant_id,
  })
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: TYPE, kid })
    .setIssuer(base_url)
    .setSubject(subject.user_id)
    .setAudience(mcpUrl(base_url))
    .setJti(randomUUID())
    .setIssuedAt(at)
    .setExpirationTime(at + ACCESS_TOKEN_SECONDS)
    .sign(private_key);
}

export interface VerifiedToken {
  /** Milliseconds since 1970. */
  readonly expires_at: number;
  readonly grant_id: string;
  readonly user_id: string;
  readonly scopes: ReadonlySet<McpScope>;
}

/** Returns the claims of a token of this service for the MCP endpoint that has not expired; otherwise null. */
export async function verifyAccessToken(
  services: Services,
  token: string,
): Promise<VerifiedToken | null> {
  if (token.length > LONGEST_TOKEN) return null;
  const { base_url } = services.config;
  const ring = keyRing(services);
  try {
    const { payload } = await jwtVerify(
      token,
      async ({ kid }) => {
        const key = kid === undefined ? undefined : await ring.verifying(kid);
        if (key === undefined) throw new errors.JWKSNoMatchingKey();
        return key;
      },
      {
        issuer: base_url,
        audience: mcpUrl(base_url),
        typ: TYPE,
        algorithms: [SIGNING_ALGORITHM],
        requiredClaims: ["exp", "iat", "sub", "gid"],
      },
    );
    const { gid, sub, scope, exp } = payload;
    if (typeof gid !== "string" || !UUID.test(gid) || sub === undefined) return null;
    if (exp === undefined) return null;
    const named = new Set(typeof scope === "string" ? scope.split(" ") : []);
    const scopes = new Set(mcpScopes.filter((known) => named.has(known)));
    return { expires_at: exp * 1000, grant_id: gid, user_id: sub, scopes };
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

/** The time for which a process may still know a deleted signing key: signatures are cached no longer. */
const CACHED_MS = 60_000;
const MOST_CACHED = 10_000;

interface Verifier {
  /** Verifies a token as `verifyAccessToken` does, but checks the signature of the same token at most once a minute. */
  verify(token: string): Promise<VerifiedToken | null>;
  /** Returns the claims of a token that was verified within the minute, and has not expired; undefined for any other. */
  cached(token: string): VerifiedToken | undefined;
}

export function rememberingVerifier(services: Services): Verifier {
  const known = new Map<string, { readonly token: VerifiedToken; readonly until: number }>();
  const cached: Verifier["cached"] = (text) => {
    const found = known.get(digestOf(text));
    return found !== undefined && Date.now() < found.until ? found.token : undefined;
  };
  return {
    cached,
    async verify(text) {
      const found = cached(text);
      if (found !== undefined) return found;
      const now = Date.now();
      const token = await verifyAccessToken(services, text);
      if (token === null) return null;
      if (known.size >= MOST_CACHED) known.clear();
      known.set(digestOf(text), { token, until: Math.min(token.expires_at, now + CACHED_MS) });
      return token;
    },
  };
}

/** Returns the digest of a token, which is short for any input, and gives no access. */
function digestOf(text: string): string {
  return sha256(text).toString("latin1");
}
