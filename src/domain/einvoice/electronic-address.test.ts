/** Electronic addresses: the schemes, forms and check digits of the EAS list. */
import { describe, expect, it } from "vitest";
import { electronicAddressFault, electronicAddressFaults } from "./electronic-address.ts";

describe("an electronic address", () => {
  it.each([
    "0088:5798009811578",
    "0184:25313763",
    "0096:1012345678",
    "0198:DK25313763",
    "0192:123456785",
    "0007:5567037485",
    "0208:0403019261",
    "0106:12345678",
    "0151:51824753556",
    "9930:DE136695976",
    "9944:NL004495445B01",
    "9933:EL094259216",
    "9933:094259216",
    "9957:FR40303265045",
    // Schemes whose values have no known form.
    "9959:12-3456789",
    "0060:123456789",
    "9932:XI980780684",
  ])("is correct: %s", (text) => {
    expect(electronicAddressFault(text)).toBeNull();
  });

  it.each([
    ["5798009811578", "address_form"],
    ["", "address_form"],
    ["0088:", "address_form"],
    ["88:5798009811578", "address_form"],
    ["0088: 5798009811578", "address_form"],
    ["0088:5798009811578 ", "address_form"],
    ["0060:12345678\u00a09", "address_form"],
    ["0060:12345678é", "address_form"],
    [`0060:${"1".repeat(126)}`, "address_form"],
    // An e-mail address is an address by EN 16931, and Peppol refuses it.
    ["EM:ap@acme.example", "address_form"],
    ["9916:DE136695976", "scheme"],
    ["9921:1", "scheme"],
    ["0001:1", "scheme"],
    ["0088:579800981157", "value"],
    ["0088:57980098115780", "value"],
    ["0184:DK25313763", "value"],
    ["0184:2531376", "value"],
    ["0198:25313763", "value"],
    ["0198:dk25313763", "value"],
    ["0096:101234567", "value"],
    ["0192:NO123456785", "value"],
    ["0208:BE0403019261", "value"],
    ["0106:1234567", "value"],
    ["9930:136695976", "value"],
    ["9930:de136695976", "value"],
    ["9930:FR40303265045", "value"],
    ["9944:NL004495445", "value"],
    ["0088:5798009811579", "check_digit"],
    ["0184:32081330", "check_digit"],
    ["0198:DK25313764", "check_digit"],
    ["0192:123456784", "check_digit"],
    ["0192:000000000", "check_digit"],
    ["0007:5567037486", "check_digit"],
    ["0208:0403019262", "check_digit"],
    ["0151:51824753557", "check_digit"],
    ["9930:DE136695977", "check_digit"],
    ["9933:094259217", "check_digit"],
  ])("has a fault: %s, %s", (text, fault) => {
    expect(electronicAddressFault(text)).toBe(fault);
  });

  it("may have 130 characters", () => {
    expect(electronicAddressFault(`0060:${"1".repeat(125)}`)).toBeNull();
  });
});

it.each([
  [null, []],
  ["0088:5798009811578", []],
  ["9916:1", ["Peppol has no addresses of scheme 9916."]],
  ["0192:1", ["Scheme 0192 takes a Norwegian organisation number of 9 digits."]],
  ["9933:EL1", ["Scheme 9933 takes a VAT number that begins with EL."]],
  ["0184:32081330", ["The check digit is wrong."]],
])("says what is wrong with %s", (text, messages) => {
  const faults = electronicAddressFaults(text, "einvoice_address");
  expect(faults).toEqual(
    messages.map((message) => ({ field: "einvoice_address", code: "invalid_format", message })),
  );
});
