/** Restores an ignored bank line (spec 13.5): it is open again. */
import { notFound, Problem } from "../../../domain/base/problem.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { type LockedLine, lockLines, markLines, presentBankLine } from "./queries.ts";
import { BankLineParams } from "./schemas.ts";

/** Takes the id of a line; returns the line. An open line stays open. Throws NOT_FOUND, or BANK_LINE_BOOKED. */
export const restoreBankLine = defineCommand({
  name: "restore_bank_line",
  access: "write",
  input: BankLineParams,

  async plan(tx, { id }): Promise<LockedLine> {
    const line = (await lockLines(tx, [id])).get(id);
    if (line === undefined) throw notFound("bank_line", id);
    if (line.state === "booked") throw new Problem("BANK_LINE_BOOKED");
    return line;
  },

  commit(tx, line): JsonText {
    const after = { ...line, state: "open" as const, ignored_reason: null, request_hash: null };
    const document = jsonText(presentBankLine(after));
    if (line.state === "open") return document;
    markLines(tx, [after]);
    tx.audit("bank_line", line.id, "restored", {
      before: jsonText(presentBankLine(line)),
      after: document,
    });
    return document;
  },
});
