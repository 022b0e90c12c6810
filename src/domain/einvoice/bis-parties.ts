/** Writes seller and buyer of an e-invoice as parties of Peppol BIS Billing 3. */
import type { ElectronicAddress, ElectronicBuyer, ElectronicSeller } from "./electronic-invoice.ts";
import { aggregate, element } from "./xml-element.ts";

/** Returns the content of `AccountingSupplierParty`. */
export function bisSeller(seller: ElectronicSeller): string {
  return partyOf(seller, [], seller.registration_number, "0184");
}

/** Returns the content of `AccountingCustomerParty`. */
export function bisBuyer(buyer: ElectronicBuyer): string {
  const { value, scheme } = buyer.registration ?? { value: null, scheme: null };
  // A buyer has one identifier at most (UBL-SR-16).
  return partyOf(buyer, buyer.identifiers.slice(0, 1), value, scheme);
}

type Party = Omit<ElectronicSeller, "registration_number">;

function partyOf(
  party: Party,
  identifiers: readonly ElectronicAddress[],
  registration: string | null,
  registration_scheme: string | null,
): string {
  const { endpoint, contact } = party;
  return aggregate(
    "cac:Party",
    endpoint === null
      ? ""
      : element("cbc:EndpointID", endpoint.value, { schemeID: endpoint.scheme }),
    ...identifiers.map(({ scheme, value }) =>
      aggregate("cac:PartyIdentification", element("cbc:ID", value, { schemeID: scheme })),
    ),
    aggregate("cac:PartyName", element("cbc:Name", party.name)),
    aggregate(
      "cac:PostalAddress",
      element("cbc:StreetName", party.street),
      element("cbc:CityName", party.city),
      element("cbc:PostalZone", party.zip_code),
      aggregate("cac:Country", element("cbc:IdentificationCode", party.country_key)),
    ),
    party.vat_number === null
      ? ""
      : aggregate(
          "cac:PartyTaxScheme",
          element("cbc:CompanyID", party.vat_number),
          aggregate("cac:TaxScheme", element("cbc:ID", "VAT")),
        ),
    aggregate(
      "cac:PartyLegalEntity",
      element("cbc:RegistrationName", party.name),
      element(
        "cbc:CompanyID",
        registration,
        registration_scheme === null ? {} : { schemeID: registration_scheme },
      ),
    ),
    aggregate(
      "cac:Contact",
      element("cbc:Name", contact.name),
      element("cbc:Telephone", contact.phone),
      element("cbc:ElectronicMail", contact.email),
    ),
  );
}
