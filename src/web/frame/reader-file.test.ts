/** Files of what a page shows: separators, decimals and the byte order mark of each language. */
import { expect, it } from "vitest";
import type { Language } from "../words/words.ts";
import { readerFile } from "./reader-file.ts";

it.each<[language: Language, expected: string]>([
  ["en", 'Account,Amount\r\n"Sales, goods",-1234.50\r\n\'=1+1,0\r\n'],
  ["da", "\u{feff}Account;Amount\r\nSales, goods;-1234,50\r\n'=1+1;0\r\n"],
])("is written as a spreadsheet of the reader's language expects it: %s", (language, expected) => {
  const rows = [
    ["Sales, goods", { decimal: "-1234.50" }],
    ["=1+1", { decimal: "0" }],
  ] as const;
  const { content, filename } = readerFile(language, "balance", ["Account", "Amount"], rows);
  expect(Buffer.from(content).toString()).toBe(expected);
  expect(filename).toBe("balance.csv");
});
