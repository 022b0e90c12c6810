/** The envelope of a submission as the bytes that a directory sender takes. */
import { writeEnvelope } from "../../domain/einvoice/write-envelope.ts";
import type { Submission } from "../access-point.ts";

/** Returns the Standard Business Document around the e-invoice of a submission, in UTF-8. Only for `peppol-bis-3`. */
export function envelopeOf({ delivery_id, xml, ...facts }: Submission): Uint8Array {
  const text = new TextDecoder().decode(xml);
  return new TextEncoder().encode(writeEnvelope({ instance_id: delivery_id, ...facts }, text));
}
