/** What a typed number may be, and the addresses that are proposed for it. */
import { describe, expect, it } from "vitest";
import { kindOfAddress, proposedAddresses } from "./propose-address.ts";

describe("a typed number", () => {
  it.each<[string, string, readonly string[]]>([
    ["5798009811578", "DK", ["0088:5798009811578 gln"]],
    ["5798 009 811 578", "SE", ["0088:5798009811578 gln"]],
    ["5798009811579", "DK", ["0088:5798009811579 gln check_digit"]],
    ["25313763", "DK", ["0184:25313763 cvr"]],
    ["DK 25 31 37 63", "SE", ["0184:25313763 cvr"]],
    ["32081330", "DK", ["0184:32081330 cvr check_digit"]],
    ["123 456 785", "NO", ["0192:123456785 norwegian"]],
    ["NO123456785MVA", "DK", ["0192:123456785 norwegian"]],
    ["123456784", "NO", ["0192:123456784 norwegian check_digit"]],
    ["556703-7485", "SE", ["0007:5567037485 swedish"]],
    ["SE556703748501", "SE", ["0007:5567037485 swedish"]],
    ["BE 0403.019.261", "DK", ["0208:0403019261 belgian", "9925:BE0403019261 vat_number"]],
    ["403019261", "BE", ["0208:0403019261 belgian", "9925:BE0403019261 vat_number"]],
    ["136695976", "DE", ["9930:DE136695976 vat_number"]],
    ["DE136695976", "DK", ["9930:DE136695976 vat_number"]],
    ["EL094259216", "GR", ["9933:EL094259216 vat_number"]],
    ["NL004495445B01", "NL", ["9944:NL004495445B01 vat_number"]],
    // Neither the form of the country, nor a country that is known here.
    ["1234", "DK", []],
    ["25313763", "DE", []],
    ["980780684", "GB", []],
    ["12-3456789", "US", []],
    ["", "DK", []],
  ])("%s in %s proposes %j", (text, country_key, expected) => {
    const found = proposedAddresses(text, country_key).map(({ address, kind, fault }) =>
      [address, kind, fault ?? ""].join(" ").trim(),
    );
    expect(found).toEqual(expected);
  });
});

it.each([
  ["0198:DK25313763", "se_number"],
  ["0096:1012345678", "p_number"],
  ["0060:123456789", "other"],
  ["9959:123456789", "other"],
  ["9930:DE136695976", "vat_number"],
])("an address %s is of the kind %s", (address, kind) => {
  expect(kindOfAddress(address)).toBe(kind);
});
