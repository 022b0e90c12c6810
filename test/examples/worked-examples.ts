/** Published worked examples of other systems, in test/data/worked-examples.json. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Json } from "../support/world/world.ts";

export interface Example {
  readonly id: string;
  readonly category: string;
  readonly publisher: string;
  readonly description: string;
  readonly inputs: Json;
  readonly expected: Json;
}

interface Answers {
  /** Whether the file checks the examples of a category. */
  readonly isAnswered: (category: string) => boolean;
  /** Each example that our conventions can express, with what is asserted of it. */
  readonly checks: Readonly<Record<string, (example: Example) => void>>;
  /** Examples that follow another convention, and why they cannot be expressed in ours. */
  readonly otherConventions: Readonly<Record<string, string>>;
}

const FILE = new URL("../data/worked-examples.json", import.meta.url);

/** Checks each example of the categories; one that is neither checked nor named fails. */
export function describeExamples({ isAnswered, checks, otherConventions }: Answers): void {
  describe("worked examples of other systems", () => {
    const all = JSON.parse(readFileSync(FILE, "utf8")) as Example[];
    const examples = all.filter(({ category }) => isAnswered(category));

    it("are all checked, or listed with the reason why not", () => {
      const ids = examples.map(({ id }) => id);
      expect([...Object.keys(checks), ...Object.keys(otherConventions)].sort()).toEqual(ids.sort());
    });

    it.each(
      examples.flatMap((example) => {
        const check = checks[example.id];
        return check ? [{ ...example, check }] : [];
      }),
    )("$id ($publisher): $description", ({ check, ...example }) => {
      expect.hasAssertions();
      check(example);
    });
  });
}

/** The categories of proration, anchors and credit notes; all others are about revenue. */
export const DOCUMENT_KINDS = ["proration", "anchor", "credit_note"];
