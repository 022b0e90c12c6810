/** Lists bank lines, with what they probably are where that is asked for. */
import type { Reader } from "../../../platform/commands/context.ts";
import type { Page } from "../../../platform/database/page.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { outgoingSuggestions, presentOutgoing } from "./find-outgoing.ts";
import { openMatches, suggestionsOf } from "./find-suggestions.ts";
import { pageOfBankLines, presentBankLine } from "./queries.ts";
import { type BankLineQuery, BankLineRow } from "./schemas.ts";

/** Returns a page of bank lines, the last imported first. */
export async function listBankLines(cx: Reader, query: BankLineQuery): Promise<JsonText> {
  const { rows, next_cursor } = await pageOfBankLines(cx, query);
  const matches = query.include?.includes("suggestions") ? await openMatches(cx, rows) : null;
  const open = rows.filter(({ state }) => state === "open");
  const outgoing = matches === null ? null : await outgoingSuggestions(cx, open);
  const data = rows.map((row) => {
    const shown = presentBankLine(row);
    if (matches === null) return shown;
    const suggestions =
      row.state !== "open"
        ? []
        : row.amount < 0n
          ? (outgoing?.get(row.id) ?? []).map(presentOutgoing)
          : suggestionsOf(row, matches);
    return BankLineRow.parse({ ...shown, suggestions });
  });
  const page: Page<unknown> = { data, has_more: next_cursor !== null, next_cursor };
  return jsonText({ object: "list", ...page });
}
