/** The documentation page about the files for accountants, `docs/csv.md`, made from the routes. */
import type { FileShape, Route } from "./route.ts";

const INTRODUCTION = `# Files for accountants

Flat files with their own addresses and the same API keys:

\`\`\`bash
curl -sS -H "Authorization: Bearer $KEY" "$API/invoices.csv?origin=all&issued_from=2026-01&issued_to=2026-03" > invoices.csv
\`\`\`

- UTF-8 without a byte order mark, commas, CRLF, a header (RFC 4180). Spreadsheets import it as *text/CSV, UTF-8, comma*.
- One record in a row, with names in addition to ids. Columns keep their names and order; new ones come at the end.
- Amounts are exact decimals with a point, in the decimals of their currency; days are \`YYYY-MM-DD\`, times ISO 8601 in UTC.
  A cell without a value is empty.
- They take the filters of the list of the same name, without \`limit\` and \`cursor\`: a file is the whole list. It is sent while
  it is read; a transfer that breaks off is incomplete.
- An apostrophe precedes a text that a spreadsheet would run as a formula.
- VAT is computed on a document, once for each code. Files of lines distribute it to rows, so that every column of
  amounts adds up to its documents. Values of the whole document (\`document_…\`) are on its first row only.

\`Accept: text/csv\` on any list of the API has another format: the fields of the resource, one resource in a row.
`;

/** Returns the whole page as Markdown. */
export function csvPage(routes: readonly Route[]): string {
  return [INTRODUCTION, ...routes.flatMap(sectionOf)].join("\n");
}

/** Returns the file that a route sends; undefined for other routes. */
export function fileOf(
  route: Route,
): Required<Omit<FileShape, "other_content_types" | "line" | "examples">> | undefined {
  const shape = route.replies[200];
  if (shape == null || !("content_type" in shape)) return undefined;
  const { content_type, columns, example } = shape;
  return columns && example !== undefined ? { content_type, columns, example } : undefined;
}

/** Returns the columns of a file as a table, in their order. */
export function columnTable({ columns }: Pick<Required<FileShape>, "columns">): string {
  const rows = columns.map(({ name, says }) => `| \`${name}\` | ${says} |`);
  return ["| Column | |", "|---|---|", ...rows].join("\n");
}

function sectionOf(route: Route): string[] {
  const file = fileOf(route);
  if (file === undefined) return [];
  return [`## \`GET ${route.path}\`\n\n${route.description}\n\n${columnTable(file)}\n`];
}
