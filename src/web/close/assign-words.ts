/** The texts for choosing who earned a line, and of the way back to the close, in both languages. Only the server renders them. */
import { daRetainerLines, enRetainerLines } from "../retainers/lines-words.ts";

export const enAssigning = {
  back_to: (month: string) => `Back to the close of ${month}`,
  title: (line: string) => `Who earned “${line}”?`,
  text: "The revenue of the line is split equally between the chosen people, in every month of the line.",
  assign: "Assign",
  issued_text: "The invoice is issued, so the people of its lines stay as they are.",
  choose_one: "Choose at least one person.",
  scope: "Applies to",
  scopes: { ...enRetainerLines.scopes, all: () => "All open periods" },
};

export const daAssigning: typeof enAssigning = {
  back_to: (month) => `Tilbage til lukningen af ${month}`,
  title: (line) => `Hvem har optjent »${line}«?`,
  text: "Linjens omsætning fordeles ligeligt mellem de valgte personer, i alle linjens måneder.",
  assign: "Tildel",
  issued_text: "Fakturaen er udstedt, så personerne på dens linjer kan ikke ændres.",
  choose_one: "Vælg mindst én person.",
  scope: "Gælder for",
  scopes: { ...daRetainerLines.scopes, all: () => "Alle åbne perioder" },
};
