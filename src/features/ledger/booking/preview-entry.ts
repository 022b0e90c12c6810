/** Previews a booking: the entry that the ledger would make for a document, with the names of its accounts. */
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import type { Posting } from "../../../ledger/ledger.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { accountNames, booksOf } from "../../settings/configuration/accounts.ts";

/** An entry that is not booked. */
interface PreviewedEntry {
  /** The number that the entry gets unless another entry is booked first. */
  readonly number: bigint;
  readonly postings: readonly (Posting & {
    /** Null for an account that the booking would open. */
    readonly account_name: string | null;
  })[];
}

/** Returns the entry of a document; null for an external ledger, which makes its own entries. */
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
