/**
 * A connector links the service to one way of sending e-invoices. It declares its settings and opens an access point. It stores
 * nothing, reads neither database nor environment, and reaches other machines only through what it is opened with.
 */
import type { Socket } from "node:net";
import type {
  ConnectionSettings,
  ConnectorField,
  GivenSettings,
  LedgerAnswer,
} from "../ledger/connector.ts";
import type { AccessPoint, EinvoiceCapabilities, EinvoiceConnectionKind } from "./access-point.ts";

export interface EinvoiceConnector {
  readonly kind: EinvoiceConnectionKind;
  /** The name for people. */
  readonly title: string;
  /** The settings that the operator enters, in this order. */
  readonly fields: readonly ConnectorField[];
  /** The names of the settings that say where e-invoices go. A change of the others, and of secrets, renews the connection. */
  readonly place: readonly string[];
  /** Returns what the connection can do with these settings. Throws an Error with a sentence for unusable ones. */
  capabilities(settings: ConnectionSettings): EinvoiceCapabilities;
  /** Opens an access point and reaches nothing. Throws an Error with a sentence for unusable settings. */
  open(opening: EinvoiceOpening): AccessPoint;
}

/** What an access point of one account is opened with. */
export interface EinvoiceOpening extends GivenSettings {
  /** The folder of the account below the data directory. */
  readonly default_path: string;
  /**
   * Sends one request over HTTP, only to allowed hosts, without following redirects, and reads at most 5 MB. Never throws for
   * faults of the other side. `not_sent` asserts that no byte of the request was sent.
   */
  request(request: EinvoiceRequest): Promise<LedgerAnswer>;
  /** Connects to an allowed host, for a protocol with a host key of its own. Rejects, with an AddressRefused for another host. */
  connect(host: string, port: number, signal: AbortSignal): Promise<Socket>;
}

interface EinvoiceRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** Connects accounts in one way. */
export interface EinvoiceSetup {
  readonly connector: EinvoiceConnector;
  /** Opens an access point for an account, with settings that need not be stored. Throws an Error for unusable settings. */
  open(account: EinvoiceAccount, given: GivenSettings): AccessPoint;
  /** Seals the secrets of a connection. */
  sealed(of: SealedOf, secrets: ConnectionSettings): SealedSecrets;
  /** Opens sealed secrets. Throws when the key is missing. */
  secrets(of: SealedOf, sealed_secrets: Uint8Array): ConnectionSettings;
}

interface EinvoiceAccount {
  readonly account_id: string;
  readonly sandbox: boolean;
}

interface SealedOf {
  readonly account_id: string;
  readonly connection_id: string;
}

interface SealedSecrets {
  readonly key_id: string;
  readonly sealed_secrets: Buffer;
}
