/** Stores and reads moves of an account's books to another ledger. */
import type { Timestamp } from "../../../domain/base/brand.ts";
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { scaledToNumber } from "../../../domain/base/money.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Selectable } from "../../../platform/database/columns.ts";
import { cursorFrom, envelope, positionFrom, UUID } from "../../../platform/database/page.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";
import type { Tables } from "../../../platform/database/tables.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { LedgerMove, type MoveQuery } from "./schemas.ts";

/** A move as it is stored, with the names of both organisations. */
export interface MoveRow extends Omit<Selectable<Tables["ledger_moves"]>, "account_id"> {
  readonly begins_on: CalendarDate;
  readonly created_at: Timestamp;
  readonly from_organisation: string | null;
  readonly to_organisation: string | null;
}

function movesBy(cx: Reader, which: Sql): Sql {
  return sql`select m.id, m.state, m.from_kind, m.from_connection_id, m.to_kind, m.to_connection_id, m.begins_on,
      m.opening_account, m.contract_asset, m.contract_liability, m.voucher_guid, m.voucher_number, m.voucher_year, m.reason,
      m.requested_by, m.created_at, m.ended_at, f.organisation_name as from_organisation, t.organisation_name as to_organisation
    from ledger_moves m
    left join ledger_connections f on f.account_id = m.account_id and f.id = m.from_connection_id
    left join ledger_connections t on t.account_id = m.account_id and t.id = m.to_connection_id
    where m.account_id = ${cx.caller.account_id} and ${which}`;
}

/** Returns the move that waits for its opening voucher; undefined when the books do not move. */
export function findMoving(cx: Reader): Promise<MoveRow | undefined> {
  return cx.row<MoveRow>(movesBy(cx, sql`m.state = 'moving'`));
}

/** Returns the move that a voucher opens; undefined for the voucher of an accrual. */
export function findMoveOf(cx: Reader, voucher_guid: string): Promise<MoveRow | undefined> {
  return cx.row<MoveRow>(movesBy(cx, sql`m.voucher_guid = ${voucher_guid}`));
}

/** Returns a move. Throws an Error when the account has none with this id. */
export async function getMove(cx: Reader, id: string): Promise<MoveRow> {
  const row = await cx.row<MoveRow>(movesBy(cx, sql`m.id = ${id}`));
  if (row === undefined) throw new Error(`there is no move ${id}`);
  return row;
}

/** Lists moves, the newest first. Throws VALIDATION_FAILED for a cursor that this service did not issue. */
export async function listMoves(cx: Reader, page: MoveQuery): Promise<JsonText> {
  const after = page.cursor === undefined ? null : positionFrom(page.cursor, UUID).id;
  const rows =
    await cx.rows<MoveRow>(sql`${movesBy(cx, sql`(${after}::uuid is null or m.id < ${after}::uuid)`)}
    order by m.id desc limit ${page.limit + 1}`);
  const shown = rows.slice(0, page.limit);
  const last = rows.length > page.limit ? shown.at(-1) : undefined;
  const next = last ? cursorFrom({ id: last.id, horizon: null }) : null;
  const digits = await functionalDigits(cx);
  return envelope(
    shown.map((row) => presentMove(row, digits)),
    next,
  );
}

/** Returns the decimals of the functional currency. */
export async function functionalDigits(cx: Reader): Promise<number> {
  return currencyDigits((await getConfiguration(cx)).functional_currency);
}

/** Presents a move as the API shows it; `digits` are the decimals of the functional currency. */
export function presentMove(row: MoveRow, digits: number): JsonText {
  const { voucher_guid: guid, voucher_number: number } = row;
  return jsonText(
    LedgerMove.parse({
      object: "ledger_move",
      id: row.id,
      state: row.state,
      from: {
        kind: row.from_kind,
        connection_id: row.from_connection_id,
        organisation: row.from_organisation,
      },
      to: {
        kind: row.to_kind,
        connection_id: row.to_connection_id,
        organisation: row.to_organisation,
      },
      begins_on: row.begins_on,
      opening_account: row.opening_account,
      contract_asset: scaledToNumber(row.contract_asset, digits),
      contract_liability: scaledToNumber(row.contract_liability, digits),
      voucher: guid && {
        guid,
        number: number === null ? null : Number(number),
        year: row.voucher_year,
      },
      reason: row.reason,
      requested_by: row.requested_by,
      created_at: row.created_at,
      ended_at: row.ended_at,
    }),
  );
}
