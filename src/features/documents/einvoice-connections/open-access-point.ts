/** Opens the access point of an account from its stored connection, and notes in the connection what its outcomes say about it. */
import { isIP, type Socket } from "node:net";
import { join } from "node:path";
import type {
  AccessPoint,
  ConnectionFault,
  EinvoiceCapabilities,
  EinvoiceConnectionKind,
  SubmitOutcome,
} from "../../../einvoice/access-point.ts";
import type {
  EinvoiceConnector,
  EinvoiceOpening,
  EinvoiceSetup,
} from "../../../einvoice/connector.ts";
import type { ConnectionSettings, LedgerAnswer } from "../../../ledger/connector.ts";
import { printsItself } from "../../../platform/commands/connected-ledger.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Config } from "../../../platform/runtime/config.ts";
import { AddressRefused } from "../../../platform/security/allowed-address.ts";
import { connectTo, send } from "../../../platform/security/outbound.ts";
import { ruleFor } from "../../../platform/security/reach.ts";
import { SealError, type SealedPlace, type Sealing } from "../../../platform/security/sealing.ts";
import { type EinvoiceConnectionRow, findConnection, noteState } from "./queries.ts";

interface SetupDeps {
  readonly config: Pick<Config, "data_dir" | "einvoice_hosts">;
  readonly sealing: Sealing;
}

/** Returns the context to which the secrets of a connection are sealed. */
export function secretsPlace(account_id: string, connection_id: string): SealedPlace {
  return ["e-invoice secrets", account_id, connection_id];
}

/** Returns how accounts are connected with the connector. */
export function einvoiceSetupOf(connector: EinvoiceConnector, deps: SetupDeps): EinvoiceSetup {
  const { config, sealing } = deps;
  return {
    connector,
    open({ account_id, sandbox }, given) {
      return connector.open({
        ...given,
        default_path: join(config.data_dir, "einvoices", account_id),
        request: (request) => requestOf(config.einvoice_hosts, sandbox, request),
        connect: (...to) => socketTo(config.einvoice_hosts, sandbox, ...to),
      });
    },
    sealed({ account_id, connection_id }, secrets) {
      const place = secretsPlace(account_id, connection_id);
      const { key_id, content } = sealing.seal(JSON.stringify(secrets), place);
      return { key_id, sealed_secrets: content };
    },
    secrets({ account_id, connection_id }, sealed_secrets) {
      return JSON.parse(sealing.open(sealed_secrets, secretsPlace(account_id, connection_id)));
    },
  };
}

async function requestOf(
  listed: readonly string[],
  is_sandbox: boolean,
  request: Parameters<EinvoiceOpening["request"]>[0],
): Promise<LedgerAnswer> {
  const url = URL.canParse(request.url) ? new URL(request.url) : null;
  const rule = url && ruleFor(url, { known: [], listed, is_sandbox });
  if (url === null || rule === null) {
    const cause = new AddressRefused(url?.host ?? "this address", NOT_LISTED);
    return { state: "not_sent", reason: "not_allowed", cause };
  }
  const { method, headers = {}, body = null, signal } = request;
  return send({ method, url, headers, body, signal }, rule);
}

/** Connects to a listed host; the key of the host, which the operator gives, has the part of a certificate. */
async function socketTo(
  listed: readonly string[],
  is_sandbox: boolean,
  host: string,
  port: number,
  signal: AbortSignal,
): Promise<Socket> {
  const name = isIP(host) === 6 ? `[${host}]` : host;
  const rule = ruleFor(new URL(`https://${name}:${port}`), { known: [], listed, is_sandbox });
  if (rule === null) throw new AddressRefused(`${name}:${port}`, NOT_LISTED);
  return connectTo(host, port, rule, signal);
}

const NOT_LISTED = "is not in MATCHBOOK_EINVOICE_HOSTS";

/** The access point of an account, with the connection through which it was opened. */
export interface OpenedAccessPoint {
  readonly connection_id: string;
  readonly state: EinvoiceConnectionRow["state"];
  /** Calls in a row without an answer. */
  readonly failures: number;
  /** How often in a row a submission has found it unusable although its check had gone well. */
  readonly pauses: number;
  readonly access_point: AccessPoint;
}

/**
 * Returns the access point through which the account sends its e-invoices; null without a connection, and in an account whose
 * ledger sends them. A fault that an outcome names is stored as the state of the connection, until a submission or check goes well.
 * `reads` may send the read of the connection with other reads.
 */
export async function accessPointOf(
  cx: Reader,
  reads: Reader = cx,
): Promise<OpenedAccessPoint | null> {
  if (printsItself(cx.ledger)) return null;
  const row = await findConnection(reads);
  if (row === undefined) return null;
  const { id: connection_id, state, failures, pauses } = row;
  return {
    connection_id,
    state,
    failures,
    pauses,
    access_point: noting(cx, row, opened(cx, row)),
  };
}

/** Opens a stored connection. One that cannot be opened answers everything with the reason, which is logged. */
function opened(cx: Reader, row: EinvoiceConnectionRow): AccessPoint {
  const { account_id, sandbox } = cx.caller;
  const setup = setupFor(cx, row.kind);
  const settings: ConnectionSettings = JSON.parse(row.settings);
  try {
    const secrets = setup.secrets({ account_id, connection_id: row.id }, row.sealed_secrets);
    return setup.open({ account_id, sandbox }, { settings, secrets });
  } catch (err) {
    if (!(err instanceof SealError)) throw err;
    cx.log.error({ err, account_id, connection_id: row.id }, "secrets cannot be opened");
    return locked(row.kind, setup.connector.capabilities(settings));
  }
}

/** Returns how connections of a kind are opened. */
export function setupFor(cx: Reader, kind: EinvoiceConnectionKind): EinvoiceSetup {
  const setup = cx.einvoice_setups.get(kind);
  if (setup === undefined) throw new Error(`there is no connector ${kind}`);
  return setup;
}

/** The access point of a connection whose secrets cannot be opened: nothing leaves. */
function locked(kind: EinvoiceConnectionKind, capabilities: EinvoiceCapabilities): AccessPoint {
  const connection = "unauthorized";
  const text = "The stored secrets cannot be opened; the service's key is missing.";
  const refused = { state: "not_taken", code: "secrets_sealed", text, connection } as const;
  return {
    kind,
    ...capabilities,
    check: async () => ({ state: connection, text }),
    submit: async () => refused,
    look: async () => ({ state: "not_answered", connection }),
  };
}

/**
 * Stores what outcomes say about the connection. A look that is answered does not show that the other side takes submissions, so
 * it never makes a connection `connected` again.
 */
function noting(cx: Reader, row: EinvoiceConnectionRow, access_point: AccessPoint): AccessPoint {
  let known = row.state;
  const note = async (
    state: EinvoiceConnectionRow["state"],
    text: string | null,
  ): Promise<void> => {
    if (state === known) return;
    known = state;
    await noteState(cx, row.id, state, text);
  };
  const noted = async (outcome: SubmitOutcome | null): Promise<typeof outcome> => {
    if (outcome?.state !== "not_taken" && outcome?.state !== "unknown") {
      await note("connected", null);
    } else if (outcome.state === "not_taken" && outcome.connection !== null) {
      await note(outcome.connection, outcome.text);
    }
    return outcome;
  };
  const { prepare } = access_point;
  return {
    ...access_point,
    ...(prepare && { prepare: async (...given) => noted(await prepare(...given)) }),
    async submit(...given) {
      const outcome = await access_point.submit(...given);
      await noted(outcome);
      return outcome;
    },
    async look(...given) {
      const outcome = await access_point.look(...given);
      if (outcome.state === "not_answered" && outcome.connection !== null) {
        await note(outcome.connection, FAULTS[outcome.connection]);
      }
      return outcome;
    },
  };
}

const FAULTS: Readonly<Record<ConnectionFault, string>> = {
  unauthorized: "The credentials were refused.",
  unavailable: "There was no answer.",
};
