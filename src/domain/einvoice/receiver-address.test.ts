/** The address of a customer for e-invoices: which of its fields decides. */
import { describe, expect, it } from "vitest";
import { type ReceiverFields, receiverAddress } from "./receiver-address.ts";

const EAN = "5798009811578";
const ALL = {
  ean_number: EAN,
  vat_number: "25313763",
  se_number: "12345674",
  p_number: "1012345678",
} as const;

function addressOf(fields: Partial<ReceiverFields>): string | null {
  return receiverAddress({
    country_key: "DK",
    is_person: false,
    einvoice_address: null,
    ean_number: null,
    vat_number: null,
    se_number: null,
    p_number: null,
    invoice_mail_out_option_key: null,
    ...fields,
  });
}

describe("the address of a customer", () => {
  it.each<[string, Partial<ReceiverFields>, string | null]>([
    ["nothing", {}, null],
    ["an entered address", { ...ALL, einvoice_address: "0192:123456785" }, "0192:123456785"],
    ["an EAN number, without its spaces", { ean_number: "5798 009 811 578" }, `0088:${EAN}`],
    ["an EAN number before a CVR number", ALL, `0088:${EAN}`],
    ["a CVR number", { vat_number: "25313763" }, "0184:25313763"],
    ["a CVR number with letters and spaces", { vat_number: "DK 25 31 37 63" }, "0184:25313763"],
    ["a CVR number with a wrong check digit", { vat_number: "12345678" }, "0184:12345678"],
    ["a text that is no CVR number", { vat_number: "n/a" }, null],
    ["an EAN number with a wrong check digit", { ean_number: "5798009811579" }, null],
    ["SE and P numbers alone", { se_number: "12345674", p_number: "1012345678" }, null],
    ["an empty text", { ean_number: "", vat_number: "" }, null],
  ])("is that of %s", (_what, fields, expected) => {
    expect(addressOf(fields)).toBe(expected);
  });

  it.each<[string, string | null]>([
    ["GLN", `0088:${EAN}`],
    ["VAT", "0184:25313763"],
    ["SE", "0198:DK12345674"],
    ["P", "0096:1012345678"],
    ["vat", "0184:25313763"],
    ["mail", `0088:${EAN}`],
    ["", `0088:${EAN}`],
  ])("is that of the number which the option %s names", (option, expected) => {
    expect(addressOf({ ...ALL, invoice_mail_out_option_key: option })).toBe(expected);
  });

  it.each([
    ["GLN", "ean_number"],
    ["VAT", "vat_number"],
    ["SE", "se_number"],
    ["P", "p_number"],
  ])("is absent if the option %s names a number that is not there", (option, field) => {
    expect(addressOf({ ...ALL, [field]: null, invoice_mail_out_option_key: option })).toBeNull();
  });

  it("is not guessed for another country", () => {
    const vat_number = "SE556677889901";
    expect(addressOf({ country_key: "SE", vat_number })).toBeNull();
    expect(addressOf({ country_key: "SE", vat_number: "DK25313763" })).toBeNull();
    expect(addressOf({ country_key: "SE", vat_number, ean_number: EAN })).toBe(`0088:${EAN}`);
  });

  it("of a private person is an entered one, or that of an EAN number", () => {
    const person = { ...ALL, is_person: true, invoice_mail_out_option_key: "VAT" };
    expect(addressOf(person)).toBe(`0088:${EAN}`);
    expect(addressOf({ ...person, ean_number: null })).toBeNull();
    expect(addressOf({ ...person, einvoice_address: "0184:25313763" })).toBe("0184:25313763");
  });
});
