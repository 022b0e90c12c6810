/**
 * Checks every stored e-invoice: its hash, and each of its amounts, read back from the bytes, against the frozen document. The
 * code that reads shares nothing with the code that writes e-invoices.
 */
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { sha256, thaw } from "../../../platform/runtime/json.ts";
import { Slices } from "../../../platform/runtime/slices.ts";
import { readBack } from "../../documents/einvoice-files/read-back.ts";
import { MOST_FAULTS } from "./check-documents.ts";
import type { Check, Fault } from "./schemas.ts";

interface StoredFile {
  readonly id: string;
  readonly document_id: string;
  readonly content: Buffer;
  readonly sha256: Buffer;
  readonly snapshot: string;
}

/** Files may have attachments of some megabytes, so few are in memory at once. */
const PAGE = 20;

/** Checks the e-invoices; `cx` reads one snapshot. */
export async function checkEinvoices(cx: Reader): Promise<Check> {
  const faults: Fault[] = [];
  const slices = new Slices(cx.signal);
  let checked = 0;
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const files = await filesAfter(cx, after);
    for (const file of files) {
      if (slices.isOver) await slices.next();
      for (const what of await faultsOf(file, cx.signal)) {
        if (faults.length < MOST_FAULTS) faults.push({ at: file.document_id, what });
      }
    }
    checked += files.length;
    const last = files.at(-1);
    if (last === undefined) break;
    after = last.id;
  }
  return { name: "einvoices", ok: faults.length === 0, checked, faults };
}

function filesAfter(cx: Reader, after: string): Promise<StoredFile[]> {
  return cx.rows<StoredFile>(sql`select f.id, f.document_id, f.content, f.sha256, d.snapshot
    from einvoice_files f join issued_documents d on d.account_id = f.account_id and d.document_id = f.document_id
    where f.account_id = ${cx.caller.account_id} and f.id > ${after} order by f.id limit ${raw(PAGE)}`);
}

async function faultsOf(file: StoredFile, signal: AbortSignal): Promise<string[]> {
  const { content, snapshot } = file;
  if (!sha256(content).equals(file.sha256)) return ["the e-invoice does not match its hash"];
  const back = await readBack(content, thaw<DocumentSnapshot>(snapshot), signal);
  if (back === null) return ["the e-invoice cannot be read"];
  return back.faults.map((fault) => `the e-invoice has other amounts: ${fault}`);
}
