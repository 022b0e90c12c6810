/** Splits the text of a migration into its statements, because a cluster takes one statement at a time. */

/**
 * The parts within which a semicolon ends nothing: comments, strings, quoted names and the bodies of functions. A string with
 * backslashes before its quotes does not occur in migrations.
 */
const PARTS = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|;/g;

/** Returns the statements of a text in their order, without the semicolons; comments belong to the statement after them. */
export function splitStatements(text: string): string[] {
  const statements: string[] = [];
  let begin = 0;
  for (const { 0: part, index } of text.matchAll(PARTS)) {
    if (part !== ";") continue;
    statements.push(text.slice(begin, index));
    begin = index + 1;
  }
  statements.push(text.slice(begin));
  return statements.filter((statement) => !isEmpty(statement));
}

function isEmpty(statement: string): boolean {
  return statement.replace(PARTS, (part) => (/^(--|\/\*)/.test(part) ? "" : part)).trim() === "";
}
