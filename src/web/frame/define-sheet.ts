/** Defines files of what a screen shows (`sheet.ts`), which another thread makes and sends while they are made. */
import type { PersonContext } from "../../platform/commands/context.ts";
import type { Reply } from "../../platform/http/asked.ts";
import type { Words } from "../words/en.ts";
import { type Language, wordsOf } from "../words/words.ts";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "./page.tsx";
import { type SheetColumn, sheetLines } from "./sheet.ts";

/** The reader of a file: its language and the words of the screens. */
export interface SheetReader {
  readonly language: Language;
  readonly words: Words;
}

/** A file as it will be sent. */
export interface SheetContent<Row> {
  /** The name in the reader's language, without `.csv`; letters such as `ø` are allowed. */
  readonly filename: string;
  readonly columns: readonly SheetColumn<Row>[];
  /** Yields the rows in portions, so that a file of any length takes little memory. */
  readonly rows: AsyncIterable<readonly Row[]>;
}

/** The plain data from which another thread makes a file. */
interface SheetQuery<Query> {
  readonly language: Language;
  readonly query: Query;
}

/** A kind of file, listed in `page-files.ts` under its name. */
export interface SheetKind<Query> {
  readonly name: string;
  make(cx: PersonContext, asked: SheetQuery<Query>): Promise<Reply>;
}

/** Defines a kind of file. `contentOf` reads what the file needs before its first line; its refusals become a page. */
export function defineSheet<Query, Row>(
  name: string,
  contentOf: (cx: PersonContext, query: Query, reader: SheetReader) => Promise<SheetContent<Row>>,
): SheetKind<Query> {
  return {
    name,
    async make(cx, { language, query }) {
      const reader = { language, words: wordsOf(language) };
      const { filename, columns, rows } = await contentOf(cx, query, reader);
      const headers = {
        "content-type": "text/csv; charset=utf-8; header=present",
        "content-disposition": attachmentNamed(`${filename}.csv`),
      };
      return { status: 200, headers, body: sheetLines(language, columns, rows) };
    },
  };
}

/** Defines the page that sends a file. `queryOf` returns the file's filters from the address: plain data, as the list reads it. */
export function defineSheetPage<Query>(
  path: `/${string}`,
  access: "person" | "hidden",
  sheet: SheetKind<Query>,
  queryOf: (request: PageRequest) => Query,
): WebPage {
  const file = async (request: PageRequest): Promise<PageAnswer> => {
    const asked = { language: request.reader.language, query: queryOf(request) };
    return {
      file: {
        operation: sheet.name,
        params: {},
        query: asked,
        lane: "file",
        make: () => sheet.make(request.cx, asked),
      },
    };
  };
  return { ...definePage(`GET ${path}`, access, file), is_heavy: true };
}

/** Returns the header of a download. Browsers take the second name; the first one is for programs that read ASCII only. */
function attachmentNamed(filename: string): string {
  const ascii = filename
    .replaceAll("æ", "ae")
    .replaceAll("ø", "oe")
    .replaceAll("å", "aa")
    .replace(/[^\w.-]/g, "-");
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(filename)}`;
}
