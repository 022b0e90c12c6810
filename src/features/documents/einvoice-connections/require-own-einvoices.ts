/** Requires that Matchbook, and not the connected ledger, sends the e-invoices of the account. */
import { Problem } from "../../../domain/base/problem.ts";
import { ledgerTitle, printsItself } from "../../../platform/commands/connected-ledger.ts";
import type { Reader } from "../../../platform/commands/context.ts";

/** Throws EINVOICE_BY_LEDGER in an account whose connected ledger prints and sends its documents. */
export function requireOwnEinvoices({ ledger }: Pick<Reader, "ledger">): void {
  if (!printsItself(ledger)) return;
  const message = `${ledgerTitle(ledger)} makes and sends the e-invoices of this account.`;
  throw new Problem("EINVOICE_BY_LEDGER", { message });
}
