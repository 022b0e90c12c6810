/** Finds the accounts of the connected ledger for the lines of documents and the entries of vouchers, before anything is sent. */
import { Problem } from "../../../domain/base/problem.ts";
import type { BookingIntent, MappedAccount } from "../../../ledger/ledger.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { getConfiguration, vatSettings } from "../../settings/configuration/queries.ts";
import { otherRate } from "./mapping.ts";
import { findCurrent, listMapping, type MappingRow } from "./queries.ts";
import { reportedIn } from "./schemas.ts";

/** One of our accounts with its VAT code; null for roles, and for revenue without a known code. */
type Posted = Pick<MappedAccount, "account_number" | "vat_code">;

/**
 * Returns the rows that each document needs, in the order of the documents; none when the ledger takes our account numbers.
 * Throws LEDGER_MAPPING_MISSING for the first account that has no row, or a row under which another VAT is charged.
 */
export async function requireMapped(
  cx: Reader,
  documents: readonly BookingIntent["document"][],
): Promise<readonly MappedAccount[][]> {
  if (cx.ledger === null || cx.ledger.transactional || cx.ledger.chart === undefined) {
    return documents.map(() => []);
  }
  const rows = await listMapping(cx);
  const accounts = documents.map((document) => postedBy(document).map((one) => mapped(rows, one)));
  await requireSameRates(
    cx,
    accounts.filter((_, at) => documents[at]?.kind !== "voucher"),
  );
  return accounts;
}

/** Requires equal VAT rates: a ledger that charges another VAT would refuse the document, or book another total. */
async function requireSameRates(cx: Reader, accounts: readonly MappedAccount[][]): Promise<void> {
  const current = accounts.length === 0 ? undefined : await findCurrent(cx);
  if (current === undefined) return;
  const [reported, vat] = [reportedIn(current), vatSettings(await getConfiguration(cx))];
  for (const row of accounts.flat()) {
    const message = otherRate(row, reported, vat);
    if (message === null) continue;
    const { account_number, vat_code } = row;
    throw new Problem("LEDGER_MAPPING_MISSING", { message, details: { account_number, vat_code } });
  }
}

function postedBy(document: BookingIntent["document"]): Posted[] {
  const all: readonly Posted[] =
    document.kind === "voucher"
      ? document.entries.map(({ account_number, vat_code = null }) => ({
          account_number,
          vat_code,
        }))
      : document.lines;
  const distinct = new Map(
    all.map(({ account_number, vat_code }) => [
      `${account_number} ${vat_code ?? ""}`,
      { account_number, vat_code },
    ]),
  );
  return [...distinct.values()];
}

/** Returns the row of an account. An account without a VAT code takes its row without one, or else its only row. */
function mapped(rows: readonly MappingRow[], posted: Posted): MappedAccount {
  const of_account = rows.filter(({ account_number }) => account_number === posted.account_number);
  const exact = of_account.find(({ vat_code }) => vat_code === (posted.vat_code ?? ""));
  const only = posted.vat_code === null && of_account.length === 1 ? of_account[0] : undefined;
  const row = exact ?? only;
  if (row === undefined) throw new Problem("LEDGER_MAPPING_MISSING", { details: { ...posted } });
  const { ledger_account, ledger_vat_code } = row;
  return { ...posted, ledger_account, ledger_vat_code };
}
