/**
 * The differences between the e-invoices of Matchbook and what has arrived at the other side, by the books of the simulation or what
 * a reader took from a folder: no document arrives twice, none is lost, and the bytes are those of the stored file.
 */

/** An e-invoice that was to be sent. */
export interface SentEinvoice {
  /** Its document, such as `invoice 1001`. */
  readonly document: string;
  /** The id under which it is handed over. */
  readonly instance: string;
  /** Hexadecimal. */
  readonly sha256: string | null;
}

/** A document that has arrived. */
export interface Arrival {
  readonly instance: string;
  /** Hexadecimal; null where the other side keeps none of the bytes of the document itself. */
  readonly sha256: string | null;
}

/** Returns a sentence for each difference. */
export function differencesFrom(
  sent: readonly SentEinvoice[],
  arrived: readonly Arrival[],
): string[] {
  const faults: string[] = [];
  const documents = new Map(sent.map((one) => [one.instance, one]));
  const counts = new Map<string, number>();
  for (const { instance, sha256 } of arrived) {
    const one = documents.get(instance);
    if (one === undefined) {
      faults.push(`${instance} is there alone`);
      continue;
    }
    counts.set(one.document, (counts.get(one.document) ?? 0) + 1);
    if (sha256 !== null && sha256 !== one.sha256) {
      faults.push(`${one.document} has arrived with other bytes`);
    }
  }
  for (const [document, count] of counts) {
    if (count > 1) faults.push(`${document} has arrived ${count} times`);
  }
  for (const document of new Set(sent.map((one) => one.document))) {
    if (!counts.has(document)) faults.push(`${document} is lost`);
  }
  return faults;
}
