/**
 * A receiver in the terms of Peppol: its identifier, the DNS name and the path under which it is registered, and what its
 * document types mean. The comparison ignores case, so that everything here is in lower case.
 */
import {
  DOCUMENT_TYPE_SCHEME,
  documentTypeOf,
  PARTICIPANT_SCHEME,
  UBL,
} from "./peppol-identifiers.ts";

/** The zones of the register of Peppol, by the setting that names them. */
const ZONES: Readonly<Record<string, string>> = {
  production: "participant.sml.prod.tech.peppol.org",
  test: "participant.sml.test.tech.peppol.org",
};

const INVOICE = `${DOCUMENT_TYPE_SCHEME}::${documentTypeOf("invoice")}`;
const RESPONSE = `${DOCUMENT_TYPE_SCHEME}::${UBL}:ApplicationResponse-2::ApplicationResponse##urn:fdc:peppol.eu:poacc:trns:invoice_response:3::2.1`;

/** Returns the zone of a setting: that of `production` or `test`, or the zone itself. */
export function zoneOf(setting: string): string {
  return ZONES[setting] ?? setting;
}

/** Returns the text whose SHA-256 digest makes the DNS name of an address such as `0088:5798009811578`. */
export function hashedTextOf(address: string): string {
  return address.toLowerCase();
}

/** Returns the DNS name with the NAPTR record of an address. `digest` is the SHA-256 of `hashedTextOf`. */
export function registeredName(digest: Uint8Array, zone: string): string {
  return `${base32(digest)}.${PARTICIPANT_SCHEME}.${zone}`;
}

/** Returns the URL of what a publisher tells about an address. */
export function publishedUrl(publisher: string, address: string): string {
  const participant = encodeURIComponent(`${PARTICIPANT_SCHEME}::${address.toLowerCase()}`);
  return `${publisher.replace(/\/+$/, "")}/${participant}`;
}

/** A NAPTR record. */
export interface NamingRecord {
  readonly flags: string;
  readonly service: string;
  readonly regexp: string;
  readonly order: number;
  readonly preference: number;
}

/** Returns the URL of the publisher that the records name; null where none of them is about one. */
export function publisherOf(records: readonly NamingRecord[]): string | null {
  const urls = records
    .filter(({ flags, service }) => /^u$/i.test(flags) && /^meta:smp$/i.test(service))
    .toSorted((a, b) => a.order - b.order || a.preference - b.preference)
    .map(({ regexp }) => /^(.)\^?\.\*\$?\1([^!]+)\1i?$/.exec(regexp)?.[2]);
  return urls.find((url) => url !== undefined) ?? null;
}

/** What a receiver takes: invoices by BIS Billing 3, and answers to invoices that it sends itself. */
interface Served {
  readonly formats: readonly "peppol-bis-3"[];
  readonly answers: boolean;
}

/** Returns what the references of a publisher mean; each ends in `/services/` and the encoded document type. */
export function servedBy(references: readonly string[]): Served {
  const types = new Set(references.map(typeOfReference));
  return {
    formats: types.has(INVOICE.toLowerCase()) ? ["peppol-bis-3"] : [],
    answers: types.has(RESPONSE.toLowerCase()),
  };
}

function typeOfReference(reference: string): string {
  const [, encoded = ""] = /\/services\/([^/?#]+)$/.exec(reference) ?? [];
  try {
    return decodeURIComponent(encoded).toLowerCase();
  } catch {
    return "";
  }
}

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

/** RFC 4648 without padding, in lower case. */
function base32(bytes: Uint8Array): string {
  let text = "";
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET.charAt((value >> bits) & 31);
    }
    value &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + ALPHABET.charAt((value << (5 - bits)) & 31);
}
