/** Names and document types of receivers, by the vectors and records of Peppol. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  hashedTextOf,
  type NamingRecord,
  publishedUrl,
  publisherOf,
  registeredName,
  servedBy,
  zoneOf,
} from "./participant.ts";

it.each([
  ["9915:test", "eh5boavaktmbgzyh2a63dz4qov33fvp5nsdvqklucfraayoodw6a"],
  ["9915:TEST", "eh5boavaktmbgzyh2a63dz4qov33fvp5nsdvqklucfraayoodw6a"],
  ["0088:5798009811578", "isei4qtuc5oonxc5lk67xoyz7bemxmq37n24pduoduxhcgwadqwa"],
  ["0184:32081330", "yhvkcov4zx5msvkwrxy6l25wy377nyo34xgzn7t3uzsx74vucmxa"],
])("the name of %s is %s in a zone", (address, label) => {
  const digest = createHash("sha256").update(hashedTextOf(address)).digest();
  expect(registeredName(digest, zoneOf("production"))).toBe(
    `${label}.iso6523-actorid-upis.participant.sml.prod.tech.peppol.org`,
  );
});

it("the zone is that of the setting, or the setting itself", () => {
  expect(zoneOf("test")).toBe("participant.sml.test.tech.peppol.org");
  expect(zoneOf("sml.example")).toBe("sml.example");
});

it("the URL has the encoded participant after the publisher's path", () => {
  const path = "iso6523-actorid-upis%3A%3A0198%3Adk12345674";
  expect(publishedUrl("https://smp.example", "0198:DK12345674")).toBe(
    `https://smp.example/${path}`,
  );
  expect(publishedUrl("https://smp.example/a/", "0198:DK12345674")).toBe(
    `https://smp.example/a/${path}`,
  );
});

describe("the publisher of the records", () => {
  const record = (fields: Partial<NamingRecord>): NamingRecord => ({
    flags: "U",
    service: "Meta:SMP",
    regexp: "!.*!https://smp.example!",
    order: 100,
    preference: 10,
    ...fields,
  });
  it.each<[string, NamingRecord[], string | null]>([
    ["the URL", [record({})], "https://smp.example"],
    ["an anchored one", [record({ regexp: "!^.*$!https://b.example/x!" })], "https://b.example/x"],
    ["no record", [], null],
    ["another service", [record({ service: "E2U+sip" })], null],
    ["another flag", [record({ flags: "S" })], null],
    ["a pattern that is not for all", [record({ regexp: "!^a!https://b.example!" })], null],
    [
      "the first by order and preference",
      [
        record({ order: 200, regexp: "!.*!https://c.example!" }),
        record({ preference: 20, regexp: "!.*!https://b.example!" }),
        record({}),
      ],
      "https://smp.example",
    ],
  ])("is %s", (_, records, expected) => {
    expect(publisherOf(records)).toBe(expected);
  });
});

describe("what a receiver takes", () => {
  const service = (type: string) =>
    `http://smp.example/iso6523-actorid-upis%3A%3A0088%3A5798009811578/services/${encodeURIComponent(type)}`;
  const ubl = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd";
  const billing = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1";
  it.each<[string, string[], object]>([
    [
      "an invoice of BIS 3",
      [service(`${ubl}:Invoice-2::Invoice##${billing}`)],
      { formats: ["peppol-bis-3"], answers: false },
    ],
    [
      "a credit note alone",
      [service(`${ubl}:CreditNote-2::CreditNote##${billing}`)],
      { formats: [], answers: false },
    ],
    [
      "answers",
      [
        service(
          `${ubl}:ApplicationResponse-2::ApplicationResponse##urn:fdc:peppol.eu:poacc:trns:invoice_response:3::2.1`,
        ),
      ],
      { formats: [], answers: true },
    ],
    [
      "an order, and references that cannot be read",
      [service(`${ubl}:Order-2::Order##x::2.1`), "no url", "https://smp.example/services/%E0%A4%A"],
      { formats: [], answers: false },
    ],
  ])("follows from its document types: %s", (_, references, expected) => {
    expect(servedBy(references)).toEqual(expected);
  });
});
