/** Seller and buyer as OIOUBL has them: Danish numbers begin with `DK`, and an address needs its format. */
import type {
  ElectronicAddress,
  ElectronicBuyer,
  ElectronicInvoice,
  ElectronicSeller,
} from "./electronic-invoice.ts";
import { VALUE_ADDED_TAX } from "./oioubl-tax.ts";
import { aggregate, element } from "./xml-element.ts";

/** The names of the schemes of electronic addresses. Receivers of OIOUBL are Danish. */
export const oioublSchemes: Readonly<Record<string, string>> = {
  "0088": "GLN",
  "0096": "DK:P",
  "0184": "DK:CVR",
  "0198": "DK:SE",
};

/** Returns the party that sells. */
export function oioublSeller(seller: ElectronicSeller): string {
  const { contact } = seller;
  return partyOf(
    seller,
    [],
    aggregate(
      "cac:PartyTaxScheme",
      ...numberOf(seller.vat_number, "DK:SE").concat(
        seller.vat_number === null ? [] : [VALUE_ADDED_TAX],
      ),
    ),
    legalEntityOf(seller.name, seller.registration_number),
    aggregate(
      "cac:Contact",
      element("cbc:Name", contact.name),
      element("cbc:Telephone", contact.phone),
      element("cbc:ElectronicMail", contact.email),
    ),
  );
}

/**
 * Returns the party that buys.
 *
 * @param reference what the buyer finds the document by; OIOUBL wants it as the id of the contact.
 */
export function oioublBuyer(
  buyer: ElectronicBuyer,
  reference: ElectronicInvoice["buyer_reference"],
): string {
  const { contact, registration } = buyer;
  const cvr = registration?.scheme === "0184" ? registration.value : null;
  return partyOf(
    buyer,
    buyer.identifiers,
    "",
    cvr === null ? "" : legalEntityOf(buyer.name, cvr),
    aggregate(
      "cac:Contact",
      element("cbc:ID", reference),
      element("cbc:Name", contact.name),
      element("cbc:Telephone", contact.phone),
      element("cbc:ElectronicMail", contact.email),
    ),
  );
}

function partyOf(
  party: ElectronicSeller | ElectronicBuyer,
  identifiers: readonly ElectronicAddress[],
  ...rest: readonly string[]
): string {
  return aggregate(
    "cac:Party",
    ...addressOf("cbc:EndpointID", party.endpoint),
    ...identifiers.map((identifier) =>
      aggregate("cac:PartyIdentification", ...addressOf("cbc:ID", identifier)),
    ),
    aggregate("cac:PartyName", element("cbc:Name", party.name)),
    aggregate(
      "cac:PostalAddress",
      element("cbc:AddressFormatCode", "StructuredLax", {
        listAgencyID: "320",
        listID: "urn:oioubl:codelist:addressformatcode-1.1",
      }),
      element("cbc:StreetName", party.street),
      element("cbc:CityName", party.city),
      element("cbc:PostalZone", party.zip_code),
      aggregate("cac:Country", element("cbc:IdentificationCode", party.country_key)),
    ),
    ...rest,
  );
}

function legalEntityOf(name: string | null, number: string | null): string {
  return aggregate(
    "cac:PartyLegalEntity",
    element("cbc:RegistrationName", name),
    ...numberOf(number, "DK:CVR"),
  );
}

function numberOf(number: string | null, schemeID: string): string[] {
  return number === null ? [] : [element("cbc:CompanyID", prefixed(number), { schemeID })];
}

function addressOf(name: string, address: ElectronicAddress | null): string[] {
  const schemeID = oioublSchemes[address?.scheme ?? ""];
  if (address === null || schemeID === undefined) return [];
  const is_company = schemeID === "DK:CVR" || schemeID === "DK:SE";
  const value = is_company ? prefixed(address.value) : address.value;
  return [
    element(name, value, schemeID === "GLN" ? { schemeAgencyID: "9", schemeID } : { schemeID }),
  ];
}

function prefixed(number: string): string {
  return number.startsWith("DK") ? number : `DK${number}`;
}
