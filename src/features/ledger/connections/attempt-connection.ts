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
import type { Failure } from "../../../ledger/outcome.ts";
import type { Context } from "../../../platform/commands/context.ts";
import { AddressRefused } from "../../../platform/security/outbound.ts";
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
  const { fields } = connector;
  for (const name of Object.keys(given)) {
    if (fields.some((field) => field.name === name)) continue;
    throw invalidField(name, "unknown_field", `${connector.title} has no such setting.`);
  }
  for (const { name, is_required, description } of fields) {
    if (is_required && !given[name]) throw invalidField(name, "required", description);
  }
  requireEither(connector, given);
  const of = (is_secret: boolean): ConnectionSettings =>
    Object.fromEntries(
      fields.flatMap(({ name, ...field }) => {
        const value = given[name];
        return field.is_secret === is_secret && value ? [[name, value]] : [];
      }),
    );
  const [settings, secrets] = [of(false), of(true)];
  try {
    connector.organisationKey(settings);
    connector.requestsPerMinute(settings);
  } catch (error) {
    const message = error instanceof Error ? error.message : "The settings are not usable.";
    throw invalidField("settings", "invalid_value", message);
  }
  return { settings, secrets };
}

function requireEither({ fields }: Connector, given: ConnectionSettings): void {
  for (const either of new Set(fields.flatMap((field) => field.either ?? []))) {
    const names = fields.filter((field) => field.either === either).map(({ name }) => name);
    const [given_name = names[0] ?? either, ...more] = names.filter((name) => given[name]);
    const is_given = Boolean(given[given_name]);
    if (is_given && more.length === 0) continue;
    const message = `Exactly one of ${names.join(" and ")} is required.`;
    throw invalidField(more[0] ?? given_name, is_given ? "not_allowed" : "required", message);
  }
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
