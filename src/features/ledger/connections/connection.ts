/** Connects accounts to ledgers: each call reads the current connection, opens its secrets and uses its transport. */
import type { AccountId } from "../../../domain/base/brand.ts";
import type { ConnectedLedger } from "../../../ledger/connected.ts";
import type {
  ConnectionSettings,
  ConnectionSetup,
  Connector,
  TokenKeeper,
} from "../../../ledger/connector.ts";
import type { Connection, Ledger, OwnChart } from "../../../ledger/ledger.ts";
import type { CallOptions, Failure, Unauthorized } from "../../../ledger/outcome.ts";
import { lineOf } from "../../../ledger/transport/line.ts";
import { sealedTokens, type Tokens, tokenKeeperOf } from "../../../ledger/transport/tokens.ts";
import type { Pools } from "../../../platform/database/pools.ts";
import type { Background } from "../../../platform/runtime/background.ts";
import type { Config } from "../../../platform/runtime/config.ts";
import type { Log } from "../../../platform/runtime/log.ts";
import { SealError, type SealedPlace, type Sealing } from "../../../platform/security/sealing.ts";
import { type ConnectionRow, findConnection, isSandbox, noteState } from "./queries.ts";

export interface ConnectionDeps {
  readonly config: Pick<Config, "ledger_hosts">;
  readonly pools: Pools;
  readonly background: Background;
  readonly sealing: Sealing;
  readonly log: Log;
  /** Our own chart, which decides the VAT of sales wherever they are booked. */
  readonly chart: OwnChart;
}

/** Returns the context to which the secrets of a connection are sealed. */
export function secretsPlace(account_id: string, connection_id: string): SealedPlace {
  return ["ledger secrets", account_id, connection_id];
}

type Whole = Ledger & { readonly more: ConnectedLedger };

/** Returns the connection through which accounts of the connector's kind book. */
export function connectionOf(connector: Connector, deps: ConnectionDeps): Connection {
  const { kind, title, capabilities, timeouts } = connector;
  return {
    kind,
    title,
    transactional: false,
    ...(timeouts && { timeouts }),
    capabilities,
    chart: deps.chart,
    connect: (account_id, connection_id) => ledgerOf(connector, deps, account_id, connection_id),
  };
}

/** Returns the setup that connects accounts with the connector. */
export function setupOf(connector: Connector, deps: ConnectionDeps): ConnectionSetup {
  const { sealing } = deps;
  return {
    connector,
    async trial(account_id, connection_id, { settings, secrets }) {
      const sandbox = await isSandbox(deps.pools.requests, account_id);
      const tokens = inMemory();
      const { more } = opened(connector, deps, { settings, secrets, sandbox, tokens });
      return {
        more,
        sealed() {
          const place = secretsPlace(account_id, connection_id);
          const { key_id, content } = sealing.seal(JSON.stringify(secrets), place);
          const of = { sealing, account_id, connection_id };
          const kept = tokens.kept();
          const sealed_tokens = kept && sealedTokens(of, kept).content;
          return { key_id, sealed_secrets: content, sealed_tokens };
        },
      };
    },
  };
}

function ledgerOf(
  connector: Connector,
  deps: ConnectionDeps,
  account_id: AccountId,
  connection_id?: string,
): Whole {
  /** Never throws for faults of the ledger; throws when our own database does not respond. */
  const ask = async <Outcome extends { readonly state: string }>(
    { urgency }: CallOptions,
    call: (ledger: Whole) => Promise<Outcome>,
  ): Promise<Outcome | Failure> => {
    const db = urgency === "bulk" ? deps.pools.background : deps.pools.requests;
    const row = await findConnection(db, account_id, connector.kind, connection_id);
    if (row === undefined) return disconnected();
    const ledger = stored(connector, deps, account_id, row);
    const outcome = "find" in ledger ? await call(ledger) : ledger;
    const state = shownBy(outcome);
    if (state !== row.state && state !== null) {
      await noteState(db, account_id, row.id, state, state === "connected" ? null : state);
    }
    return outcome;
  };
  const { documents, tells_payments, lists_payment_changes } = connector.capabilities;
  return {
    find: (kind, guid, options) => ask(options, (it) => it.find(kind, guid, options)),
    ensureBooked: (intent, options) => ask(options, (it) => it.ensureBooked(intent, options)),
    more: {
      ...verbs(ask),
      ...(documents === "ledger" ? documentVerbs(ask) : {}),
      ...(tells_payments ? { payments: paymentVerb(ask) } : {}),
      ...(lists_payment_changes ? { paymentChanges: changesVerb(ask) } : {}),
    },
  };
}

type Ask = <Outcome extends { readonly state: string }>(
  options: CallOptions,
  call: (ledger: Whole) => Promise<Outcome>,
) => Promise<Outcome | Failure>;

function verbs(ask: Ask): ConnectedLedger {
  return {
    check: (options) => ask(options, ({ more }) => more.check(options)),
    putCustomer: (one, options) => ask(options, ({ more }) => more.putCustomer(one, options)),
    putProduct: (one, options) => ask(options, ({ more }) => more.putProduct(one, options)),
    changes: (since, options) => ask(options, ({ more }) => more.changes(since, options)),
    lockedThrough: (options) => ask(options, ({ more }) => more.lockedThrough(options)),
    month: (month, options) => ask(options, ({ more }) => more.month(month, options)),
    sweep: (kind, guid, options) => ask(options, ({ more }) => more.sweep(kind, guid, options)),
  };
}

/** Returns the calls for documents of a ledger that prints and sends documents itself. */
function documentVerbs(ask: Ask): Required<Pick<ConnectedLedger, "pdf" | "send" | "sends">> {
  return {
    pdf: (kind, guid, options) => ask(options, ({ more }) => able(more.pdf)(kind, guid, options)),
    send: (kind, guid, channel, options) =>
      ask(options, ({ more }) => able(more.send)(kind, guid, channel, options)),
    sends: (kind, guid, options) =>
      ask(options, ({ more }) => able(more.sends)(kind, guid, options)),
  };
}

function paymentVerb(ask: Ask): Required<ConnectedLedger>["payments"] {
  return (asked, options) => ask(options, ({ more }) => able(more.payments)(asked, options));
}

function changesVerb(ask: Ask): Required<ConnectedLedger>["paymentChanges"] {
  return (since, options) => ask(options, ({ more }) => able(more.paymentChanges)(since, options));
}

/** Returns an optional call. Throws where the connector lacks it in spite of its capabilities. */
function able<Verb>(verb: Verb | undefined): Verb {
  if (verb === undefined) throw new Error("the connector lacks a call that it says to have");
  return verb;
}

/** Returns the ledger of a stored connection; the reason why its secrets cannot be opened is logged. */
function stored(
  connector: Connector,
  deps: ConnectionDeps,
  account_id: AccountId,
  row: ConnectionRow,
): Whole | Unauthorized {
  const { pools, sealing, log } = deps;
  try {
    const text = sealing.open(row.sealed_secrets, secretsPlace(account_id, row.id));
    return opened(connector, deps, {
      settings: JSON.parse(row.settings),
      secrets: JSON.parse(text),
      sandbox: row.sandbox,
      tokens: tokenKeeperOf({
        db: pools.requests,
        sealing,
        log,
        account_id,
        connection_id: row.id,
      }),
    });
  } catch (cause) {
    if (!(cause instanceof SealError)) throw cause;
    log.error({ err: cause, account_id, connection_id: row.id }, "secrets cannot be opened");
    return { state: "unauthorized", reason: "credentials", cause };
  }
}

interface Given {
  readonly settings: ConnectionSettings;
  readonly secrets: ConnectionSettings;
  readonly sandbox: boolean;
  readonly tokens: TokenKeeper;
}

function opened(connector: Connector, deps: ConnectionDeps, given: Given): Whole {
  const { pools, background, config } = deps;
  const { settings, secrets, tokens } = given;
  return connector.open(
    lineOf({
      settings,
      secrets,
      tokens,
      reach: {
        known: connector.hosts,
        listed: config.ledger_hosts,
        is_sandbox: given.sandbox,
      },
      organisation_key: `${connector.kind} ${connector.organisationKey(settings)}`,
      per_minute: connector.requestsPerMinute(settings),
      request_ms: connector.timeouts?.request_ms ?? null,
      turnsFor: (urgency) => (urgency === "bulk" ? pools.background : pools.requests),
      isPaused: background.isPaused,
    }),
  );
}

/** Keeps the tokens of settings that are being tested in memory. */
function inMemory(): TokenKeeper & { kept(): Tokens | null } {
  let kept: Tokens | null = null;
  return {
    kept: () => kept,
    async get(renew) {
      if (kept?.access_token != null) return { state: "token", access_token: kept.access_token };
      const before: string | null = kept?.refresh_token ?? null;
      const answer = await renew(before);
      if (answer.state !== "token") return answer;
      const { access_token, refresh_token, lives_ms } = answer;
      const expires_at = Date.now() + lives_ms;
      kept = { access_token, refresh_token: refresh_token ?? before, expires_at };
      return { state: "token", access_token };
    },
    async drop(access_token) {
      if (kept?.access_token === access_token) kept = { ...kept, access_token: null };
    },
  };
}

function disconnected(): Unauthorized {
  return {
    state: "unauthorized",
    reason: "credentials",
    cause: new Error("there is no connection"),
  };
}

/** Returns the state of the connection that an outcome shows; null when it shows none. */
function shownBy(outcome: { readonly state: string }): ConnectionRow["state"] | null {
  if (outcome.state === "unauthorized") {
    return (outcome as Unauthorized).reason === "subscription" ? "subscription" : "unauthorized";
  }
  return outcome.state === "unknown" || outcome.state === "not_started" ? null : "connected";
}
