/** The settings that folders share, on this machine or on another one, and what a folder can do with them. */
import type { ConnectionSettings, ConnectorField } from "../../ledger/connector.ts";
import type { EinvoiceCapabilities } from "../access-point.ts";

const PLAIN: EinvoiceCapabilities = {
  envelope: "none",
  formats: ["peppol-bis-3", "oioubl-2.1"],
  finds: false,
  reports: false,
};

/** The directory sender of phoss-ap takes the envelopes and answers in files beside them. */
const IN_ENVELOPES: EinvoiceCapabilities = {
  envelope: "sbd",
  formats: ["peppol-bis-3"],
  finds: false,
  reports: true,
};

export const envelopeField: ConnectorField = {
  name: "envelope",
  is_secret: false,
  is_required: false,
  description:
    "What the files hold: `none` for the e-invoice alone, `sbd` for a Standard Business Document, which phoss-ap sends.",
};

/** Returns what a folder can do. Throws an Error for an unknown envelope. */
export function folderCapabilities({
  envelope = "none",
}: ConnectionSettings): EinvoiceCapabilities {
  if (envelope !== "none" && envelope !== "sbd") {
    throw new Error("`envelope` must be `none` or `sbd`.");
  }
  return envelope === "sbd" ? IN_ENVELOPES : PLAIN;
}
