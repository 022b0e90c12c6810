/** The official examples of answers to invoices are read: each has its code, its document, and what it asks for. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readArrived } from "../../src/features/documents/einvoice-answers/read-answer.ts";
import { isSkippedWithout } from "../support/run/needs.ts";

const named = process.env.EINVOICE_VALIDATOR_DIR ?? "";
const folder = join(named, "samples", "responses");
const STAYS = new AbortController().signal;

describe.skipIf(named === "" || isSkippedWithout(existsSync(folder)))(
  "the official answers (needs EINVOICE_VALIDATOR_DIR)",
  () => {
    const read = (name: string) => readArrived(readFileSync(join(folder, name)), STAYS);

    it.each([
      ["InvoiceResponse_Example.xml", "RE", [], ["NOA"]],
      ["T111-uc001.xml", "IP", [], []],
      ["T111-uc002a.xml", "IP", [], ["NOA"]],
      ["T111-uc002b.xml", "IP", ["OTH"], []],
      ["T111-uc003.xml", "AP", [], []],
      ["T111-uc004a.xml", "RE", ["REF"], []],
      ["T111-uc004b.xml", "RE", ["REF"], ["NIN"]],
      ["T111-uc004c.xml", "RE", ["REF"], ["CNF", "NIN"]],
      ["T111-uc005.xml", "CA", ["PAY"], []],
      ["T111-uc006a.xml", "UQ", ["REF"], ["PIN"]],
      ["T111-uc006b.xml", "UQ", ["REF"], ["PIN"]],
      ["T111-uc006c.xml", "UQ", ["DEL"], ["CNP"]],
      ["T111-uc007.xml", "PD", [], []],
      ["T111-uc008.xml", "AP", [], []],
    ])("are read: %s is %s", async (name, code, reasons, wants) => {
      const arrived = await read(name);
      expect(arrived).toMatchObject({
        kind: "response",
        document: { number: "inv021", kind: "invoice" },
        response: { code, wants },
      });
      if (arrived.kind !== "response") return;
      expect(arrived.response.reasons.map((reason) => reason.code)).toEqual(reasons);
      expect(arrived.sender).toMatch(/^0(088|196):\d+$/);
    });

    it("have the words and conditions of the buyer", async () => {
      expect(await read("T111-uc005.xml")).toMatchObject({
        response: { conditions: [{ term: "BT-9", value: "2018-01-15" }] },
      });
      expect(await read("InvoiceResponse_Example.xml")).toMatchObject({
        sender: "0088:5798000012349",
        receiver: "0088:7330001000000",
        response: {
          conditions: [{ term: "BT-48", value: "EU123456789" }],
          note: "text; VAT Reference not found",
        },
      });
    });

    it("include a status of the message", async () => {
      expect(await read("MessageLevelResponse_Example.xml")).toMatchObject({
        kind: "status",
        instance_id: "EnvelopeID-12456789",
        code: "RE",
        text: expect.stringMatching(/^Rejected due to validation errore; Validation gives error/),
      });
    });

    it("are all here", () => {
      expect(readdirSync(folder)).toHaveLength(15);
    });
  },
);
