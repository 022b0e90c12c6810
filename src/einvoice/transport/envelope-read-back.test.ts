/** Envelopes as phoss-ap reads them: its own reader extracts the parties, the type and the instance id, or refuses. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { checkByPhive, lacksPhive } from "../../../test/support/einvoice/phive.ts";
import { submissionOf } from "../../../test/support/einvoice/submission.ts";
import { envelopeOf } from "./envelope-of.ts";

describe.skipIf(lacksPhive)("an envelope (needs EINVOICE_PHIVE_DIR, see CONTRIBUTING.md)", () => {
  const folder = mkdtempSync(join(tmpdir(), "matchbook-envelopes-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const written = (name: string, text: string | Uint8Array): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };

  it("is read by an access point's own reader, and a wrong one is refused", () => {
    const invoice = submissionOf();
    const credit_note = submissionOf({ kind: "credit_note", receiver: "9930:DE136695976" });
    const text = new TextDecoder().decode(envelopeOf(invoice));
    const results = checkByPhive([
      written("invoice.xml", envelopeOf(invoice)),
      written("credit-note.xml", envelopeOf(credit_note)),
      written("other-type.xml", text.replace("<Type>Invoice<", "<Type>CreditNote<")),
      written("no-country.xml", text.replace(/<Scope><Type>COUNTRY_C1.*?<\/Scope>/, "")),
      written("no-process.xml", text.replace(/<Scope><Type>PROCESSID.*?<\/Scope>/, "")),
      written("no-moment.xml", text.replace(invoice.at, "yesterday")),
      written("no-document.xml", text.replace(/<Invoice .*<\/Invoice>/s, "")),
    ]);
    expect(results.map(({ valid }) => valid)).toEqual([
      true,
      true,
      ...Array.from({ length: 5 }, () => false),
    ]);
    expect(results.slice(0, 2)).toMatchObject([
      {
        instance: invoice.delivery_id,
        receiver: "iso6523-actorid-upis::0088:5798009811578",
      },
      {
        instance: credit_note.delivery_id,
        receiver: "iso6523-actorid-upis::9930:DE136695976",
      },
    ]);
  });
});
