/**
 * Random invoices and credit notes that are made through the API and issued, both ways: the service refuses the file of a document exactly
 * when the official rules do, and every amount in the bytes of the others is that of `/totals`.
 *
 * The 200 documents of a usual run take a minute of CPU: two of three are in BIS 3, one is in OIOUBL, whose rules take three times as long.
 * 20 of them are also checked by phive (100 with TEST_EINVOICES), and 10 as Factur-X. TEST_SEED repeats a run.
 */
import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { readBack } from "../../src/features/documents/einvoice-files/read-back.ts";
import { anySale, PRODUCTS, threeLines } from "../support/einvoice/any-sale.ts";
import { issueSales, type SoldDocument } from "../support/einvoice/issue-sales.ts";
import { facturXAnswers, lacksJavaRules, phiveRefusals } from "../support/einvoice/java-rules.ts";
import { lacksOfficialRules, refusalsOf } from "../support/einvoice/official-rules.ts";
import { statedFaults } from "../support/einvoice/stated-amounts.ts";
import { useWorld } from "../support/world/world.ts";

const RUNS = Number(process.env.TEST_EINVOICES ?? 200);
const BY_SECOND_ENGINE = process.env.TEST_EINVOICES === undefined ? 20 : 100;
const PRINTED = 10;
/** A busy machine takes a second for each document. */
const MOST_MS = 300_000 + RUNS * 2_000;
const SEED = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31);

const world = useWorld();
let documents: readonly SoldDocument[] = [];
let valid: readonly SoldDocument[] = [];
beforeAll(async () => {
  const sales = fc.sample(anySale, { numRuns: Math.ceil(RUNS * 1.4), seed: SEED });
  documents = (await issueSales(world, [threeLines, ...sales])).slice(0, RUNS);
  expect(documents).toHaveLength(RUNS);
  valid = documents.filter(({ broken }) => broken.length === 0);
}, MOST_MS);

const found = (document: SoldDocument, what: unknown) =>
  [`TEST_SEED=${SEED}`, document.path, what, document.sale] as const;

it("are of every code of VAT, and most of them can be expressed", () => {
  const codes = new Set(
    documents.flatMap(({ issued }) => issued.snapshot.vat.map((one) => one.vat_code)),
  );
  expect(codes.size, `TEST_SEED=${SEED}`).toBe(Object.keys(PRODUCTS).length);
  expect(valid.length).toBeGreaterThan(RUNS / 4);
  expect(valid.length).toBeLessThan(RUNS);
});

describe("every amount in the bytes", () => {
  it("is that of /totals and of the frozen document", async () => {
    const faults = [];
    for (const document of valid) {
      faults.push(...(await faultsOf(document)));
    }
    expect(faults).toEqual([]);
  });
});

describe.skipIf(lacksOfficialRules)(
  "the official rules (needs them: EINVOICE_VALIDATOR_DIR)",
  () => {
    it(
      "refuse a document exactly when the service does, by the rules that it names among others",
      async () => {
        const faults = [];
        for (const document of documents) {
          const { broken, content } = document;
          const refusals = (await refusalsOf(content.toString())).map((id) =>
            id.replace(/^XSD .*$/s, "XSD"),
          );
          const agree = broken.every((rule) => rule.startsWith("MB-") || refusals.includes(rule));
          if (!agree || broken.length > 0 !== refusals.length > 0) {
            faults.push(found(document, { broken, refusals }));
          }
        }
        expect(faults).toEqual([]);
      },
      MOST_MS,
    );
  },
);

describe.skipIf(lacksJavaRules)("the second engine (needs Java: EINVOICE_BUILD)", () => {
  it("refuses a document exactly when the service does", async () => {
    const some = documents.slice(0, BY_SECOND_ENGINE);
    const refusals = await phiveRefusals(some.map(({ content }) => content));
    const faults = some.flatMap((document, at) => {
      const ids = refusals[at] ?? [];
      const is_same = document.broken.length > 0 === ids.length > 0;
      return is_same ? [] : [found(document, { broken: document.broken, refusals: ids })];
    });
    expect(faults).toEqual([]);
  });
});

describe.skipIf(lacksJavaRules)("Factur-X of them (needs Java: EINVOICE_BUILD)", () => {
  it("is valid by veraPDF and its validator, and states the same amounts", async () => {
    const files: Buffer[] = [];
    const faults = [];
    for (const document of documents) {
      if (files.length === PRINTED) break;
      const { status, body } = await document.ask(`GET ${document.path}/einvoice?format=factur-x`);
      if (status !== 200) continue;
      files.push(body);
      faults.push(...(await faultsOf({ ...document, content: body })));
    }
    expect(files).toHaveLength(PRINTED);
    expect(faults).toEqual([]);
    expect(await facturXAnswers(files, "pdf")).toEqual(files.map(() => "valid"));
  });
});

describe("what must be found", () => {
  const control = (): SoldDocument => {
    const [document] = valid;
    if (document?.sale !== threeLines) throw new Error("the first document is refused");
    return document;
  };

  it("is a VAT that is rounded by line", async () => {
    const stated = new Map([
      ["0.25", "0.24"],
      ["1.24", "1.23"],
    ]);
    const xml = control().content.toString();
    const by_line = xml.replace(/>(0\.25|1\.24)</g, (_, amount) => `>${stated.get(amount)}<`);
    expect(by_line).not.toBe(xml);
    expect(await faultsOf({ ...control(), content: Buffer.from(by_line) })).not.toEqual([]);
  });

  it("is each amount that is one cent off or left out", async () => {
    const faultless: string[] = [];
    const document = control();
    const xml = document.content.toString();
    const amounts = [...xml.matchAll(BOOKED_AMOUNT)];
    expect(amounts.length).toBeGreaterThan(6);
    for (const { 0: element, index, 1: amount = "" } of amounts) {
      const off = element.replace(`>${amount}<`, `>${(Number(amount) + 0.01).toFixed(2)}<`);
      for (const changed of [off, ""]) {
        const content = `${xml.slice(0, index)}${changed}${xml.slice(index + element.length)}`;
        const faults = await faultsOf({ ...document, content: Buffer.from(content) });
        if (faults.length === 0) faultless.push(`${element} as ${changed}`);
      }
    }
    expect(faultless).toEqual([]);
  });

  it("is a line that is left out", async () => {
    const document = control();
    const line = /<cac:(InvoiceLine|CreditNoteLine)>.*?<\/cac:\1>\n/s;
    const content = Buffer.from(document.content.toString().replace(line, ""));
    expect(await faultsOf({ ...document, content })).not.toEqual([]);
  });
});

/** The elements with a booked amount, which a customer pays or an authority reads. */
const BOOKED_AMOUNT =
  /<cbc:(?:LineExtension|Taxable|Tax|TaxExclusive|TaxInclusive|Payable)Amount [^>]*>([^<]*)<[^>]*>\n/g;

async function faultsOf(document: SoldDocument) {
  const { read, faults } = await readDocument(document);
  const all = [...faults, ...statedFaults(read, document.totals, document.sale.currency[1])];
  return all.length === 0 ? [] : [found(document, all)];
}

async function readDocument({ issued, content }: SoldDocument) {
  const back = await readBack(content, issued.snapshot, new AbortController().signal);
  if (back === null) throw new Error(`cannot be read: ${content}`);
  return back;
}
