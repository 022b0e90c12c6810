/** Says what the typed address of e-invoices is, or which address follows from the other numbers of the form. */
import * as z from "zod";
import { electronicAddressFault } from "../../domain/einvoice/electronic-address.ts";
import {
  type AddressKind,
  kindOfAddress,
  type ProposedAddress,
  proposedAddresses,
} from "../../domain/einvoice/propose-address.ts";
import { receiverAddress } from "../../domain/einvoice/receiver-address.ts";
import { type Action, defineAction } from "../frame/action.ts";
import type { TypedFields } from "../parts/fields.tsx";
import type { Language } from "../words/words.ts";
import type { AddressSaid } from "./address-said.ts";
import { receiverWords } from "./receiver-words.ts";

/** The fields that decide on the address, by name. */
const DECIDING = [
  "einvoice_address",
  "ean_number",
  "vat_number",
  "country_key",
  "is_person",
  "se_number",
  "p_number",
  "invoice_mail_out_option_key",
] as const;

const Asked = z.object({
  language: z.enum(["en", "da"]),
  typed: z.partialRecord(z.enum(DECIDING), z.string().max(255)),
});

export const addressActions: readonly Action[] = [
  defineAction("/app/customers/address", "hidden", Asked, async (_cx, { language, typed }) =>
    describeAddress(language, typed),
  ),
];

/** The numbers whose check digits are known. */
const UNCHECKED: readonly AddressKind[] = ["p_number", "dutch", "other"];

/** Returns what the form says about the address. Nothing is stored, and no network is asked. */
export function describeAddress(language: Language, typed: TypedFields): AddressSaid {
  const words = receiverWords(language);
  const own = typed.einvoice_address?.trim() ?? "";
  const country_key = typed.country_key || "DK";
  if (own === "") return describeNumbers(language, typed, country_key);
  const fault = electronicAddressFault(own);
  if (fault === null) return said(rightText(language, own), { address: own });
  const kind = words.kinds[kindOfAddress(own)];
  if (fault !== "address_form") return said(words.faults[fault](kind), { is_fault: true });
  const [first, ...others] = proposedAddresses(own, country_key);
  if (first === undefined) return said(words.faults.address_form(), { is_fault: true });
  if (first.fault !== null)
    return said(words.faults.check_digit(words.kinds[first.kind]), { is_fault: true });
  return said(`${rightText(language, first.address)} ${words.as_address}`, {
    proposals: rightOf([first, ...others]),
  });
}

/** Without an own address: the one that follows from the numbers of a Danish customer, or proposals for another country. */
function describeNumbers(language: Language, typed: TypedFields, country_key: string): AddressSaid {
  const words = receiverWords(language);
  const number = (name: string) => typed[name]?.trim() || null;
  const is_person = typed.is_person === "true";
  const address = receiverAddress({
    country_key,
    is_person,
    einvoice_address: null,
    ean_number: number("ean_number"),
    vat_number: number("vat_number"),
    se_number: number("se_number"),
    p_number: number("p_number"),
    invoice_mail_out_option_key: number("invoice_mail_out_option_key"),
  });
  if (address !== null) {
    const is_wrong = electronicAddressFault(address) !== null;
    const kind = words.kinds[kindOfAddress(address)];
    const text = is_wrong ? words.faults.check_digit(kind) : rightText(language, address);
    return said(`${words.follows(address)} ${text}`, { address: is_wrong ? null : address });
  }
  if (is_person || country_key === "DK") return said("");
  const proposals = rightOf(proposedAddresses(typed.vat_number ?? "", country_key));
  return proposals.length === 0 ? said("") : said(words.proposed, { proposals });
}

function said(text: string, more: Partial<AddressSaid> = {}): AddressSaid {
  return { text, is_fault: false, address: null, proposals: [], ...more };
}

function rightText(language: Language, address: string): string {
  const words = receiverWords(language);
  const kind = kindOfAddress(address);
  return (UNCHECKED.includes(kind) ? words.is : words.is_right)(words.kinds[kind]);
}

function rightOf(proposed: readonly ProposedAddress[]): string[] {
  return proposed.flatMap(({ address, fault }) => (fault === null ? [address] : []));
}
