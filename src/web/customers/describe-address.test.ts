/** What the form says about the address of e-invoices, and what it proposes. */
import { describe, expect, it } from "vitest";
import type { TypedFields } from "../parts/fields.tsx";
import { describeAddress } from "./describe-address.ts";

const described = (typed: TypedFields) => describeAddress("en", { country_key: "DK", ...typed });

describe("an entered address", () => {
  it.each<[string, string]>([
    ["0088:5798009811578", "This is an EAN number (GLN). The check digit is right."],
    ["0192:123456785", "This is a Norwegian organisation number. The check digit is right."],
    ["9930:DE136695976", "This is a VAT number. The check digit is right."],
    ["0096:1012345678", "This is a Danish P number."],
    ["0060:123456789", "This is a number whose form is not checked here."],
  ])("is described: %s", (einvoice_address, text) => {
    expect(described({ einvoice_address })).toEqual({
      text,
      is_fault: false,
      address: einvoice_address,
      proposals: [],
    });
  });

  it.each<[string, string]>([
    ["0088:5798009811579", "This looks like an EAN number (GLN), but the check digit is wrong."],
    ["0184:DK25313763", "The value does not have the form of a Danish CVR number."],
    ["9916:1", "Peppol has no addresses of this scheme."],
    ["5798009811579", "This looks like an EAN number (GLN), but the check digit is wrong."],
    ["Acme", "An address is a scheme of four digits"],
  ])("has a fault: %s", (einvoice_address, text) => {
    const said = described({ einvoice_address });
    expect(said).toMatchObject({ is_fault: true, address: null, proposals: [] });
    expect(said.text).toContain(text);
  });

  it("that is a number alone is described, and its address is proposed", () => {
    expect(described({ einvoice_address: "5798 009 811 578" })).toEqual({
      text: "This is an EAN number (GLN). The check digit is right. Its address as a receiver of e-invoices:",
      is_fault: false,
      address: null,
      proposals: ["0088:5798009811578"],
    });
    expect(described({ einvoice_address: "123456785", country_key: "NO" }).proposals).toEqual([
      "0192:123456785",
    ]);
  });
});

describe("without an entered address", () => {
  it("says which one follows from the numbers of a Danish customer", () => {
    expect(described({ vat_number: "25313763" })).toMatchObject({
      text: "The address of e-invoices follows: 0184:25313763. This is a Danish CVR number. The check digit is right.",
      address: "0184:25313763",
    });
    expect(described({ vat_number: "25313763", ean_number: "5798009811578" }).address).toBe(
      "0088:5798009811578",
    );
    expect(described({ p_number: "1012345678", invoice_mail_out_option_key: "P" }).address).toBe(
      "0096:1012345678",
    );
  });

  it("says that the check digit of that number is wrong", () => {
    const said = described({ vat_number: "32081330" });
    expect(said.text).toContain(
      "This looks like a Danish CVR number, but the check digit is wrong.",
    );
    expect(said.address).toBeNull();
  });

  it.each<[string, string, readonly string[]]>([
    ["NO", "123456785MVA", ["0192:123456785"]],
    ["SE", "SE556703748501", ["0007:5567037485"]],
    ["BE", "BE0403019261", ["0208:0403019261", "9925:BE0403019261"]],
    ["DE", "136695976", ["9930:DE136695976"]],
    ["DE", "136695977", []],
    ["US", "12-3456789", []],
    ["SE", "", []],
  ])("proposes addresses in %s for %j, and takes none", (country_key, vat_number, proposals) => {
    const said = described({ country_key, vat_number });
    expect(said).toMatchObject({ is_fault: false, address: null, proposals });
    expect(said.text === "").toBe(proposals.length === 0);
  });

  it("proposes none for a private person", () => {
    const person = { is_person: "true", country_key: "NO", vat_number: "123456785" };
    expect(described(person)).toMatchObject({ text: "", proposals: [] });
  });
});
