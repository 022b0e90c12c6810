/**
 * Exchanges codes for grants, and refresh tokens for their successors. Each code or token is used once: a repeated code, or an
 * old refresh token, is in the hands of two parties, and ends the grant. There is one exception, because responses get lost: the
 * same refresh token within a minute, while its successor is unused, gets the same successor (spec 8.6).
 */
import { timingSafeEqual } from "node:crypto";
import type { McpScope } from "../../../platform/commands/context.ts";
import { defineDoorCommand } from "../../../platform/commands/entry-point.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import type { Database, Reads } from "../../../platform/database/database.ts";
import { insert, sql } from "../../../platform/database/sql.ts";
import { sha256 } from "../../../platform/runtime/json.ts";
import type { Services } from "../../../platform/runtime/services.ts";
import { findPerson } from "../../../platform/security/person.ts";
import { signed } from "../../../platform/security/secrets.ts";
import { notifyOwner } from "../people/owner-mail.ts";
import { endGrant, insertGrant } from "./grants.ts";
import { scopesFromText } from "./scopes.ts";
import { ACCESS_TOKEN_SECONDS, issueAccessToken } from "./tokens.ts";

const REPEAT_SECONDS = 60;

export interface TokenAnswer {
  readonly access_token: string;
  readonly token_type: "Bearer";
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

/** A refusal, with a description for the log of the client's developer. */
export interface TokenRefusal {
  readonly error: "invalid_grant" | "invalid_scope";
  readonly error_description: string;
}

interface CodeRow {
  readonly account_id: string;
  readonly user_id: string;
  readonly client_id: string;
  readonly client_name: string;
  readonly scopes: readonly McpScope[];
  readonly redirect_uri: string;
  readonly challenge: string;
  readonly consented_at: string;
  readonly is_expired: boolean;
  readonly is_used: boolean;
  readonly grant_id: string | null;
}

interface CodeExchange {
  readonly code: string;
  readonly client_id: string;
  readonly redirect_uri: string | undefined;
  readonly verifier: string | undefined;
}

/** Exchanges a code for a grant and its first tokens. A refused exchange also uses up the code. */
export const exchangeCode = defineDoorCommand({
  name: "exchange_code",
  before: async ({ gate }, sent: CodeExchange) => ({
    ...sent,
    refresh_token: await successorOf(gate, `code.${sent.code}`),
  }),

  async commit(tx, sent) {
    const hash = sha256(sent.code);
    const row =
      await tx.row<CodeRow>(sql`select account_id, user_id, client_id, client_name, scopes, redirect_uri, challenge,
         consented_at::text as consented_at, expires_at <= clock_timestamp() as is_expired,
         used_at is not null as is_used, grant_id
       from oauth_codes where hash = ${hash} for update`);
    if (row === undefined) return refusal("the code is not known");
    const person = await findPerson(tx, row.account_id, row.user_id);
    if (row.is_used) {
      if (row.grant_id !== null && person !== undefined) {
        await endStolen(tx.as(person), row.grant_id, "its code was used twice");
      }
      return refusal("the code was used already");
    }
    tx.write(sql`update oauth_codes set used_at = (select clock_timestamp()) where hash = ${hash}`);
    if (row.is_expired) return refusal("the code has expired");
    if (row.client_id !== sent.client_id) return refusal("the code is another client's");
    if (row.redirect_uri !== sent.redirect_uri) return refusal("the redirect_uri is another one");
    if (!isVerifier(row.challenge, sent.verifier)) return refusal("the code_verifier is not right");
    if (person === undefined) return refusal("the person is no longer active");
    const grant = await insertGrant(tx.as(person), row, row.consented_at);
    const { refresh_token } = sent;
    tx.write(sql`update oauth_codes set grant_id = ${grant.id} where hash = ${hash}`);
    tx.write(insert("oauth_refresh_tokens", { hash: sha256(refresh_token), grant_id: grant.id }));
    return { ...grant, refresh_token, owner: person };
  },

  async after(services, begun): Promise<TokenAnswer | TokenRefusal> {
    if ("error" in begun) return begun;
    const { owner, client_name, scopes } = begun;
    // Not awaited: the grant is committed already.
    void notifyOwner(services, owner, { kind: "grant", client_name, scopes });
    return answerFor(services, begun, scopes, begun.refresh_token);
  },
});

interface RefreshRow {
  readonly grant_id: string;
  readonly account_id: string;
  readonly user_id: string;
  readonly client_id: string;
  readonly scopes: readonly McpScope[];
  readonly is_expired: boolean;
}

interface Refresh {
  readonly refresh_token: string;
  readonly client_id: string;
  /** The requested scope, for an access token with fewer scopes than the grant. */
  readonly scope: string | undefined;
}

/** Exchanges a refresh token for its successor and an access token. */
export const refresh = defineDoorCommand({
  name: "refresh",
  before: async ({ gate }, sent: Refresh) => ({
    ...sent,
    successor: await successorOf(gate, sent.refresh_token),
  }),

  async commit(tx, { refresh_token, successor, client_id, scope }) {
    const hash = sha256(refresh_token);
    // The grant is locked first: refreshes of one grant are serialized, and the end of the grant waits or precedes them.
    const grant =
      await tx.row<RefreshRow>(sql`select g.id as grant_id, g.account_id, g.user_id, g.client_id, g.scopes,
         g.expires_at <= clock_timestamp() as is_expired
       from oauth_refresh_tokens r join oauth_grants g on g.id = r.grant_id
       where r.hash = ${hash} for no key update of g`);
    if (grant === undefined) return refusal("the refresh token is not known");
    if (grant.client_id !== client_id) return refusal("the token is another client's");
    if (grant.is_expired) return refusal("the grant has expired");
    const person = await findPerson(tx, grant.account_id, grant.user_id);
    if (person === undefined) return refusal("the person is no longer active");
    const asked = scope === undefined ? grant.scopes : (scopesFromText(scope) ?? []);
    if (asked.length === 0 || asked.some((one) => !grant.scopes.includes(one))) {
      const error_description = "the scope is more than what was granted";
      return { error: "invalid_scope", error_description } as const;
    }
    const is_live =
      (await useUp(tx, hash, sha256(successor))) || (await isRepeat(tx, hash, successor));
    if (!is_live) {
      await endStolen(tx.as(person), grant.grant_id, "its refresh token was used twice");
      return refusal("the refresh token was used already; the grant has ended");
    }
    return { ...grant, id: grant.grant_id, asked, successor };
  },

  async after(services, rotated): Promise<TokenAnswer | TokenRefusal> {
    if ("error" in rotated) return rotated;
    return answerFor(services, rotated, rotated.asked, rotated.successor);
  },
});

/** Uses a token up and stores its successor, with one SQL statement; returns false when the token was already used. */
async function useUp(db: Reads, hash: Buffer, successor: Buffer): Promise<boolean> {
  const found = await db.row(sql`with used as (
       update oauth_refresh_tokens set used_at = (select clock_timestamp())
       where hash = ${hash} and used_at is null returning grant_id)
     insert into oauth_refresh_tokens (hash, grant_id) select ${successor}, grant_id from used returning hash`);
  return found !== undefined;
}

/** Whether a used token was used within the last minute, and its successor has not been used yet. */
async function isRepeat(db: Reads, hash: Buffer, successor: string): Promise<boolean> {
  const found = await db.row(sql`select 1 from oauth_refresh_tokens used
     join oauth_refresh_tokens next on next.grant_id = used.grant_id and next.hash = ${sha256(successor)}
     where used.hash = ${hash} and next.used_at is null
       and used.used_at > clock_timestamp() - make_interval(secs => ${REPEAT_SECONDS})`);
  return found !== undefined;
}

async function answerFor(
  services: Services,
  grant: { readonly id: string; readonly user_id: string; readonly client_id: string },
  scopes: readonly McpScope[],
  refresh_token: string,
): Promise<TokenAnswer> {
  const { id, user_id, client_id } = grant;
  const subject = { grant_id: id, user_id, client_id, scopes };
  return {
    access_token: await issueAccessToken(services, subject),
    token_type: "Bearer",
    expires_in: ACCESS_TOKEN_SECONDS,
    refresh_token,
    scope: scopes.join(" "),
  };
}

/** Whether the verifier fits the challenge (PKCE, S256): the challenge is the digest of the verifier. */
function isVerifier(challenge: string, verifier: string | undefined): boolean {
  if (verifier === undefined || !/^[\w.~-]{43,128}$/.test(verifier)) return false;
  const right = Buffer.from(challenge);
  const given = Buffer.from(sha256(verifier).toString("base64url"));
  return given.length === right.length && timingSafeEqual(given, right);
}

/** Derives the successor of a token, so that a repetition gives the same response although no token is stored in clear text. */
async function successorOf(db: Database, token: string): Promise<string> {
  return (await signed(db, "refresh", token)).toString("base64url");
}

async function endStolen(tx: Tx, grant_id: string, reason: string): Promise<void> {
  tx.log.warn({ grant_id }, "a grant was ended: a secret of it was used twice");
  const found = await tx.row(sql`select from oauth_grants where id = ${grant_id}`);
  if (found) await endGrant(tx, grant_id, null, reason);
}

function refusal(error_description: string): TokenRefusal {
  return { error: "invalid_grant", error_description };
}
