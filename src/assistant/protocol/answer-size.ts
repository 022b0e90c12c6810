/** Limits the size of a tool result: assistants read all of it, and making a large result delays other requests. */
import { jsonText } from "../../platform/runtime/json.ts";
import type { ToolResult } from "./tool.ts";

/** The limit for text and data of a result together, in bytes; the envelope adds a few hundred. */
const MOST_BYTES = 255 * 1024;
/** The most bytes that a character takes in JSON. */
const MOST_OF_CHARACTER = 6;

/** The most lines of a document, and people of a line, in one result. */
export const MOST_LINES = 100;
export const MOST_PEOPLE = 10;

function fits({ text, structured }: ToolResult): boolean {
  const data = typeof structured === "string" ? structured : jsonText(structured);
  if ((text.length + data.length) * MOST_OF_CHARACTER <= MOST_BYTES) return true;
  return Buffer.byteLength(jsonText(text)) + Buffer.byteLength(data) <= MOST_BYTES;
}

/** Returns the result with as many rows or lines as fit: `most`, else half as many, and so on. */
export async function fitting<Result extends ToolResult>(
  most: number,
  make: (rows: number) => Result | Promise<Result>,
): Promise<Result> {
  const result = await make(most);
  return most <= 1 || fits(result) ? result : fitting(Math.floor(most / 2), make);
}

/** Returns a line with its first ten people. */
export function withFirstPeople<Line extends { readonly assignees: readonly unknown[] }>(
  line: Line,
): Line & { readonly assignees_left_out?: number } {
  const { assignees } = line;
  if (assignees.length <= MOST_PEOPLE) return line;
  const assignees_left_out = assignees.length - MOST_PEOPLE;
  return { ...line, assignees: assignees.slice(0, MOST_PEOPLE), assignees_left_out };
}

/** Returns a value with the first `most` entries of each list in it and the first ten people of each line. */
export function firstOf(value: unknown, most: number): unknown {
  if (Array.isArray(value)) return value.slice(0, most).map((one) => firstOf(one, most));
  if (typeof value !== "object" || value === null) return value;
  const { assignees } = value as { readonly assignees?: unknown };
  const entries = Object.entries(
    Array.isArray(assignees) ? withFirstPeople({ ...value, assignees }) : value,
  );
  return Object.fromEntries(entries.map(([name, entry]) => [name, firstOf(entry, most)]));
}
