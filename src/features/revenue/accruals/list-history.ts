/** Lists the history of an accrual: each booking and each reopening, with their vouchers. */
import type { Reader } from "../../../platform/commands/context.ts";
import { envelope } from "../../../platform/database/page.ts";
import { sql } from "../../../platform/database/sql.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { getRow } from "./queries.ts";

interface BookingRow {
  readonly revision: number;
  readonly voucher_guid: string | null;
  readonly voucher_number: bigint | null;
  readonly booked_at: string;
  readonly booked_by: string;
  readonly reversal_guid: string | null;
  readonly reversal_number: bigint | null;
  readonly reopened_at: string | null;
  readonly reopened_by: string | null;
  readonly reason: string | null;
}

/** Returns the history in the list envelope, the oldest first. Throws NOT_FOUND. */
export async function listHistory(cx: Reader, id: string): Promise<JsonText> {
  await getRow(cx, id);
  const rows =
    await cx.rows<BookingRow>(sql`select revision, voucher_guid, voucher_number, booked_at, booked_by, reversal_guid,
       reversal_number, reopened_at, reopened_by, reason
     from accrual_bookings where account_id = ${cx.caller.account_id} and accrual_id = ${id} and state <> 'pending'
     order by revision`);
  return envelope(
    rows.flatMap((row) => {
      const voucher = voucherFrom(row.voucher_guid, row.voucher_number);
      const booked = {
        at: row.booked_at,
        actor: actorFrom(row.booked_by),
        action: "booked",
        revision: row.revision,
        voucher,
        reversal_voucher: null,
        reason: null,
      };
      if (row.reopened_at === null) return [jsonText(booked)];
      const reopened = {
        at: row.reopened_at,
        actor: actorFrom(row.reopened_by ?? ""),
        action: "reopened",
        revision: row.revision,
        voucher,
        reversal_voucher: voucherFrom(row.reversal_guid, row.reversal_number),
        reason: row.reason,
      };
      return [jsonText(booked), jsonText(reopened)];
    }),
    null,
  );
}

function voucherFrom(guid: string | null, number: bigint | null) {
  return guid === null || number === null ? null : { guid, number: Number(number) };
}

/** Parses a stored actor such as `api_key:<id>`. */
function actorFrom(text: string): { readonly kind: string; readonly id: string } {
  const [kind = "", ...id] = text.split(":");
  return { kind, id: id.join(":") };
}
