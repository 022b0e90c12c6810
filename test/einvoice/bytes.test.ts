/** The bytes of e-invoices are those of the golden files, in any time zone. A change of a golden file is a change of every later e-invoice. */
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { writeBis } from "../../src/domain/einvoice/write-bis.ts";
import type { DocumentSnapshot } from "../../src/domain/sales/document.ts";
import { creditNote, danish, reverseCharge } from "../support/documents/documents.ts";
import { contentOf } from "../support/einvoice/content.ts";

const DOCUMENTS: readonly (readonly [string, () => DocumentSnapshot])[] = [
  ["domestic-invoice", danish],
  ["reverse-charge", reverseCharge],
  ["credit-note", creditNote],
];

const time_zone = process.env.TZ;
afterEach(() => {
  if (time_zone === undefined) delete process.env.TZ;
  else process.env.TZ = time_zone;
});

describe.each(["UTC", "Pacific/Auckland", "America/Los_Angeles"])("in %s", (zone) => {
  it.each(DOCUMENTS)("%s is its golden file", async (name, snapshot) => {
    process.env.TZ = zone;
    const xml = writeBis(contentOf(snapshot()));
    await expect(xml).toMatchFileSnapshot(join(import.meta.dirname, "golden", `${name}.xml`));
  });
});
