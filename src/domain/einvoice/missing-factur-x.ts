/** The rules of Factur-X that documents of ours can break: those of EN 16931. Other formats ask for the CVR number by rules of their own. */
import { type ElectronicRule, rule, SELLER_CVR } from "./electronic-rule.ts";
import { EN16931_RULES } from "./missing-en16931.ts";

export const FACTUR_X_RULES: readonly ElectronicRule[] = [
  ...EN16931_RULES,
  rule(
    "BR-CO-26",
    ({ seller }) =>
      seller.registration_number === null && seller.vat_number === null
        ? ["seller.registration_number"]
        : [],
    SELLER_CVR,
  ),
];
