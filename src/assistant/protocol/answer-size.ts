/** How large an answer may be: assistants read all of it, and what makes it holds up others. */
import { jsonText } from "../../platform/runtime/json.ts";
import type { ToolResult } from "./tool.ts";

/** Of the text and the data of a result together, in bytes; around them stand some hundred more. */
const MOST_BYTES = 255 * 1024;
/** A character is at most so many bytes in JSON. */
const MOST_OF_CHARACTER = 6;

/** Lines of a document, and people of a line, that one answer shows. */
export const MOST_LINES = 100;
export const MOST_PEOPLE = 10;

function fits({ text, structured }: ToolResult): boolean {
  const data = typeof structured === "string" ? structured : jsonText(structured);
  if ((text.length + data.length) * MOST_OF_CHARACTER <= MOST_BYTES) return true;
  return Buffer.byteLength(jsonText(text)) + Buffer.byteLength(data) <= MOST_BYTES;
}

/** The answer with as many rows, lines or whatever it lists as fit: at most `most`, else half of these, and so on. */
export async function fitting<Result extends ToolResult>(
  most: number,
  make: (rows: number) => Result | Promise<Result>,
): Promise<Result> {
  const result = await make(most);
  return most <= 1 || fits(result) ? result : fitting(Math.floor(most / 2), make);
}

/** A line with its first ten people. */
export function withFirstPeople<Line extends { readonly assignees: readonly unknown[] }>(
  line: Line,
): Line & { readonly assignees_left_out?: number } {
  const { assignees } = line;
  if (assignees.length <= MOST_PEOPLE) return line;
  const assignees_left_out = assignees.length - MOST_PEOPLE;
  return { ...line, assignees: assignees.slice(0, MOST_PEOPLE), assignees_left_out };
}

/** A resource, or any value of one, with the first lines of each list in it and the first ten people of each line. */
export function firstOf(value: unknown, most: number): unknown {
  if (Array.isArray(value)) return value.slice(0, most).map((one) => firstOf(one, most));
  if (typeof value !== "object" || value === null) return value;
  const { assignees } = value as { readonly assignees?: unknown };
  const entries = Object.entries(
    Array.isArray(assignees) ? withFirstPeople({ ...value, assignees }) : value,
  );
  return Object.fromEntries(entries.map(([name, entry]) => [name, firstOf(entry, most)]));
}
