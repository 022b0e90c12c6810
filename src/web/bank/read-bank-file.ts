/** Reads a bank file that a person has dropped: imports it, or says that its columns have to be named first. */
import { type FieldError, Problem } from "../../domain/base/problem.ts";
import type { CsvProfile } from "../../domain/receivables/csv-profile.ts";
import { namedAccount } from "../../features/receivables/bank-statements/find-accounts.ts";
import { guessedProfile } from "../../features/receivables/bank-statements/read-csv.ts";
import { importBankFile } from "../../features/receivables/bank-statements/store-import.ts";
import { TakesLong } from "../../platform/threads/takes-long.ts";
import { defineLongWork } from "../frame/long-work.ts";

interface BankFile {
  /** The bank account of a CSV file; null for the default one. A camt file names its own. */
  readonly bank_account: string | null;
  readonly bytes: Uint8Array;
}

/** Columns that a person has to name: those that were guessed or stored, and what cannot be read by them. */
export interface AskedProfile {
  readonly bank_account: string;
  readonly profile: CsvProfile | null;
  readonly faults: readonly FieldError[];
  /** Whether the columns of earlier files are known, and this file has others. */
  readonly is_changed: boolean;
}

export type FileRead =
  | { readonly brought: string; readonly is_new: boolean }
  | { readonly asks: AskedProfile };

/** The size from which another thread reads a file. */
const LARGE_BYTES = 60_000;
/** Faults that are shown of a file. */
const MOST_FAULTS = 5;

/** Imports a file. Throws VALIDATION_FAILED on `file` for one that cannot be read, and PAYMENTS_IN_LEDGER. */
export const readBankFile = defineLongWork({
  name: "pages.read_bank_file",
  is_read: false,
  async work(cx, { bank_account, bytes }: BankFile): Promise<FileRead> {
    if (cx.leaves_if_long && bytes.length > LARGE_BYTES) throw new TakesLong();
    const is_csv = !isXml(bytes);
    const ref = is_csv ? (bank_account ?? undefined) : undefined;
    const content_type = is_csv ? "text/csv" : "application/xml";
    try {
      const { created, document } = await importBankFile(cx, { content_type, bytes }, ref);
      const { statements } = JSON.parse(document) as { statements: { id: string }[] };
      return { brought: statements[0]?.id ?? "", is_new: created };
    } catch (thrown) {
      const faults = is_csv ? columnFaultsOf(thrown) : null;
      if (faults === null || !(thrown instanceof Problem)) throw thrown;
      const { id, csv_profile: known } = await namedAccount(cx, ref);
      // A file without the known columns is of another form: it is asked about as a first one is.
      const is_changed = known !== null && faults.some(({ field }) => isOfColumns(field));
      const guessed = known === null || is_changed ? guessedProfile(bytes) : null;
      const profile = guessed ?? known;
      const left = is_changed && guessed !== null ? [] : faults;
      return { asks: { bank_account: id, profile, faults: left, is_changed } };
    }
  },
});

/** Returns the faults that other columns might cure; none for a file whose columns are not known; null for another refusal. */
function columnFaultsOf(thrown: unknown): readonly FieldError[] | null {
  if (!(thrown instanceof Problem)) return null;
  const { field_errors = [] } = thrown.extras;
  const [first] = field_errors;
  if (first?.field === "csv_profile") return [];
  const is_cell = first !== undefined && /^(rows\[|csv_profile\.)/.test(first.field);
  return is_cell ? field_errors.slice(0, MOST_FAULTS) : null;
}

function isOfColumns(field: string): boolean {
  return field.startsWith("csv_profile.");
}

/** XML begins with a tag, also behind a byte order mark and blanks. */
function isXml(bytes: Uint8Array): boolean {
  return /^(?:\xef\xbb\xbf)?\s*</.test(Buffer.from(bytes.subarray(0, 200)).toString("latin1"));
}
