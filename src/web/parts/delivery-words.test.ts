import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { danishReason, englishReason } from "./delivery-words.ts";

const UNKNOWN = "Dokumentet blev ikke sendt.";

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
    ["a reason of a later version", "A reason of a later version.", UNKNOWN],
  ])("%s", (stored, english, danish) => {
    expect([englishReason(stored), danishReason(stored)]).toEqual([english, danish]);
  });

  it("has a Danish sentence for each sentence of the transports", () => {
    const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
    const smtp = /const SENTENCES[^{]*\{(.*?)\n\}/s.exec(
      read("platform/mail/smtp-outcome.ts").replaceAll("\r", ""),
    )?.[1];
    const sentences = [...(smtp ?? "").matchAll(/: "([^"]+)"/g)].map(([, text = ""]) => text);
    expect(sentences.length).toBeGreaterThan(10);
    for (const sentence of sentences)
      expect([sentence, danishReason(`${sentence}.`)]).not.toContain(UNKNOWN);
  });
});
