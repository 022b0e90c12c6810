/**
 * Tokens of OAuth: one holder for all processes. They are renewed under a lock, and stored before anybody uses them,
 * because a refresh token works once: who waits for the lock finds what was stored.
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
  /** Milliseconds since 1970. */
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

/** A token that would end on the way is asked for again. */
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
      // Unless somebody has stored others meanwhile.
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
 * Holds a lock of the connection, not its row, which others write meanwhile. The answer is committed before it leaves; a
 * process that ends before that has lost it, and the next one asks with the refresh token that it has.
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
    // Once, also where the transaction has to be run again.
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
