/**
 * Reads the file of an e-invoice back from its bytes, as a recipient does, and compares its amounts with the frozen document. The
 * reader shares nothing with the writers.
 */
import { inflateSync } from "node:zlib";
import {
  type EinvoiceElement,
  type ReadEinvoice,
  readBusinessTerms,
} from "../../../domain/einvoice/business-terms.ts";
import { amountFaults } from "../../../domain/einvoice/compare-amounts.ts";
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import { readStrictXml } from "../../../platform/runtime/strict-xml.ts";

/** The terms of a file, and what differs from the books; null for a file that cannot be read. */
interface ReadBack {
  readonly read: ReadEinvoice;
  readonly faults: readonly string[];
}

/** An attachment is one text; ten megabytes of pages in base64. */
const LONGEST_TEXT = 14_000_000;

class Unreadable extends Error {}

/** Returns what the bytes of an e-invoice say of a frozen document. Throws the reason of the signal. */
export async function readBack(
  content: Uint8Array,
  snapshot: DocumentSnapshot,
  signal: AbortSignal,
): Promise<ReadBack | null> {
  const xml = isPdf(content) ? attachedXml(content) : content;
  const root = xml === null ? null : await rootOf(xml, signal);
  if (root === null) return null;
  const read = readBusinessTerms(root);
  return { read, faults: amountFaults(read, snapshot) };
}

function isPdf(content: Uint8Array): boolean {
  return Buffer.from(content.subarray(0, 5)).toString("latin1") === "%PDF-";
}

/** Returns the data that is attached to the pages of Factur-X; null where there is none. */
function attachedXml(pdf: Uint8Array): Buffer | null {
  const file = Buffer.from(pdf).toString("latin1");
  const found = /\/Type \/EmbeddedFile\n.{0,500}?\/Length (\d+)\n.{0,100}?stream\n/s.exec(file);
  if (found === null) return null;
  const start = found.index + found[0].length;
  try {
    return inflateSync(pdf.subarray(start, start + Number(found[1])));
  } catch {
    return null;
  }
}

async function rootOf(content: Uint8Array, signal: AbortSignal): Promise<EinvoiceElement | null> {
  const rules = {
    takes_latin1: false,
    longest_text: LONGEST_TEXT,
    refusal: (message: string) => new Unreadable(message),
    open: () => {},
  };
  try {
    return (await readStrictXml(content, rules, signal)) ?? null;
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}
