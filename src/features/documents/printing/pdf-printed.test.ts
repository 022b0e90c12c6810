/**
 * The optional contents of pages: references, the days of work, a text, a specification of hours, logo and colour. And that
 * documents from before these existed look unchanged.
 */
import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  creditNote,
  danish,
  line,
  reverseCharge,
} from "../../../../test/support/documents/documents.ts";
import { textOfPdf } from "../../../../test/support/documents/pdf-text.ts";
import { jpeg, png, pngOf } from "../../../../test/support/documents/pictures.ts";
import { contentDigest } from "../../../../test/support/documents/printed.ts";
import { lacks } from "../../../../test/support/run/needs.ts";
import type { DocumentSnapshot, SpecifiedEntry } from "../../../domain/sales/document.ts";
import { plainOf } from "../../settings/configuration/read-picture.ts";
import { renderPdf } from "./pdf.ts";
import { viewOf } from "./view.ts";

async function textOf(snapshot: DocumentSnapshot, number: bigint | null = 1042n): Promise<string> {
  return textOfPdf(await renderPdf(viewOf(snapshot, { number })));
}

const elements = (pdf: Buffer, type: string): number =>
  pdf.toString("latin1").split(`/S /${type}\n`).length - 1;

const days = (count: number, note: string | null): SpecifiedEntry[] =>
  Array.from({ length: count }, (_, index) => ({
    date: `2026-11-${String(1 + (index % 28)).padStart(2, "0")}`,
    user_name: index % 2 === 0 ? "Anna Holm" : "Bo Friis",
    hours: 150,
    note,
  }));

/** The Danish invoice, with hours specified for its first line. */
function specified(entries: readonly SpecifiedEntry[], more: Partial<DocumentSnapshot> = {}) {
  const [first, ...others] = danish().lines;
  if (first === undefined) throw new Error("no line");
  const worked = { from: "2026-10-28", to: "2026-11-17" };
  return {
    ...danish(),
    lines: [{ ...first, line_id: "first", worked }, ...others],
    hours: [{ line_id: "first", entries }],
    ...more,
  };
}

describe("a document that was frozen before the optional contents existed", () => {
  const long = Array.from({ length: 60 }, (_, index) =>
    line(`Line ${index}`, 100n, [[100, 10000n, 0, 100n]]),
  );
  it.each<[string, DocumentSnapshot, bigint | null, string]>([
    ["an invoice", danish(), 1042n, "a955a1541dc59215"],
    ["one without VAT", reverseCharge(), 7n, "ab25ea13306f4eda"],
    ["a credit note", creditNote(), 12n, "fe2a02d3d3d3db8a"],
    ["a draft", danish(), null, "1beef8c8a6de7dbc"],
    ["a long one", { ...danish(), lines: long }, 5n, "baf9b6a821aedd8b"],
  ])("looks unchanged: %s", async (_what, snapshot, number, expected) => {
    expect(contentDigest(await renderPdf(viewOf(snapshot, { number })))).toBe(expected);
  });
});

describe.skipIf(lacks("pdftotext"))("the pages (needs pdftotext) show", () => {
  it("the references, and the customer's own only where the document has none", async () => {
    const text = await textOf({
      ...danish(),
      buyer_reference: "Afd. 4",
      order_reference: "PO 4711",
      accounting_cost: "4711-22",
    });
    expect(text).toMatch(/Kontering\s+4711-22/);
    expect(text).toMatch(/Deres reference\s+Afd\. 4/);
    expect(text).toMatch(/Deres ordrenr\.\s+PO 4711/);
    expect(text).not.toContain("PO-2026-118");
    const credit = await textOf({
      ...creditNote(),
      order_reference: "PO 4711",
      accounting_cost: "4711-22",
      language: "en",
    });
    expect(credit).toMatch(/Your reference\s+PO-2026-118/);
    expect(credit).toMatch(/Your order no\.\s+PO 4711/);
    expect(credit).toMatch(/Accounting cost\s+4711-22/);
  });

  it("the days of the work below the line", async () => {
    expect(await textOf(specified([]))).toContain("28. oktober – 17. november 2026");
  });

  it("the text below the lines, on as many pages as it needs", async () => {
    const footer = `Tak.\n\n${"Vi tager forbehold for trykfejl. ".repeat(150)}Slut.`;
    const text = await textOf({ ...danish(), footer });
    const pages = text.split("\f").slice(0, -1);
    expect(pages.length).toBe(2);
    expect(pages[0]).toMatch(/Betalingsreference[\s\S]*Tak\./);
    expect(pages[1]).toContain("Slut.");
  });

  it("a short text on one page", async () => {
    const footer = ["Tak for denne gang.", ...Array<string>(8).fill(""), "På gensyn."].join("\n");
    const pages = (await textOf({ ...danish(), footer })).split("\f").slice(0, -1);
    expect(pages).toHaveLength(2);
    expect(pages[0]).not.toContain("Tak");
    expect(pages[1]).toMatch(/Tak for denne gang\.[\s\S]*På gensyn\./);
  });

  it("each registration, with the sums of each line and of all lines", async () => {
    const [, retainer] = danish().lines;
    if (retainer === undefined) throw new Error("no line");
    const text = await textOf(
      specified(days(3, "Møde"), {
        lines: [...specified([]).lines.slice(0, 1), { ...retainer, line_id: "second" }],
        hours: [
          { line_id: "first", entries: days(3, "Møde") },
          { line_id: "second", entries: days(2, null) },
        ],
      }),
    );
    const page = text.split("\f")[1] ?? "";
    expect(page).toContain("Specifikation af timer");
    expect(page).toMatch(/1\. november 2026\s+Anna Holm\s+Møde\s+1,50/);
    expect(page).toMatch(/Drift og overvågning[\s\S]*2\. november 2026\s+Bo Friis\s+1,50/);
    expect([...page.matchAll(/I alt\s+(\S+)/g)].map(([, sum]) => sum)).toEqual(["4,50", "3,00"]);
    expect(page).toMatch(/Timer i alt\s+7,50/);
  });

  it("each registration once, with its line's name and the column heads on every page", async () => {
    const note = "Gennemgang af bilag, møde med revisor og opfølgning. ".repeat(4).trim();
    const text = await textOf(specified(days(90, note), { language: "en" }));
    const pages = text.split("\f").slice(1, -1);
    expect(pages.length).toBeGreaterThan(4);
    expect(pages[0]).toContain("Specification of hours");
    for (const page of pages.slice(1)) {
      expect(page).toContain("Rådgivning om nyt bogholderi (continued)");
      expect(page).toMatch(/Date\s+Person\s+Text\s+Hours/);
    }
    expect([...text.matchAll(/November 2026\s+(Anna|Bo)/g)]).toHaveLength(90);
    expect(text).toMatch(/Sum\s+135\.00/);
  });

  it.each([
    ["da", /Der er mange registreringer[\s\S]*Dato\s+Medarbejder\s+Timer\n/, /I alt\s+75,00/],
    ["en", /There are many registrations[\s\S]*Date\s+Person\s+Hours\n/, /Sum\s+75\.00/],
  ] as const)(
    "sums without a column for texts, and the reason, in %s",
    async (language, head, sum) => {
      const text = await textOf(specified(days(50, null), { language, hours_are_summed: true }));
      const pages = text.split("\f").slice(1, -1);
      expect(pages[0]).toMatch(head);
      expect(text).toMatch(sum);
      expect(text.match(/1\. november 2026\s+Anna Holm\s+1,50\n/i) !== null).toBe(
        language === "da",
      );
      expect(await textOf(specified(days(50, null), { language }))).not.toMatch(head);
    },
  );

  it("a note that is longer than a page", async () => {
    const entries = days(2, `${"ord ".repeat(2500)}slut`);
    const text = await textOf(specified(entries));
    expect([...text.matchAll(/slut/g)]).toHaveLength(2);
  });
});

describe("a logo", () => {
  const withLogo = (bytes: Buffer, width: number, height: number) => {
    const content_type = bytes === jpeg ? ("image/jpeg" as const) : ("image/png" as const);
    const { seller } = danish();
    if (seller === null) throw new Error("no seller");
    const logo = { sha256: "", content_type, width, height };
    return viewOf({ ...danish(), seller: { ...seller, logo } }, { number: 1n });
  };

  const palette = [0, 0, 0, 200, 30, 90];
  const frame = { width: 9, height: 2, depth: 1, kind: 3, palette, transparency: [0] } as const;
  const twoColours = pngOf(frame, deflateSync(Buffer.from([0, 0xaa, 0x80, 0, 0x55, 0])));
  const small = png(4, 4);
  const remark = Buffer.concat([Buffer.from("tEXt"), Buffer.alloc(200_000, 65)]);
  const length = Buffer.from(Uint32Array.of(remark.length - 4).buffer).swap32();
  const remarked = Buffer.concat([
    small.subarray(0, 33),
    length,
    remark,
    Buffer.alloc(4),
    small.subarray(33),
  ]);

  it.each<[string, Buffer, number, number]>([
    ["wide", png(800, 60), 800, 60],
    ["tall", png(60, 800), 60, 800],
    ["small", png(3, 3), 3, 3],
    ["without transparency", png(90, 60, { kind: 2 }), 90, 60],
    ["interlaced", png(90, 60, { interlace: 1 }), 90, 60],
    ["of two colours, one not seen", twoColours, 9, 2],
    ["long in its remarks", remarked, 4, 4],
    ["a JPEG", jpeg, 48, 24],
  ])("that is %s is a figure with the seller's name, on the first page", async (...logo) => {
    const [, bytes, width, height] = logo;
    const printed = bytes === jpeg ? jpeg : plainOf(bytes);
    const pdf = await renderPdf(withLogo(bytes, width, height), printed);
    expect(elements(pdf, "Figure")).toBe(1);
    expect(pdf.toString("latin1").match(/\/Type \/Page\n/g)).toHaveLength(1);
    expect(pdf.includes(`/Width ${height > 235 ? 18 : width}\n`)).toBe(true);
    expect((await renderPdf(withLogo(bytes, width, height), printed)).equals(pdf)).toBe(true);
  });
});

describe("an accent colour", () => {
  it("is that of headings and rules, as dark as it has to be to be read", () => {
    const { seller } = danish();
    if (seller === null) throw new Error("no seller");
    const accentOf = (accent_color: string) =>
      viewOf({ ...danish(), seller: { ...seller, accent_color } }, { number: 1n }).accent;
    expect(accentOf("#0b5b49")).toBe("#0b5b49");
    expect(accentOf("#ffff00")).not.toBe("#ffff00");
    expect(viewOf(danish(), { number: 1n }).accent).toBeNull();
  });
});
