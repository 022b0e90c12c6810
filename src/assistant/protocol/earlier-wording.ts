/**
 * The earlier wording of sentences in plans. The digest of a plan covers its sentences, so a plan that was stored before an
 * upgrade and is committed after it must get the digest of the earlier wording.
 */

/** Parts of sentences: the current wording, and the wording with which plans were stored that may still be open. */
const WORDED_BEFORE: readonly (readonly [now: string, before: string])[] = [
  [": its revenue will be unassigned.", ": what it earns is nobody's."],
  [": their revenue will be unassigned.", ": what they earn is nobody's."],
  ["belongs to another country", "is one of another country"],
  ["does not have the format of its country", "has not the form of its country"],
  ["are billed this way when they fall due.", "are billed so when they fall due."],
  ["its next periods are billed this way.", "its next periods are billed so."],
  ["its periods are issued on request.", "its periods are issued when somebody asks for it."],
  ["e-mailed if the series has auto_send, when", "e-mailed where the series asks for that, when"],
  ["are not issued automatically, the first", "are not issued by themselves, the first"],
  [
    "Due periods are issued at the scheduler's next run",
    "Periods that have fallen due by then are issued at the scheduler's next run",
  ],
  [
    "and sends nothing; issued periods do not change.",
    "and sends nothing; what is issued stays as it is.",
  ],
  [" of it remains after that.", " of it is left after that."],
  ["remainder of ", "left of "],
  ["Only admins see the effect on revenue.", "What it does to revenue is shown to admins."],
  ["Revenue does not change in any month.", "Revenue stays as it is in every month."],
  ["and content already exists.", "and content exists already."],
  ["with this external id already exists, for ", "with this external id exists already, for "],
  [" already exists with this external id", " exists already with this external id"],
  ["Resumes the issue of the invoice, which", "Goes on with issuing the invoice, which"],
  ["Resumes the issue of ", "Goes on with issuing "],
  [" hours in total: ", " hours in all: "],
  ["Nothing would change.", "Nothing would be different."],
];

/** Parts of summaries that plans have had since: the gross amount, what an edit makes of the first invoice, and the line of moved work. */
const ADDED_PARTS: readonly RegExp[] = [
  /, gross [\d,.-]+ [A-Z]{3}(?=, dated \d)/g,
  /: from \d+ [A-Z][a-z]+ \d{4}; invoice of \d{4}-\d\d-\d\d: [\d,.-]+ [A-Z]{3}(?:, unchanged| becomes [\d,.-]+ [A-Z]{3})(?=\.$)/g,
  /, moved from "[^"]*"(?=[;.])/g,
];

/** Effects that plans have had since. They follow from the document, which the digest covers. */
const ADDED_EFFECT = /^(?:Revenue by month: |It earns no revenue\.$)/;

/** Returns a plan's text in the earlier wording. */
export function asWordedBefore(text: string): string {
  const shorter = ADDED_PARTS.reduce((worded, part) => worded.replaceAll(part, ""), text);
  return WORDED_BEFORE.reduce((worded, [now, before]) => worded.replaceAll(now, before), shorter);
}

/** Whether an entry of a list is an effect that plans did not have before. */
export function isAddedEffect(entry: unknown): boolean {
  return typeof entry === "string" && ADDED_EFFECT.test(entry);
}
