/**
 * The VAT codes of a Danish seller and the reasons that a document gives for a rate of zero. The code says how a sale is taxed
 * and reported; the rate is stored separately, because DK25's rate is configuration.
 */

/** How a sale is taxed (spec 9.2). */
export type VatCode =
  | "DK25"
  | "DK0"
  | "DK_RC"
  | "EU_SERVICES_RC"
  | "EU_GOODS_RC"
  | "EXPORT_SERVICES"
  | "EXPORT_GOODS";

/** Every VAT code, in the order in which a document lists them. */
export const vatCodes: readonly VatCode[] = [
  "DK25",
  "DK0",
  "DK_RC",
  "EU_SERVICES_RC",
  "EU_GOODS_RC",
  "EXPORT_SERVICES",
  "EXPORT_GOODS",
];

/** Why no VAT is charged; the printed page and the e-invoice make their texts from it. */
export type VatReason =
  | "exempt"
  | "domestic_reverse_charge"
  | "reverse_charge"
  | "intra_community_supply"
  | "outside_scope"
  | "export";

/** The reason of each code; null where VAT is charged. */
export const vatReasonOf: Readonly<Record<VatCode, VatReason | null>> = {
  DK25: null,
  DK0: "exempt",
  DK_RC: "domestic_reverse_charge",
  EU_SERVICES_RC: "reverse_charge",
  EU_GOODS_RC: "intra_community_supply",
  EXPORT_SERVICES: "outside_scope",
  EXPORT_GOODS: "export",
};
