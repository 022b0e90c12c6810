import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { danishReason, englishReason } from "./delivery-words.ts";

const UNKNOWN = "Dokumentet blev ikke sendt.";
const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

describe("the reason why a document was not sent", () => {
  it.each([
    [
      "e-invoice sending is not configured",
      "E-invoice sending is not configured.",
      "Afsendelse af e-fakturaer er ikke sat op.",
    ],
    [
      "The mail server refused the recipient's address (550 5.1.1).",
      "The mail server refused the recipient's address (550 5.1.1).",
      "Mailserveren afviste modtagerens adresse (550 5.1.1).",
    ],
    [
      "the ledger could not deliver the document: Bounced",
      "The ledger could not deliver the document: Bounced.",
      "Regnskabssystemet kunne ikke aflevere dokumentet.",
    ],
    [
      "The receiver's side refused the document: BV: no order",
      "The receiver's side refused the document: BV: no order.",
      "Modtagerens side afviste dokumentet: BV: no order",
    ],
    [
      "The access point could not deliver the document.",
      "The access point could not deliver the document.",
      "Adgangspunktet kunne ikke aflevere dokumentet.",
    ],
    ["a reason of a later version", "A reason of a later version.", UNKNOWN],
  ])("%s", (stored, english, danish) => {
    expect([englishReason(stored), danishReason(stored)]).toEqual([english, danish]);
  });

  it("has a Danish sentence for each sentence of the transports", () => {
    const smtp = /const SENTENCES[^{]*\{(.*?)\n\}/s.exec(
      read("platform/mail/smtp-outcome.ts").replaceAll("\r", ""),
    )?.[1];
    const sentences = [...(smtp ?? "").matchAll(/: "([^"]+)"/g)].map(([, text = ""]) => text);
    expect(sentences.length).toBeGreaterThan(10);
    for (const sentence of sentences)
      expect([sentence, danishReason(`${sentence}.`)]).not.toContain(UNKNOWN);
  });

  it("has a Danish sentence for each outcome of an e-invoice", () => {
    const sources = [
      "features/documents/sending/send-einvoice.ts",
      "domain/einvoice/einvoice-delivery.ts",
      "einvoice/connectors/phoss-ap/read-answer.ts",
      "einvoice/transport/look-at-answers.ts",
    ];
    const text = sources.map(read).join("\n");
    const fixed = text.matchAll(
      /(?:waits\("\w+", |UNCONFIRMED = |send_error: |"einvoice_not_configured",\s+)"([^"]+)"/g,
    );
    const detailed = text.matchAll(/sentenceWith\("([^"]+)", (?!detail\) \})/g);
    const composed = text.matchAll(/const text = `([^$`]+)\$\{/g);
    const sentences = [
      ...[...fixed].map(([, sentence = ""]) => sentence),
      ...[...detailed].flatMap(([, sentence = ""]) => [`${sentence}.`, `${sentence}: x`]),
      ...[...composed].map(([, sentence = ""]) => `${sentence}x`),
    ].filter((sentence) => sentence.includes(" ") && !sentence.startsWith("It waits"));
    expect(sentences.length).toBeGreaterThan(15);
    for (const sentence of sentences)
      expect([sentence, danishReason(sentence)]).not.toContain(UNKNOWN);
  });
});
