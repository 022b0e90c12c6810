/** What issuing several drafts and crediting say, in both languages. */

export const enIssueMany = {
  pick: (title: string) => `Pick ${title}`,
  issue_picked: "Issue the picked ones…",
  title: (count: number) => (count === 1 ? "Issue one draft?" : `Issue ${count} drafts?`),
  drafts: "Drafts that were picked",
  left_out: "Those that cannot be issued are left as they are.",
  issue: (count: number, sum: string) =>
    count === 1 ? `Issue it: ${sum}` : `Issue ${count}: ${sum}`,
  outcomes: "What became of them",
  open: "Open the invoice",
  no_time: "Not begun: it took too long",
  again: "Look at the rest again",
  done: (issued: number, count: number) => `${issued} of ${count} issued`,
};

export const daIssueMany: typeof enIssueMany = {
  pick: (title) => `Vælg ${title}`,
  issue_picked: "Udsted de valgte …",
  title: (count) => (count === 1 ? "Udsted en kladde?" : `Udsted ${count} kladder?`),
  drafts: "De valgte kladder",
  left_out: "De, der ikke kan udstedes, bliver, som de er.",
  issue: (count, sum) => (count === 1 ? `Udsted den: ${sum}` : `Udsted ${count}: ${sum}`),
  outcomes: "Hvad der blev af dem",
  open: "Åbn fakturaen",
  no_time: "Ikke begyndt: det tog for lang tid",
  again: "Se på resten igen",
  done: (issued, count) => `${issued} af ${count} udstedt`,
};
