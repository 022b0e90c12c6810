/**
 * Adopts changes made in a connected ledger, unless the same record was changed here as well: then our version is being sent to
 * the ledger and applies. Documents keep their frozen data (spec 9.9).
 */
import * as z from "zod";
import { scaledToNumber } from "../../../domain/base/money.ts";
import { Problem } from "../../../domain/base/problem.ts";
import { HOURS_DECIMALS, RATE_DECIMALS } from "../../../domain/sales/line.ts";
import type {
  ConnectedLedger,
  LedgerCustomer,
  LedgerProduct,
  RemoteChange,
} from "../../../ledger/connected.ts";
import { carried, defineCommand, run } from "../../../platform/commands/command.ts";
import { callWithin, connectedLedger } from "../../../platform/commands/connected-ledger.ts";
import type { Context, Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { Uuid } from "../../../platform/http/schemas.ts";
import { changeCustomer, setCustomerActive } from "../../catalogue/customers/save.ts";
import { CustomerUpdate } from "../../catalogue/customers/schemas.ts";
import { lateFields } from "../../catalogue/links/push-link.ts";
import { type LinkKind, REMEMBERED } from "../../catalogue/links/queries.ts";
import { changeProduct, setProductActive } from "../../catalogue/products/save.ts";
import { ProductUpdate } from "../../catalogue/products/schemas.ts";

const EVERY = raw("interval '15 minutes'");
/** The time limit for reading changes from the ledger. */
const TIMEOUT_MS = 60_000;

/** A link of one of our records, with its version from before the ledger was called. */
interface Known {
  readonly connection_id: string;
  readonly kind: LinkKind;
  readonly local_id: string;
  readonly version: bigint;
  readonly ledger_id: string | null;
  /** Values sent by abandoned calls, which may have arrived since. */
  readonly given_up: string | null;
}

/** Reads changes from the ledger of the account when a read is due; returns whether it was due. */
export async function pullIfDue(cx: Context): Promise<boolean> {
  const due = await cx.row<{ id: string; pulled_until: string | null }>(sql`
    update ledger_connections set next_pull_at = (select clock_timestamp() + ${EVERY})
    where account_id = ${cx.caller.account_id} and is_current and state in ('connected', 'unavailable')
      and next_pull_at <= (select clock_timestamp())
    returning id, pulled_until`);
  const ledger = connectedLedger(cx);
  if (due === undefined || ledger === null) return false;
  await pull(cx, ledger, due);
  return true;
}

async function pull(
  cx: Context,
  ledger: ConnectedLedger,
  { id, pulled_until }: { readonly id: string; readonly pulled_until: string | null },
): Promise<void> {
  const known = await knownRemote(cx, id);
  const changes = await ledger.changes(pulled_until, callWithin(cx, TIMEOUT_MS));
  if (changes.state !== "changes") {
    cx.log.warn({ outcome: changes.state, err: changes.cause }, "the ledger reported no changes");
    return;
  }
  for (const one of changes.customers) {
    await takeOver(cx, known.find("customer", one), one, customerFrom);
  }
  for (const one of changes.products) {
    await takeOver(cx, known.find("product", one), one, productFrom);
  }
  await cx.rows(sql`update ledger_connections set pulled_until = ${changes.until}, updated_at = (select clock_timestamp())
    where account_id = ${cx.caller.account_id} and id = ${id}`);
}

/**
 * Returns all links without a pending change of ours, read before the ledger is called: a change made here later is newer than
 * the ledger's response. A record that the ledger refused keeps our version.
 */
async function knownRemote(cx: Reader, connection_id: string) {
  const rows = await cx.rows<Known>(sql`
    select connection_id, kind, local_id, version, ledger_id, ${REMEMBERED} as given_up from ledger_links
    where account_id = ${cx.caller.account_id} and connection_id = ${connection_id}
      and (state = 'synced' or reason = 'REMOTE_INVALID')`);
  const by_name = new Map<string, Known>();
  for (const row of rows) {
    by_name.set(`${row.kind} ${row.local_id}`, row);
    if (row.ledger_id !== null) by_name.set(`${row.kind} ${row.ledger_id}`, row);
  }
  return {
    find: (kind: LinkKind, { guid, ledger_id }: RemoteChange<unknown>): Known | undefined =>
      by_name.get(`${kind} ${ledger_id}`) ?? by_name.get(`${kind} ${guid}`),
  };
}

/**
 * Adopts changes of our records and ignores other records; a change that cannot be adopted is shown on the link. A value that a
 * late call of ours left in the ledger is not a change: our current value is sent again.
 */
async function takeOver<Fields extends object>(
  cx: Context,
  known: Known | undefined,
  there: RemoteChange<Fields>,
  changesFrom: (there: RemoteChange<Fields>) => Readonly<Record<string, unknown>>,
): Promise<void> {
  if (known === undefined) return;
  try {
    const late = await lateFields(cx, known, { ...there.fields, active: there.active });
    const kept = Object.entries(there.fields).filter(([name]) => !late.includes(name));
    const changes = changesFrom({ ...there, fields: Object.fromEntries(kept) as Fields });
    const active = late.includes("active") ? null : there.active;
    await run(takeOverFromLedger, cx, { ...known, active, changes, is_late: late.length > 0 });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { connection_id, kind, local_id, version } = known;
    cx.log.warn({ kind, local_id, code: error.code }, "a change of the ledger is not applied");
    await cx.rows(sql`update ledger_links set state = 'failed', reason = 'REMOTE_INVALID', is_answered = true,
        updated_at = (select clock_timestamp())
      where account_id = ${cx.caller.account_id} and connection_id = ${connection_id} and kind = ${kind}
        and local_id = ${local_id} and version = ${version}`);
  }
}

/** Adopts the differences, unless the record has changed. Throws VALIDATION_FAILED and the refusals of the change. */
const takeOverFromLedger = defineCommand({
  name: "take_over_from_ledger",
  access: "write",
  input: z.object({
    connection_id: Uuid,
    kind: z.enum(["customer", "product"]),
    local_id: Uuid,
    version: z.bigint(),
    /** The active state to set; null to leave it unchanged. */
    active: z.boolean().nullable(),
    changes: z.record(z.string(), z.unknown()),
    /** Whether the ledger has a value that a late call left. */
    is_late: z.boolean(),
  }),

  async plan(tx, given) {
    const { connection_id, kind, local_id, version } = given;
    const link = await tx.row(sql`select 1 from ledger_links l
      join ledger_connections c on c.account_id = l.account_id and c.id = l.connection_id and c.is_current
      where l.account_id = ${tx.caller.account_id} and l.connection_id = ${connection_id} and l.kind = ${kind}
        and l.local_id = ${local_id} and l.version = ${version}
      for no key update of l`);
    return { ...given, is_current: link !== undefined };
  },

  async commit(tx, given): Promise<void> {
    const { connection_id, kind, local_id: ref, is_current, active, changes, is_late } = given;
    if (!is_current) return;
    if (kind === "customer") {
      await carried(tx, changeCustomer, { ref, changes: checked(CustomerUpdate, changes) });
      if (active !== null) await carried(tx, setCustomerActive, { ref, active });
    } else {
      await carried(tx, changeProduct, { ref, changes: checked(ProductUpdate, changes) });
      if (active !== null) await carried(tx, setProductActive, { ref, active });
    }
    settle(tx, connection_id, kind, ref, is_late);
  },
});

/** Settles the link: a change from the ledger is not sent back, unless it has to overwrite the value of a late call. */
function settle(
  tx: Tx,
  connection_id: string,
  kind: LinkKind,
  local_id: string,
  is_late: boolean,
): void {
  tx.write(sql`update ledger_links set state = ${is_late ? "queued" : "synced"}, reason = null, previous = null,
      is_answered = true, synced_at = (select clock_timestamp()), updated_at = (select clock_timestamp()), attempts = 0,
      next_attempt_at = case when ${is_late} then (select clock_timestamp()) else next_attempt_at end
    where account_id = ${tx.caller.account_id} and connection_id = ${connection_id} and kind = ${kind}
      and local_id = ${local_id}`);
}

/** Checks changes from the ledger like those of a caller. Throws VALIDATION_FAILED. */
function checked<Update>(schema: z.ZodType<Update>, changes: unknown): Update {
  const parsed = schema.safeParse(changes);
  if (!parsed.success) throw new Problem("VALIDATION_FAILED");
  return parsed.data;
}

/** Returns a customer's changes without the external id: callers choose it, and the ledger has it from us. */
function customerFrom({ fields }: RemoteChange<Partial<LedgerCustomer>>): Record<string, unknown> {
  const { guid: _, ledger_id: __, active: ___, external_id: ____, ...changes } = fields;
  return changes;
}

/** Returns a product's changes without the account of its sales, which is decided here. */
function productFrom({ fields }: RemoteChange<Partial<LedgerProduct>>): Record<string, unknown> {
  const { guid: _, ledger_id: __, active: ___, ledger_account: ____, ...rest } = fields;
  const { price_scaled, quantity, ...changes } = rest;
  return {
    ...changes,
    ...(price_scaled !== undefined && {
      default_price: scaledToNumber(price_scaled, RATE_DECIMALS),
    }),
    ...(quantity !== undefined && { quantity: scaledToNumber(BigInt(quantity), HOURS_DECIMALS) }),
  };
}
