/**
 * Says of a draft whose customer gets e-invoices whether it is ready for one: where it goes and in which format, or what is missing,
 * each with the link to its cure. It is read with every save of the draft.
 */
import { getsEinvoices } from "../../domain/einvoice/einvoice-format.ts";
import { readinessOfDraft } from "../../features/documents/einvoice-readiness/read-readiness.ts";
import type { IssueInputs } from "../../features/sales/invoices/issue-inputs.ts";
import type { Context, Reader } from "../../platform/commands/context.ts";
import type { PageReader } from "../frame/reader.ts";
import { type CuredDocument, cureOfWarning } from "../parts/cures.ts";
import type { CuredText } from "../parts/facts.tsx";

/** Warnings about the seller's account are those of every invoice, which the draft shows besides. */
const SHOWN = new Set([
  "EINVOICE_NOT_CONNECTED",
  "RECEIVER_NOT_REGISTERED",
  "RECEIVER_NOT_LOOKED_UP",
]);

interface EinvoiceAhead {
  /** `Ready for 0088:5798009811578 (Peppol BIS 3)`; null while something is missing. */
  readonly ready: string | null;
  readonly sentences: readonly CuredText[];
}

const NOTHING: EinvoiceAhead = { ready: null, sentences: [] };

/** Returns the sentences about the draft's e-invoice; none where the document would not be sent as one. */
export async function einvoiceAhead(
  cx: Reader & Pick<Context, "receivers">,
  inputs: Pick<IssueInputs, "document" | "customer" | "makes_einvoices">,
  draft: CuredDocument,
  { language, words }: Pick<PageReader, "language" | "words">,
): Promise<EinvoiceAhead> {
  if (!inputs.makes_einvoices || !getsEinvoices(inputs.customer)) return NOTHING;
  const { billed_as } = words;
  const { format, address, is_connected, missing, warnings } = await readinessOfDraft(cx, inputs);
  const shown = [...missing, ...warnings.filter(({ code }) => SHOWN.has(code))];
  const goes = format === "factur-x" || is_connected;
  return {
    ready: missing.length === 0 && goes ? billed_as.ready(address, format) : null,
    sentences: shown.map(({ message, field }) => ({
      text: billed_as.einvoice(message[language]),
      cure:
        field === undefined ? null : cureOfWarning({ code: "EINVOICE_INCOMPLETE", field }, draft),
    })),
  };
}
