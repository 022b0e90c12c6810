/**
 * A connector links the service to an external accounting system. It declares its settings and opens a ledger over a
 * transport. It stores nothing, reads neither database nor environment, and calls only through the transport.
 */
import type { AccountId } from "../domain/base/brand.ts";
import type { ConnectedLedger, LedgerCapabilities } from "./connected.ts";
import type { Ledger, Timeouts } from "./ledger.ts";
import type { CallOptions } from "./outcome.ts";

export interface Connector {
  readonly kind: string;
  /** The name of the accounting system for people. */
  readonly title: string;
  /** The settings that an admin enters, in this order. */
  readonly fields: readonly ConnectorField[];
  /** The vendor's own hosts, which are always allowed; other hosts have to be in the settings of the service. */
  readonly hosts: readonly string[];
  readonly capabilities: LedgerCapabilities;
  readonly timeouts?: Timeouts;
  /** Returns the number of requests that the organisation may make in a minute with these settings; null for no limit. */
  requestsPerMinute(settings: ConnectionSettings): number | null;
  /** Returns a key for the organisation: connections to the same organisation share its limit. Throws for unusable settings. */
  organisationKey(settings: ConnectionSettings): string;
  open(line: LedgerTransport): Ledger & { readonly more: ConnectedLedger };
}

export interface ConnectorField {
  /** The setting's name in snake_case; the option of the command line has dashes instead. */
  readonly name: string;
  /** Whether the setting is a secret. Secrets are sealed at rest and never shown again. */
  readonly is_secret: boolean;
  readonly is_required: boolean;
  /** Fields that share this name are alternatives: exactly one of them is given. */
  readonly either?: string;
  /** One sentence for the person who enters the setting. */
  readonly description: string;
}

/** The given values, by the names of the fields. */
export type ConnectionSettings = Readonly<Record<string, string>>;

/** Connects an account to the ledgers of one kind. */
export interface ConnectionSetup {
  readonly connector: Connector;
  /** Opens a ledger with unsaved settings for a check. Secrets are read afterwards: the check may replace the token. */
  trial(account_id: AccountId, connection_id: string, given: GivenSettings): Promise<Trial>;
}

export interface GivenSettings {
  readonly settings: ConnectionSettings;
  readonly secrets: ConnectionSettings;
}

export interface Trial {
  readonly more: ConnectedLedger;
  sealed(): {
    readonly key_id: string;
    readonly sealed_secrets: Buffer;
    readonly sealed_tokens: Buffer | null;
  };
}

/** The transport by which a connector reaches the books of one account. */
export interface LedgerTransport {
  readonly settings: ConnectionSettings;
  readonly secrets: ConnectionSettings;
  readonly tokens: TokenKeeper;
  /**
   * Sends one request. Waits for its turn within the organisation's limit; connects only to allowed hosts, follows no redirect
   * and reads at most 5 MB. Never throws for faults of the other system.
   */
  request(request: LedgerRequest, options: CallOptions): Promise<LedgerAnswer>;
}

export interface LedgerRequest {
  /** The name of the request for the record of calls: `POST invoices/book`, `account.invoice.post`. Without ids and secrets. */
  readonly verb: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** True for requests that the organisation's limit does not count, such as those for a token. */
  readonly is_free?: boolean;
}

/** The response to a request. `not_sent` asserts that no byte of the request was sent; `lost` asserts nothing. */
export type LedgerAnswer =
  | {
      readonly state: "answered";
      readonly status: number;
      /** The header values by lower-case names. */
      readonly headers: ReadonlyMap<string, string>;
      readonly body: Uint8Array;
    }
  | {
      readonly state: "not_sent";
      readonly reason: "unavailable" | "rate_limited" | "not_allowed";
      readonly retry_after_ms?: number;
      readonly cause?: unknown;
    }
  | {
      readonly state: "lost";
      readonly reason: "timeout" | "connection_lost" | "bad_response";
      readonly cause?: unknown;
    };

/** Keeps OAuth tokens, sealed at rest and shared by all processes. */
export interface TokenKeeper {
  /**
   * Returns a valid access token. When there is none, the token is renewed under the lock of the connection: the result of
   * `renew` is stored before any process uses it, because a refresh token works once.
   */
  get(renew: RenewToken): Promise<TokenOutcome>;
  /** Deletes an access token that the ledger has refused, unless the token has been replaced. */
  drop(access_token: string): Promise<void>;
}

/** Requests a token with the stored refresh token. The request must be `is_free`, because a lock is held meanwhile. */
export type RenewToken = (
  refresh_token: string | null,
) => Promise<RenewedToken | LedgerTokenRefusal>;

export interface RenewedToken {
  readonly state: "token";
  readonly access_token: string;
  /** The new refresh token; null when the stored one stays valid, or there is none. */
  readonly refresh_token: string | null;
  readonly lives_ms: number;
}

export type LedgerTokenRefusal =
  | { readonly state: "unauthorized"; readonly cause?: unknown }
  | { readonly state: "unavailable"; readonly cause?: unknown };

export type TokenOutcome =
  | { readonly state: "token"; readonly access_token: string }
  | LedgerTokenRefusal;
