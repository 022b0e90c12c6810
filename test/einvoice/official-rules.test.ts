/**
 * The rules of this service against the official ones: a random document breaks one of them exactly when the official rules refuse it, and each
 * broken rule is among the refusals.
 */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { missingOf } from "../../src/domain/einvoice/missing.ts";
import { writeBis } from "../../src/domain/einvoice/write-bis.ts";
import { anyDocument } from "../support/einvoice/any-document.ts";
import { contentOf } from "../support/einvoice/content.ts";
import { lacksOfficialRules, refusalsOf } from "../support/einvoice/official-rules.ts";

const RUNS = Number(process.env.TEST_EINVOICES ?? 200);
const RECEIVERS = [
  { scheme: "0088", value: "5798009811578" },
  { scheme: "9930", value: "DE136695976" },
];

describe.skipIf(lacksOfficialRules)(
  "BIS 3 (needs the official rules: EINVOICE_VALIDATOR_DIR)",
  () => {
    it("breaks a rule of the service exactly when the official rules refuse it", async () => {
      const receivers = fc.constantFrom(...RECEIVERS, ...RECEIVERS, ...RECEIVERS, null);
      await fc.assert(
        fc.asyncProperty(anyDocument, receivers, async (document, receiver) => {
          const invoice = contentOf(document, receiver);
          const broken = missingOf(invoice, "peppol-bis-3").map(({ rule }) => rule);
          const refusals = await refusalsOf(writeBis(invoice));
          expect([broken.length > 0, broken]).toEqual([
            refusals.length > 0,
            broken.length > 0 ? broken : refusals,
          ]);
          expect(refusals).toEqual(expect.arrayContaining(broken));
        }),
        { numRuns: RUNS },
      );
    });
  },
);
