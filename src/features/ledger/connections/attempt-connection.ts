/**
 * Tries a connection to an accounting system before it is stored: reads the given settings, and calls the system with them. Only
 * a connection whose check succeeds is stored.
 */
import { invalidField, Problem } from "../../../domain/base/problem.ts";
import type { LedgerCheck } from "../../../ledger/connected.ts";
import type {
  ConnectionSettings,
  ConnectionSetup,
  Connector,
  GivenSettings,
  Trial,
} from "../../../ledger/connector.ts";
import { givenSettings, unusableSettings } from "../../../ledger/given-settings.ts";
import type { Failure } from "../../../ledger/outcome.ts";
import type { Context } from "../../../platform/commands/context.ts";
import { AddressRefused } from "../../../platform/security/allowed-address.ts";
import { askCheck, connectedRow } from "./check-connection.ts";

/** A system with settings that have the right form. */
interface WantedConnection {
  readonly setup: ConnectionSetup;
  readonly fields: GivenSettings;
}

/** A connection that was tried with its settings. */
export interface TriedConnection {
  readonly id: string;
  readonly kind: string;
  readonly settings: ConnectionSettings;
  readonly sealed: ReturnType<Trial["sealed"]>;
  readonly checked: LedgerCheck | Failure;
}

/** Returns the system with its settings. Throws VALIDATION_FAILED for an unknown system, and for wrong or missing settings. */
export function connectionFrom(
  { setups }: Pick<Context, "setups">,
  kind: string,
  given: ConnectionSettings,
): WantedConnection {
  const setup = setups.get(kind);
  if (setup === undefined) {
    const kinds = [...setups.keys()].join(", ");
    const message = `There is no such system; the available ones are ${kinds}.`;
    throw invalidField("kind", "invalid_value", message);
  }
  return { setup, fields: fieldsFrom(setup.connector, given) };
}

/** Calls the system with settings that are not stored, for a connection with this id. A failed check is a value, and logged. */
export async function tryConnection(
  cx: Context,
  { setup, fields }: WantedConnection,
  id: string,
): Promise<TriedConnection> {
  const { settings } = fields;
  const trial = await setup.trial(cx.caller.account_id, id, fields);
  const checked = await askCheck(cx, trial.more, "connecting");
  if (checked.state !== "ok") {
    cx.log.warn({ outcome: checked.state, err: checked.cause }, "a ledger failed its check");
  }
  // The check may have replaced the tokens.
  return { id, kind: setup.connector.kind, settings, sealed: trial.sealed(), checked };
}

/** Returns the columns of a connection whose check succeeded. */
export function storedRow({ id, kind, settings, sealed }: TriedConnection, checked: LedgerCheck) {
  return { ...connectedRow(checked), id, kind, ...sealed, settings: JSON.stringify(settings) };
}

function fieldsFrom(connector: Connector, given: ConnectionSettings): GivenSettings {
  const fields = givenSettings(connector, given);
  try {
    connector.organisationKey(fields.settings);
    connector.requestsPerMinute(fields.settings);
  } catch (error) {
    throw unusableSettings(error);
  }
  return fields;
}

/** Returns the refusal of a connection whose check failed. */
export function refusalOf({ state, reason, cause }: Failure): Problem {
  const address = addressRefused(cause);
  if (address !== null) {
    return new Problem("LEDGER_NOT_CONNECTED", { message: address.message });
  }
  const details = { reason: reason ?? state };
  if (state !== "unauthorized") {
    const message =
      reason === "timeout"
        ? "The accounting system answers too slowly: its check was not over in time. Nothing is stored."
        : "The accounting system did not answer; nothing is stored.";
    return new Problem("LEDGER_UNAVAILABLE", { message, details, retry_after_seconds: 5 });
  }
  const message =
    reason === "subscription"
      ? "The plan of the company in the accounting system does not allow calls."
      : "The accounting system refused the credentials, or knows no such company.";
  return new Problem("LEDGER_NOT_CONNECTED", { message, details });
}

/** Finds an AddressRefused among the causes of an error, because a connector may have wrapped it. */
function addressRefused(cause: unknown): AddressRefused | null {
  if (cause instanceof AddressRefused) return cause;
  const inner =
    typeof cause === "object" && cause !== null && "cause" in cause ? cause.cause : null;
  return inner === null || inner === undefined ? null : addressRefused(inner);
}
