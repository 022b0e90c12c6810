/** How a document would be booked: the entry that the ledger would make of it, with what its accounts are called. */
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import type { Posting } from "../../../ledger/ledger.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { accountNames, booksOf } from "../../settings/configuration/accounts.ts";

/** An entry that is not made. */
interface PreviewedEntry {
  /** Unless something is booked before it. */
  readonly number: bigint;
  readonly postings: readonly (Posting & {
    /** Null for an account that is opened with the booking. */
    readonly account_name: string | null;
  })[];
}

/** The entry of a document; null where the ledger is elsewhere, which makes its entries itself. */
export async function previewEntry(
  cx: Reader,
  document: DocumentSnapshot,
): Promise<PreviewedEntry | null> {
  const books = booksOf(cx);
  if (books === undefined) return null;
  const [{ number, postings }, names] = await Promise.all([
    books.ahead(document),
    accountNames(cx),
  ]);
  return {
    number,
    postings: postings.map((posting) => ({
      ...posting,
      account_name: names.get(posting.account_number) ?? null,
    })),
  };
}
