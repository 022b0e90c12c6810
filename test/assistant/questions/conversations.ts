/**
 * Writes conversations as docs/people-and-assistants.md shows them: calls and texts as they were, with short names in place of the
 * ids, addresses and moments that differ from run to run.
 */
import type { Said } from "./ask.ts";

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** A part of the document: from a heading to the end. */
export const HEADING = "## Three conversations";

/** Sizes of the answers to the questions, as medians and maxima. */
interface Sizes {
  readonly questions: number;
  readonly calls: readonly number[];
  readonly tokens: readonly number[];
  readonly catalogue: number;
}

/** Returns the part of docs/people-and-assistants.md that shows conversations and sizes. */
export function documentedPart(conversations: readonly string[], sizes: Sizes): string {
  const { questions, calls, tokens, catalogue } = sizes;
  const about = (count: number): string => (Math.round(count / 50) * 50).toLocaleString("en-US");
  return [
    HEADING,
    "They are about the year of a studio of ten people, on Tuesday 10 November 2026. The lines with > are what the assistant calls,\nand the text under each is all that it reads. Ids and addresses are shortened.",
    ...conversations,
    "## What it costs to read",
    `The catalogue of tools is about ${about(catalogue)} tokens for an admin with all permissions, read once at the start of a conversation.\nThe test \`test/assistant/questions.test.ts\` asks ${questions} questions about that year. The text of the answers to one question is about\n${about(median(tokens))} tokens in the median and ${about(Math.max(...tokens))} at most, in ${median(calls)} calls in the median and ${Math.max(...calls)} at most.`,
  ]
    .join("\n\n")
    .concat("\n");
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [low = 0, high = 0] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (low + high) / 2;
}

/** Returns a question with its calls and their answers as Markdown. */
export function conversationText(who: string, question: string, said: readonly Said[]): string {
  const names = new Map<string, string>();
  const nameOf = (id: string): string => {
    const name = names.get(id) ?? `id-${names.size + 1}`;
    names.set(id, name);
    return name;
  };
  const calls = said.map(({ tool, args, text }) =>
    `> ${tool} ${JSON.stringify(args)}\n\n${text}`
      .replace(ID, nameOf)
      .replace(/plan_[a-z2-7]{26}/g, "plan_…")
      .replace(/http:\/\/[\w.:]+/g, "http://localhost:3000")
      .replace(/before \d{4}-\d\d-\d\dT[\d:.]+Z/g, "before …"),
  );
  return `**${who}**: ${question}\n\n\`\`\`text\n${aligned(calls.join("\n\n"))}\n\`\`\``;
}

/** Returns a text in which the columns of each table are as wide as its cells need. */
function aligned(text: string): string {
  const shown: string[] = [];
  let rows: string[][] = [];
  for (const line of [...text.split("\n"), ""]) {
    const cells = line.split(/ *\| /);
    if (cells.length > 1) {
      rows.push(cells);
      continue;
    }
    const widths = (rows[0] ?? []).map((_, at) =>
      Math.max(...rows.map((row) => row[at]?.length ?? 0)),
    );
    shown.push(
      ...rows.map((row) =>
        row
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join(" | ")
          .trimEnd(),
      ),
    );
    rows = [];
    shown.push(line);
  }
  return shown.join("\n").trimEnd();
}
