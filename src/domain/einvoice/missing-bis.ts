/** The rules of Peppol BIS Billing 3 that documents of ours can break: those of EN 16931, of Peppol (release 3.0.21), and of Denmark. */
import { type ElectronicRule, rule, SELLER_CVR } from "./electronic-rule.ts";
import { EN16931_RULES } from "./missing-en16931.ts";

export const BIS_RULES: readonly ElectronicRule[] = [
  ...EN16931_RULES,
  rule(
    "DK-R-002",
    ({ seller }) => (seller.registration_number === null ? ["seller.registration_number"] : []),
    SELLER_CVR,
  ),
  rule(
    "PEPPOL-EN16931-R020",
    ({ seller }) => (seller.endpoint === null ? ["seller.einvoice_address"] : []),
    {
      en: "The seller has no electronic address, because neither it nor a CVR number is set in the configuration.",
      da: "Sælger har ingen elektronisk adresse, fordi hverken den eller et CVR-nummer er angivet under indstillinger.",
    },
  ),
  rule(
    "PEPPOL-EN16931-R010",
    ({ buyer }) => (buyer.endpoint === null ? ["customer.einvoice_address"] : []),
    {
      en: "The customer has no electronic address: set it, or a Danish EAN or CVR number.",
      da: "Kunden har ingen elektronisk adresse: Angiv den, eller et dansk EAN- eller CVR-nummer.",
    },
  ),
  rule(
    "PEPPOL-EN16931-R003",
    ({ buyer_reference, order_reference }) =>
      buyer_reference === null && order_reference === null ? ["buyer_reference"] : [],
    {
      en: "The buyer's reference is missing: set it, or the buyer's order number.",
      da: "Købers reference mangler: Angiv den, eller købers ordrenummer.",
    },
  ),
];
