/** Checks the identity of a ledger and whether documents could be booked in it, and stores the result. */
import * as z from "zod";
import { Problem } from "../../../domain/base/problem.ts";
import type { ConnectedLedger, LedgerCheck, LedgerFault } from "../../../ledger/connected.ts";
import type { Failure } from "../../../ledger/outcome.ts";
import { defineCommand, run } from "../../../platform/commands/command.ts";
import { connectedLedger } from "../../../platform/commands/connected-ledger.ts";
import type { Context, Reader } from "../../../platform/commands/context.ts";
import { sql, update } from "../../../platform/database/sql.ts";
import { timestampOf } from "../../../platform/runtime/clock.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { timeLimit } from "../../../platform/runtime/time-limit.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { findCurrent, listMapping, lockCurrent, type ShownConnection } from "./queries.ts";
import { LedgerConnection } from "./schemas.ts";

/** The time limit of all requests of a check: low for a waiting caller, enough for a slow system when connecting. */
const TIMEOUT_MS = { interactive: 15_000, bulk: 60_000, connecting: 60_000 };

type Checked = LedgerCheck | Failure;

/** Returns the ledger's result, with the faults that this side finds. Never throws for faults of the ledger. */
export async function askCheck(
  cx: Context,
  { check }: ConnectedLedger,
  purpose: keyof typeof TIMEOUT_MS,
): Promise<Checked> {
  const { functional_currency } = await getConfiguration(cx);
  const { signal, clear } = timeLimit(TIMEOUT_MS[purpose], cx.signal);
  const urgency = purpose === "bulk" ? "bulk" : "interactive";
  const checked = await check({ signal, urgency }).finally(clear);
  // A system that did not respond for its books has no known currency.
  const { currency = "" } = checked.state === "ok" ? checked : {};
  if (checked.state !== "ok" || ["", functional_currency].includes(currency)) return checked;
  const message = `Its books are in ${checked.currency}, and this account's in ${functional_currency}.`;
  const other: LedgerFault = { code: "OTHER_CURRENCY", message };
  return {
    ...checked,
    faults: [...checked.faults.filter(({ code }) => code !== other.code), other],
  };
}

/** Returns the columns of a connection whose ledger responded to a check. */
export function connectedRow(checked: LedgerCheck) {
  const { currency, accounts, vat_codes, organisation, locked_through, faults } = checked;
  return {
    state: "connected" as const,
    last_error: faults.length === 0 ? null : faults.map(({ code }) => code).join(", "),
    organisation_id: organisation.id,
    organisation_name: organisation.name,
    told: JSON.stringify({ currency, accounts, vat_codes }),
    locked_through,
    refused_since: null,
    checked_at: timestampOf(Date.now()),
  };
}

function rowOf(checked: Checked, { refused_since }: Pick<ShownConnection, "refused_since">) {
  if (checked.state === "ok") return connectedRow(checked);
  const checked_at = timestampOf(Date.now());
  const row = { last_error: checked.reason ?? checked.state, checked_at, refused_since: null };
  if (checked.state !== "unauthorized") return { ...row, state: "unavailable" as const };
  const state = checked.reason === "subscription" ? "subscription" : "unauthorized";
  return { ...row, state, refused_since: refused_since ?? checked_at } as const;
}

/** Stores the result of a check, with an audit event when the result is new. */
const storeCheck = defineCommand({
  name: "check_ledger",
  access: "write",
  input: z.custom<{ readonly id: string; readonly checked: Checked }>(),

  async plan(tx, { id, checked }) {
    const current = await lockCurrent(tx);
    if (current?.id !== id) throw new Problem("LEDGER_NOT_CONNECTED");
    return { current, row: rowOf(checked, current) };
  },

  async commit(tx, { current, row }) {
    const { account_id } = tx.caller;
    const after = { ...current, ...row };
    tx.write(sql`${update("ledger_connections", { ...row, updated_at: row.checked_at })}
      where account_id = ${account_id} and id = ${current.id}`);
    const [was, is] = [eventOf(current), eventOf(after)];
    if (was !== is) {
      tx.audit("ledger_connection", current.id, "checked", { before: was, after: is });
    }
  },
});

/** Returns a connection as the audit trail shows it: kind and state, without settings and secrets. */
export function eventOf(
  one: Omit<ShownConnection, "told" | "checked_at" | "refused_since" | "locked_through"> &
    Partial<Pick<ShownConnection, "locked_through">>,
): JsonText {
  return jsonText({
    object: "ledger_connection",
    id: one.id,
    kind: one.kind,
    state: one.state,
    organisation_id: one.organisation_id,
    organisation_name: one.organisation_name,
    locked_through: one.locked_through ?? null,
    last_error: one.last_error,
  });
}

/** Checks the connected ledger and stores the result; returns the connection. Throws LEDGER_NOT_CONNECTED when there is none. */
export async function checkConnection(
  cx: Context,
  urgency: "interactive" | "bulk" = "interactive",
): Promise<JsonText> {
  if (!cx.ledger?.transactional) {
    const current = await findCurrent(cx);
    const ledger = connectedLedger(cx);
    if (current === undefined || ledger === null) throw new Problem("LEDGER_NOT_CONNECTED");
    const checked = await askCheck(cx, ledger, urgency);
    if (checked.state !== "ok") {
      cx.log.warn({ outcome: checked.state, err: checked.cause }, "a ledger failed its check");
    }
    await run(storeCheck, cx, { id: current.id, checked });
  }
  return readConnection(cx);
}

/** Returns the connection of the account. Throws LEDGER_NOT_CONNECTED. */
export async function readConnection(cx: Reader): Promise<JsonText> {
  const { ledger, caller } = cx;
  if (ledger === null) throw new Problem("LEDGER_NOT_CONNECTED");
  if (ledger.transactional) return presented({ ...BUILTIN, kind: caller.ledger_kind });
  const [current, rows] = [await findCurrent(cx), await listMapping(cx)];
  if (current === undefined || ledger.capabilities === undefined) {
    throw new Problem("LEDGER_NOT_CONNECTED");
  }
  const { id, kind, state, organisation_id, organisation_name, checked_at, last_error } = current;
  const {
    concurrent_bookings: _,
    lists_payment_changes: __,
    ...capabilities
  } = ledger.capabilities;
  return presented({
    id,
    kind,
    state,
    organisation:
      organisation_id === null ? null : { id: organisation_id, name: organisation_name ?? "" },
    capabilities: { ...capabilities, sends: [...capabilities.sends] },
    mapping: rows.map((row) => ({ ...row, vat_code: row.vat_code === "" ? null : row.vat_code })),
    checked_at,
    last_error,
  });
}

type Shown = Omit<z.input<typeof LedgerConnection>, "object">;

const BUILTIN: Omit<Shown, "kind"> = {
  id: null,
  state: "connected",
  organisation: null,
  capabilities: {
    documents: "service",
    sends: ["email"],
    asynchronous_vouchers: false,
    supplies_rates: false,
    numbers_restart_by_year: false,
    tells_payments: false,
  },
  mapping: [],
  checked_at: null,
  last_error: null,
};

function presented(shown: Shown): JsonText {
  return jsonText(LedgerConnection.parse({ object: "ledger_connection", ...shown }));
}
