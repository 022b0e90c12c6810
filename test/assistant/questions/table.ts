/** What a row of the table of questions has, and the forms in which answers say amounts and hours. */
import type { Said, ToolCall } from "./ask.ts";
import type { Year } from "./year.ts";

/** What must be in the texts of the answers. */
interface Expected {
  /** Amounts and hours as texts: none is zero, and no two are equal. */
  readonly amounts: readonly string[];
  readonly words: readonly string[];
  /** Words that stand in this order. */
  readonly in_order?: readonly string[];
}

export interface Question {
  readonly question: string;
  readonly by: "owner" | "lene" | "sofie";
  /** Without a call the instructions are the answer. */
  readonly calls: (year: Year) => readonly ToolCall[];
  readonly expected: (year: Year, said: readonly Said[]) => Promise<Expected>;
  readonly most_tokens: number;
  /** Whether docs/people-and-assistants.md shows the conversation. */
  readonly is_documented?: true;
}

export const MOST_CALLS = 3;

/** Returns an amount as a person reads it: `12,000.00 DKK`. */
export function money(amount: number, currency = "DKK"): string {
  return `${amount.toLocaleString("en-US", { minimumFractionDigits: 2 })} ${currency}`;
}

export function hours(amount: number): string {
  return `${amount.toFixed(2)} h`;
}

/** Returns a sum with two decimals. */
export function sumOf(amounts: readonly number[]): number {
  return Math.round(amounts.reduce((sum, amount) => sum + amount * 100, 0)) / 100;
}
