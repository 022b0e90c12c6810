/**
 * Questions of an owner, a bookkeeper and a consultant about a year of their studio, answered over the endpoint with the official
 * client: right, with at most three calls, and briefly. They are asked in the order of the table, and some of them change data.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { catalogues } from "../../src/assistant/open-catalogues.ts";
import { mcpScopes } from "../../src/platform/commands/context.ts";
import { packageRoot } from "../../src/platform/runtime/paths.ts";
import { useWorld } from "../support/world/world.ts";
import { type Conversation, openConversation, type Said } from "./questions/ask.ts";
import { conversationText, documentedPart, HEADING } from "./questions/conversations.ts";
import { PLANNING } from "./questions/planning.ts";
import { READING } from "./questions/reading.ts";
import { MOST_CALLS, type Question } from "./questions/table.ts";
import { tokensOf } from "./questions/tokens.ts";
import { playYear, TODAY, type Year } from "./questions/year.ts";

const world = useWorld({ knows_origin: true });

const QUESTIONS = [...READING, ...PLANNING];

interface Answered {
  readonly said: readonly Said[];
  /** All that the assistant has read. */
  readonly text: string;
  readonly expected: Awaited<ReturnType<Question["expected"]>>;
}

let year: Year;
const conversations = new Map<string, Conversation>();
const answers = new Map<Question, Answered | unknown>();

beforeAll(async () => {
  year = await playYear(world);
  for (const one of QUESTIONS) {
    answers.set(one, await answerTo(one).catch((error: unknown) => error));
  }
});

afterAll(async () => {
  for (const conversation of conversations.values()) await conversation.end();
});

async function answerTo({ by, calls, expected }: Question): Promise<Answered> {
  const { account, idOf } = year;
  const known = conversations.get(by);
  const asked = known ?? (await openConversation(world, account.account_id, idOf("person", by)));
  conversations.set(by, asked);
  const said = await asked.ask(calls(year));
  const texts = said.length === 0 ? [asked.instructions] : said.map(({ text }) => text);
  return { said, text: texts.join("\n"), expected: await expected(year, said) };
}

function answered(question: Question): Answered {
  const found = answers.get(question);
  if (found instanceof Error) throw found;
  return found as Answered;
}

describe("the year", () => {
  it("is one of a studio of ten people, with retainers and invoices", async () => {
    const count = async (path: string): Promise<number> =>
      (await year.done(`GET ${path}${path.includes("?") ? "&" : "?"}limit=100`)).data.length;
    expect(await count("/users")).toBe(10);
    expect(await count("/customers")).toBe(13);
    expect(await count("/recurring-series?status=active")).toBe(7);
    expect(await count(`/invoices?origin=all&issued_to=2026-11-09`)).toBe(69);
    expect((await year.done("GET /test-clock")).now).toContain(TODAY);
  });
});

describe.each(QUESTIONS.map((one) => [one.question, one] as const))("%s", (_words, question) => {
  it("is answered with the amounts and words of the API", () => {
    const { text, expected } = answered(question);
    for (const amount of expected.amounts) expect(hasAmount(text, amount), amount).toBe(true);
    for (const words of expected.words) expect(text).toContain(words);
    let rest = text;
    for (const words of expected.in_order ?? []) {
      expect(rest).toContain(words);
      rest = rest.slice(rest.indexOf(words) + words.length);
    }
  });

  it("has amounts that are neither zero nor equal to each other", () => {
    const { amounts, words } = answered(question).expected;
    expect(amounts.filter((amount) => !/[1-9]/.test(amount))).toEqual([]);
    expect(new Set(amounts).size).toBe(amounts.length);
    expect(amounts.length + words.length).toBeGreaterThan(0);
  });

  it("needs at most three calls and few tokens", () => {
    const { said, text } = answered(question);
    expect(said.length).toBeLessThanOrEqual(MOST_CALLS);
    expect(tokensOf(text)).toBeLessThanOrEqual(question.most_tokens);
  });
});

describe("docs/people-and-assistants.md", () => {
  it("shows what the service answers; if not, run `npm run update-examples`", () => {
    const shown = QUESTIONS.filter(({ is_documented }) => is_documented);
    const conversations = shown.map((one) =>
      conversationText(WHO[one.by], one.question, answered(one).said),
    );
    const all = QUESTIONS.map(answered);
    const part = documentedPart(conversations, {
      questions: QUESTIONS.length,
      calls: all.map(({ said }) => said.length),
      tokens: all.map(({ text }) => tokensOf(text)),
      catalogue: tokensOf(JSON.stringify(catalogues.of("admin", new Set(mcpScopes)).listed)),
    });
    const path = join(packageRoot, "docs/people-and-assistants.md");
    if (process.env.UPDATE_EXAMPLES) {
      const [before = ""] = readFileSync(path, "utf8").split(HEADING);
      writeFileSync(path, before + part);
    }
    const [, after = ""] = readFileSync(path, "utf8").split(HEADING);
    expect(HEADING + after, "run `npm run update-examples`").toBe(part);
  });
});

const WHO = {
  owner: "Anna (admin)",
  lene: "Lene (admin)",
  sofie: "Sofie (standard user)",
} as const;

/** Whether a text has an amount that is not a part of a longer number. */
function hasAmount(text: string, amount: string): boolean {
  const at = text.indexOf(amount);
  if (at < 0) return false;
  return !/[\d,.]/.test(text[at - 1] ?? "") || hasAmount(text.slice(at + 1), amount);
}
