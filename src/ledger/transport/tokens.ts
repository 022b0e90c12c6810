/**
 * OAuth tokens, shared by all processes. They are renewed under a lock, and stored before any process uses them,
 * because a refresh token works once: a process that waits for the lock finds the stored tokens.
 */
import * as z from "zod";
import type { Database, Reads } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { type Transaction, transaction } from "../../platform/database/transaction.ts";
import type { Log } from "../../platform/runtime/log.ts";
import type { Sealed, SealedPlace, Sealing } from "../../platform/security/sealing.ts";
import type { RenewToken, TokenKeeper, TokenOutcome } from "../connector.ts";

const Tokens = z.object({
  access_token: z.string().nullable(),
  refresh_token: z.string().nullable(),
  /** The end of the token in milliseconds since 1970. */
  expires_at: z.number(),
});
export type Tokens = z.infer<typeof Tokens>;

interface TokenDeps {
  readonly db: Database;
  readonly sealing: Sealing;
  readonly log: Log;
  readonly account_id: string;
  readonly connection_id: string;
}

/** A token that would expire during the call is renewed. */
const MARGIN_MS = 60_000;

export function tokensPlace(account_id: string, connection_id: string): SealedPlace {
  return ["ledger tokens", account_id, connection_id];
}

export function tokenKeeperOf(deps: TokenDeps): TokenKeeper {
  const { db, log, account_id, connection_id } = deps;
  return {
    async get(renew) {
      try {
        return alive((await readTokens(db, deps)).tokens) ?? (await renewed(deps, renew));
      } catch (cause) {
        log.error({ err: cause, account_id, connection_id }, "no token of a ledger could be kept");
        return { state: "unavailable", cause };
      }
    },
    async drop(access_token) {
      const { tokens, sealed } = await readTokens(db, deps);
      if (tokens === null || tokens.access_token !== access_token) return;
      const { content } = sealedTokens(deps, { ...tokens, access_token: null });
      // Unless another process has stored other tokens in the meantime.
      await db.rows(sql`update ledger_connections set sealed_tokens = ${content}
        where account_id = ${account_id} and id = ${connection_id} and sealed_tokens = ${sealed}`);
    },
  };
}

function alive(tokens: Tokens | null): TokenOutcome | null {
  if (tokens?.access_token == null || tokens.expires_at - MARGIN_MS <= Date.now()) return null;
  return { state: "token", access_token: tokens.access_token };
}

/**
 * Renews the tokens under a lock of the connection. Its row is not locked, because others write the row meanwhile. The tokens are
 * committed before they are returned; a process that ends before loses them, and the next one uses the stored refresh token.
 */
function renewed(deps: TokenDeps, renew: RenewToken): Promise<TokenOutcome> {
  const { db, account_id, connection_id } = deps;
  let answered: Promise<Awaited<ReturnType<RenewToken>>> | undefined;
  return transaction(db, async (tx: Transaction): Promise<TokenOutcome> => {
    tx.lock(
      sql`select pg_advisory_xact_lock(hashtextextended('ledger tokens ' || ${connection_id}::text, 2))`,
    );
    const { tokens } = await readTokens(tx, deps);
    const found = alive(tokens);
    if (found !== null) return found;
    // Renews once, also when the transaction is repeated.
    answered ??= renew(tokens?.refresh_token ?? null);
    const answer = await answered;
    if (answer.state !== "token") return answer;
    const { access_token, lives_ms } = answer;
    const refresh_token = answer.refresh_token ?? tokens?.refresh_token ?? null;
    const expires_at = Date.now() + lives_ms;
    const { content } = sealedTokens(deps, { access_token, refresh_token, expires_at });
    tx.write(sql`update ledger_connections set sealed_tokens = ${content}
      where account_id = ${account_id} and id = ${connection_id}`);
    return { state: "token", access_token };
  });
}

async function readTokens(
  db: Reads,
  { sealing, account_id, connection_id }: TokenDeps,
): Promise<{ readonly tokens: Tokens | null; readonly sealed: Buffer | null }> {
  const row = await db.row<{ sealed_tokens: Buffer | null }>(
    sql`select sealed_tokens from ledger_connections where account_id = ${account_id} and id = ${connection_id}`,
  );
  if (row === undefined) throw new Error("the connection is gone");
  const sealed = row.sealed_tokens;
  if (sealed === null) return { tokens: null, sealed };
  const text = sealing.open(sealed, tokensPlace(account_id, connection_id));
  return { tokens: Tokens.parse(JSON.parse(text)), sealed };
}

export function sealedTokens(
  {
    sealing,
    account_id,
    connection_id,
  }: Pick<TokenDeps, "sealing" | "account_id" | "connection_id">,
  tokens: Tokens,
): Sealed {
  return sealing.seal(JSON.stringify(tokens), tokensPlace(account_id, connection_id));
}
