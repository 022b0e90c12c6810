/**
 * What a connector to an accounting system outside of our database is: a value that says what it needs to be told, and
 * opens a ledger over a line. It keeps nothing, reads no database and no environment, and makes no call but through the
 * line, which bounds, counts and guards every one of them.
 */
import type { AccountId } from "../domain/base/brand.ts";
import type { ConnectedLedger, LedgerCapabilities } from "./connected.ts";
import type { Ledger, Patience } from "./ledger.ts";
import type { CallOptions } from "./outcome.ts";

export interface Connector {
  readonly kind: string;
  /** How people call it. */
  readonly title: string;
  /** What an admin is asked for, in this order. */
  readonly fields: readonly ConnectorField[];
  /** The vendor's own hosts, which are always allowed; others have to be in the settings of the service. */
  readonly hosts: readonly string[];
  readonly capabilities: LedgerCapabilities;
  readonly patience?: Patience;
  /** How many requests the organisation may make in a minute with these settings; null without a limit. */
  requestsPerMinute(settings: ConnectionSettings): number | null;
  /** What names the organisation: connections to the same one share its limit. Throws for settings that are not usable. */
  organisationKey(settings: ConnectionSettings): string;
  open(line: LedgerLine): Ledger & { readonly more: ConnectedLedger };
}

export interface ConnectorField {
  /** snake_case; the option of the command line is the same with dashes. */
  readonly name: string;
  /** Secrets are sealed at rest and never shown again. */
  readonly is_secret: boolean;
  readonly is_required: boolean;
  /** Of the fields that share this name exactly one is told. */
  readonly either?: string;
  /** One sentence for whoever is asked. */
  readonly description: string;
}

/** What was told, by the names of the fields. */
export type ConnectionSettings = Readonly<Record<string, string>>;

/** How an account comes to be connected. */
export interface ConnectionSetup {
  readonly connector: Connector;
  /**
   * The ledger behind settings that are not stored yet, to be checked, and what is to be stored of its secrets: read after
   * the check, because a token that was given for it may be the only one.
   */
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

/** How a connector reaches the books of one account. */
export interface LedgerLine {
  readonly settings: ConnectionSettings;
  readonly secrets: ConnectionSettings;
  readonly tokens: TokenKeeper;
  /**
   * One request. Waits for its turn within the organisation's limit; goes to allowed hosts alone, follows no redirect and
   * reads at most 5 MB. Never throws for what the other end does.
   */
  request(request: LedgerRequest, options: CallOptions): Promise<LedgerAnswer>;
}

export interface LedgerRequest {
  /** What it is, for the record of calls: `POST invoices/book`, `account.invoice.post`. Without ids and secrets. */
  readonly verb: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** True for what the organisation's limit does not count, such as asking for a token. */
  readonly is_free?: boolean;
}

/** `not_sent` asserts that no byte of the request has left; `lost` asserts nothing. */
export type LedgerAnswer =
  | {
      readonly state: "answered";
      readonly status: number;
      /** By lower-case names. */
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

/** Tokens of OAuth, sealed at rest, shared by all processes. */
export interface TokenKeeper {
  /**
   * An access token that lives. Renews it under the lock of the connection when there is none: what `renew` answers is
   * stored before anybody uses it, because a refresh token works once.
   */
  get(renew: RenewToken): Promise<TokenOutcome>;
  /** Forgets an access token that the ledger has refused, unless it is another by now. */
  drop(access_token: string): Promise<void>;
}

/**
 * Asks for a token, with the refresh token that is kept; null where there is none. Its requests are free ones: a lock is
 * held meanwhile.
 */
export type RenewToken = (refresh_token: string | null) => Promise<RenewedToken | TokenRefusal>;

export interface RenewedToken {
  readonly state: "token";
  readonly access_token: string;
  /** Null where the kept one stays, or there is none. */
  readonly refresh_token: string | null;
  readonly lives_ms: number;
}

export type TokenRefusal =
  | { readonly state: "unauthorized"; readonly cause?: unknown }
  | { readonly state: "unavailable"; readonly cause?: unknown };

export type TokenOutcome =
  | { readonly state: "token"; readonly access_token: string }
  | TokenRefusal;
