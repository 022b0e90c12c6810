/** Shows the connection through which an account sends e-invoices, checks it, and stores the result of the check. */
import * as z from "zod";
import { Problem } from "../../../domain/base/problem.ts";
import { addressText, sellerOf } from "../../../domain/einvoice/parties-from-snapshot.ts";
import type { CheckOutcome } from "../../../einvoice/access-point.ts";
import { defineCommand, run } from "../../../platform/commands/command.ts";
import type { Context, Reader } from "../../../platform/commands/context.ts";
import { timestampOf } from "../../../platform/runtime/clock.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { timeLimit } from "../../../platform/runtime/time-limit.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { accessPointOf, setupFor } from "./open-access-point.ts";
import {
  type EinvoiceConnectionRow,
  findConnection,
  lockConnection,
  updateConnection,
} from "./queries.ts";
import { requireOwnEinvoices } from "./require-own-einvoices.ts";
import { EinvoiceConnection } from "./schemas.ts";

const CHECK_MS = 15_000;

/** The releases of the official rules with which the tests compare our e-invoices. */
const RULES = { en16931: "1.3.16", bis: "3.0.21", oioubl: "1.17.2", factur_x: "1.0" } as const;

/** Ends a check by time or when no request waits for it. */
export function checkCall({ signal }: Reader): { readonly signal: AbortSignal } {
  return { signal: timeLimit(CHECK_MS, signal).signal };
}

/** Returns the columns of a connection that was just checked. */
export function checkedRow(checked: CheckOutcome) {
  return {
    state: checked.state,
    last_error: checked.state === "connected" ? null : checked.text,
    checked_at: timestampOf(Date.now()),
  };
}

/** Stores the result of a check, with an audit event when the state is new. */
const storeCheck = defineCommand({
  name: "check_einvoice_connection",
  access: "write",
  input: z.custom<{
    readonly id: string;
    readonly checked: CheckOutcome;
    /** As of this version of the connector, which may have others than the version that connected. */
    readonly capabilities: { readonly formats: string[]; readonly reports: boolean };
  }>(),

  async plan(tx, { id, checked, capabilities }) {
    const current = await lockConnection(tx);
    if (current?.id !== id) throw new Problem("RESOURCE_BUSY", { retry_after_seconds: 1 });
    return { current, row: checkedRow(checked), capabilities };
  },

  async commit(tx, { current, row, capabilities }) {
    updateConnection(tx, current.id, { ...row, ...capabilities, updated_at: row.checked_at });
    if (row.state === current.state) return;
    const [before, after] = [eventOf(current), eventOf({ ...current, ...row })];
    tx.audit("einvoice_connection", current.id, "checked", { before, after });
  },
});

/** Returns a connection as the audit trail shows it: with its settings and without its secrets. */
export function eventOf({
  id,
  kind,
  settings,
  state,
  last_error,
}: Pick<EinvoiceConnectionRow, "id" | "kind" | "settings" | "state" | "last_error">): JsonText {
  return jsonText({
    object: "einvoice_connection",
    id,
    kind,
    settings: JSON.parse(settings),
    state,
    last_error,
  });
}

/**
 * Checks the connection and stores the result; returns the connection. An account without a connection has nothing to check.
 * Throws EINVOICE_BY_LEDGER, and RESOURCE_BUSY when the connection was replaced meanwhile.
 */
export async function checkConnection(cx: Context): Promise<JsonText> {
  requireOwnEinvoices(cx);
  const opened = await accessPointOf(cx);
  if (opened !== null) {
    const checked = await opened.access_point.check(checkCall(cx));
    const { formats, reports } = opened.access_point;
    const capabilities = { formats: [...formats], reports };
    await run(storeCheck, cx, { id: opened.connection_id, checked, capabilities });
  }
  return readConnection(cx);
}

/** Returns the connection of the account, which may be none. Throws EINVOICE_BY_LEDGER. */
export async function readConnection(cx: Reader): Promise<JsonText> {
  requireOwnEinvoices(cx);
  const [row, sender] = [await findConnection(cx), await senderOf(cx)];
  const { formats, envelope } = row === undefined ? NONE : capabilitiesOf(cx, row);
  const {
    id = null,
    kind = "none",
    state = "none",
    checked_at = null,
    last_error = null,
  } = row ?? {};
  return jsonText(
    EinvoiceConnection.parse({
      object: "einvoice_connection",
      id,
      kind,
      state,
      sender,
      formats: [...formats],
      envelope,
      rules: RULES,
      checked_at,
      last_error,
    }),
  );
}

const NONE = { formats: [], envelope: "none" } as const;

function capabilitiesOf(cx: Reader, { kind, settings }: EinvoiceConnectionRow) {
  return setupFor(cx, kind).connector.capabilities(JSON.parse(settings));
}

/** Returns the address from which an e-invoice that is issued now is sent; null while none is known. */
async function senderOf(cx: Reader): Promise<string | null> {
  const { seller } = await getConfiguration(cx);
  const { endpoint } = sellerOf({ seller, vat: [] });
  return endpoint && addressText(endpoint);
}
